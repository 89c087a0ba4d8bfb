// Exponentials that are equal on every machine, unlike those of the standard library.
#pragma once

#include <cstdint>

namespace pinchtp {

// Four floats, the vector width available on every machine with vectors; the compiler does not
// vectorize these loops itself.
typedef float FourFloats __attribute__((vector_size(16)));
typedef std::int32_t FourInts __attribute__((vector_size(16)));

// e to the power of each x, with a relative error of some 3e-7; x is clamped to the range of a
// float.
inline FourFloats exponentials(FourFloats x) {
  constexpr float kMax = 87;
  x = x > -kMax ? x : FourFloats{} - kMax;
  x = x < kMax ? x : FourFloats{} + kMax;
  const FourFloats binary = x * 1.44269504F;
  const FourFloats shifted = binary + 0.5F;
  const FourInts cut = __builtin_convertvector(shifted, FourInts);                    // towards zero
  const FourInts whole = cut + (__builtin_convertvector(cut, FourFloats) > shifted);  // true is -1
  const FourFloats rest = binary - __builtin_convertvector(whole, FourFloats);        // -0.5 to 0.5
  // The Taylor series of 2^rest.
  const FourFloats power =
      1 + rest * (0.69314718F +
                  rest * (0.24022651F +
                          rest * (0.05550411F + rest * (0.009618129F + rest * 0.001333356F))));
  return power * (FourFloats)((whole + 127) << 23);
}

inline float exponential(float x) { return exponentials(FourFloats{} + x)[0]; }

// The probability with these log odds.
inline float logistic(float log_odds) { return 1 / (1 + exponential(-log_odds)); }

}  // namespace pinchtp

// Exponentials that are the same on every machine, unlike those of the standard library.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace pinchtp {

// e to the power of x, within some 3e-7 of it; x is clipped to what a float can hold.
inline float exponential(float x) {
  const float binary = std::clamp(x, -87.0F, 87.0F) * 1.44269504F;
  const float whole = std::floor(binary + 0.5F);
  const float rest = binary - whole;  // -0.5 to 0.5
  // Taylor's series of 2^rest.
  const float power =
      1 + rest * (0.69314718F +
                  rest * (0.24022651F +
                          rest * (0.05550411F + rest * (0.009618129F + rest * 0.001333356F))));
  return power * std::bit_cast<float>((static_cast<std::int32_t>(whole) + 127) << 23);
}

// The probability that has these log odds.
inline float logistic(float log_odds) { return 1 / (1 + exponential(-log_odds)); }

}  // namespace pinchtp

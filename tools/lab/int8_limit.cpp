// Measures the peak products per second of an instruction set with data in the L1 cache: first of
// bytes, by dot(), then of 16-bit integers, by dot_pairs().
#include <cstdio>
#include <ctime>

#include "dot.hpp"

using namespace pinchtp::PINCHTP_INSTRUCTION_SET;

namespace {

constexpr int kChains = 8;  // parallel sums, which hide the latency of additions
constexpr int kInputs = 64;
constexpr int kRepeats = 20'000;
constexpr int kRounds = 9;

double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The best of several rounds. In each, every sum adds the products of all inputs with its factor.
template <class Sum, class Input, class Factor, class Add>
double most_products_per_second(int products, const Input* inputs, const Factor* factors, Add&& add) {
  double best = 0;
  for (int round = 0; round < kRounds; ++round) {
    Sum sums[kChains] = {};
    const double begin = processor_seconds();
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      for (int i = 0; i < kInputs; ++i)
        for (int chain = 0; chain < kChains; ++chain)
          sums[chain] = add(sums[chain], inputs[i], factors[chain]);
      asm volatile("" : "+m"(sums));  // makes the compiler compute each repetition
    }
    const double total = double{kRepeats} * kInputs * kChains * products;
    const double rate = total / (processor_seconds() - begin);
    best = rate > best ? rate : best;
  }
  return best;
}

}  // namespace

int main() {
  Quads words[kInputs];
  Pairs pairs[kInputs];
  for (int i = 0; i < kInputs; ++i) {
    words[i] = Quads{} + 0x01020304U * static_cast<unsigned>(i % 32);
    pairs[i] = (Pairs)words[i];
  }
  Weights byte_factors[kChains];
  for (int chain = 0; chain < kChains; ++chain)
    byte_factors[chain] = weights(0xff010203U + static_cast<unsigned>(chain));
  asm volatile("" : "+m"(words), "+m"(pairs), "+m"(byte_factors));  // unknown to the compiler
  const double bytes = most_products_per_second<Sums>(
      4 * kWords, words, byte_factors,
      [](Sums sum, Quads word, const Weights& factor) { return dot(sum, activations(word), factor); });
  const double halves = most_products_per_second<Quads>(2 * kWords, pairs, pairs, dot_pairs);
  std::printf("%.0f %.0f\n", bytes, halves);
}

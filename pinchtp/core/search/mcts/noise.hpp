// Changes to a root's priors in self-play, so that it tries moves with low priors: a temperature
// makes them more even, and a sample of a symmetric Dirichlet distribution is added as noise
// (Silver et al., 2017).
//
// Logarithm and exponential use only + - * /: those of libraries differ in the last bit from
// machine to machine, and a seed must give the same game everywhere.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../../rng.hpp"

namespace pinchtp {

namespace noise {

inline constexpr double kLn2 = 0.69314718055994530942;

// The natural logarithm of x > 0.
inline double log(double x) {
  int exponent;
  double mantissa = std::frexp(x, &exponent);  // in [1/2, 1), exactly
  if (mantissa < 0.70710678118654752) {
    mantissa *= 2;
    --exponent;
  }
  const double t = (mantissa - 1) / (mantissa + 1);
  double sum = 0;
  for (int i = 27; i > 0; i -= 2) sum = sum * t * t + 1.0 / i;
  return 2 * t * sum + exponent * kLn2;
}

// e to the power of x <= 0; 0 where the result is negligible.
inline double exp(double x) {
  if (x < -700) return 0;
  const double doublings = std::floor(x / kLn2 + 0.5);
  const double rest = x - doublings * kLn2;
  double sum = 1;
  for (int i = 16; i > 0; --i) sum = 1 + sum * rest / i;
  return std::ldexp(sum, static_cast<int>(doublings));
}

// A uniformly random number in (0, 1).
inline double uniform(Rng& rng) {
  return (static_cast<double>(rng.next() >> 12) + 0.5) / 4503599627370496.0;  // 2^52
}

// A sample of the gamma distribution with shape alpha in (0, 1] and scale 1 (Ahrens and Dieter, 1974).
inline double gamma(double alpha, Rng& rng) {
  const double e = 2.71828182845904523536;
  const double split = (e + alpha) / e;
  for (;;) {
    const double p = split * uniform(rng);
    if (p <= 1) {
      const double x = exp(log(p) / alpha);
      if (uniform(rng) <= exp(-x)) return x;
    } else {
      const double x = -log((split - p) / alpha);
      if (log(uniform(rng)) <= (alpha - 1) * log(x)) return x;
    }
  }
}

}  // namespace noise

// A sample of `count` numbers, which sum to 1.
inline std::vector<double> dirichlet(std::size_t count, double alpha, Rng& rng) {
  std::vector<double> shares(count);
  double sum = 0;
  for (double& share : shares) sum += share = noise::gamma(alpha, rng);
  for (double& share : shares) share = sum > 0 ? share / sum : 1.0 / static_cast<double>(count);
  return shares;
}

// Replaces a fraction of the priors by noise.
inline void add_noise(std::vector<double>& priors, double fraction, double alpha, Rng& rng) {
  const std::vector<double> noise = dirichlet(priors.size(), alpha, rng);
  for (std::size_t i = 0; i < priors.size(); ++i)
    priors[i] = (1 - fraction) * priors[i] + fraction * noise[i];
}

// Raises the priors to the power of 1 / temperature and normalizes them.
inline void apply_temperature(std::vector<double>& priors, double temperature) {
  double sum = 0;
  for (double& prior : priors) {
    if (prior > 0) prior = noise::exp(std::min(noise::log(prior) / temperature, 0.0));
    sum += prior;
  }
  if (sum > 0)
    for (double& prior : priors) prior /= sum;
}

}  // namespace pinchtp

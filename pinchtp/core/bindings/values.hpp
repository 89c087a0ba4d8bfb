// Conversions of values between Python and the core.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../position.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace pinchtp::bindings {

inline Color color(int number) {
  if (number != 0 && number != 1) throw std::invalid_argument("invalid color; expected 0 or 1");
  return static_cast<Color>(number);
}

// Checks a move from Python, which may be any integer.
inline Move move(long long number) {
  if (number < 0 || number >= kNoMove) throw std::invalid_argument("illegal move");
  return static_cast<Move>(number);
}

// Converts megabytes to bytes; SIZE_MAX if the product overflows.
inline std::size_t megabytes(std::size_t count) {
  return count > (SIZE_MAX >> 20) ? SIZE_MAX : count << 20;
}

// A numpy array that owns the values; Shown is their type in Python.
template <class Shown, class T>
auto array_of(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, Shown>(kept->data(), shape, owner);
}

}  // namespace pinchtp::bindings

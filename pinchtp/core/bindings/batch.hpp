// Positions of several games side by side.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/unique_ptr.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../batch.hpp"
#include "values.hpp"

namespace pinchtp::bindings {

// Collects a value of each game of a batch.
template <class T, class Value>
auto of_each(const PositionBatch& batch, Value&& value) {
  std::vector<T> values;
  values.reserve(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) values.push_back(value(batch.position(i)));
  return array_of<T>(std::move(values), {batch.size()});
}

inline nb::tuple legal_actions(const PositionBatch& batch) {
  PositionBatch::LegalActions legal = batch.legal_actions();
  const std::size_t count = legal.actions.size();
  return nb::make_tuple(array_of<std::int32_t>(std::move(legal.actions), {count}),
                        array_of<std::int64_t>(std::move(legal.begins), {batch.size() + 1}));
}

inline void bind_batch(nb::module_& module) {
  using Actions = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  nb::class_<PositionBatch>(module, "PositionBatch")
      .def(nb::init<const Position&, std::size_t>(), "start"_a, "count"_a)
      .def("__len__", &PositionBatch::size)
      .def_prop_ro("actions", &PositionBatch::actions)
      .def(
          "position",
          [](const PositionBatch& b, std::size_t i) {
            return std::make_unique<Position>(b.position(i));
          },
          "game"_a)
      .def("set", &PositionBatch::set, "game"_a, "position"_a)
      .def(
          "play",
          [](PositionBatch& b, const Actions& actions) { b.play({actions.data(), actions.size()}); },
          "actions"_a)
      .def("legal_actions", &legal_actions)
      .def("legal_mask",
           [](const PositionBatch& b) {
             return array_of<bool>(b.legal_mask(), {b.size(), b.actions()});
           })
      .def("cells",
           [](const PositionBatch& b) {
             std::vector<std::int8_t> cells = b.cells();
             const Rules& rules = b.position(0).rules();
             return array_of<std::int8_t>(std::move(cells),
                                          {b.size(), static_cast<std::size_t>(rules.height),
                                           static_cast<std::size_t>(rules.width)});
           })
      .def("to_move",
           [](const PositionBatch& b) {
             return of_each<std::int8_t>(
                 b, [](const Position& p) { return static_cast<std::int8_t>(p.to_move()); });
           })
      .def("results", [](const PositionBatch& b) {
        return of_each<std::int8_t>(
            b, [](const Position& p) { return static_cast<std::int8_t>(p.result()); });
      });
}

}  // namespace pinchtp::bindings

// Solvers and their results.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "../position.hpp"
#include "../search/search.hpp"
#include "../solver.hpp"
#include "calls.hpp"
#include "values.hpp"

namespace pinchtp::bindings {

inline std::pair<std::uint32_t, std::uint32_t> pair(const ProofNumbers& numbers) {
  return {numbers.proof, numbers.disproof};
}

inline Solution solve(Solver& solver, const Position& position, double seconds,
                      const std::optional<nb::callable>& should_stop,
                      std::optional<std::uint64_t> most_nodes, std::optional<std::size_t> most_turns) {
  Solution solution;
  const SolverLimits limits{most_nodes.value_or(UINT64_MAX), most_turns.value_or(SIZE_MAX)};
  const auto poll = poller(should_stop);
  without_lock([&] {
    run_watched([&](const std::atomic<bool>& stop) { solution = solver.solve(position, stop, limits); },
                poll, seconds);
  });
  return solution;
}

inline void bind_solver(nb::module_& module) {
  nb::class_<Solution>(module, "Solution")
      .def_ro("value", &Solution::value)
      .def_ro("line", &Solution::line)
      .def_ro("nodes", &Solution::nodes)
      .def_prop_ro("proof_numbers", [](const Solution& s) { return pair(s.proof_numbers); });
  nb::class_<Solver>(module, "Solver")
      .def(nb::new_([](const Position& position, std::size_t memory_mb,
                       std::shared_ptr<const Network> network, int threads) {
             return std::make_unique<Solver>(position, megabytes(memory_mb), std::move(network),
                                             threads);
           }),
           "position"_a, nb::kw_only(), "memory_mb"_a = SearchOptions().memory_bytes >> 20,
           "network"_a = nb::none(), "threads"_a = 1)
      .def_prop_ro("nodes", &Solver::nodes)
      .def_prop_ro("proof_numbers", [](const Solver& s) { return pair(s.proof_numbers()); })
      .def(
          "attach",
          [](Solver& solver,
             const nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& memory) {
            solver.attach(std::as_writable_bytes(std::span(memory.data(), memory.size())));
          },
          "memory"_a.noconvert(), nb::keep_alive<1, 2>())  // a converted copy would not live as long
      .def("solve", &solve, "position"_a, "seconds"_a = std::numeric_limits<double>::infinity(),
           "should_stop"_a = nb::none(), nb::kw_only(), "nodes"_a = nb::none(), "turns"_a = nb::none());
}

}  // namespace pinchtp::bindings

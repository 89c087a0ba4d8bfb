// The Python module, documented in _core.pyi: its constants and functions, and the classes of the files
// next to this one.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>

#include "../evaluation/board_fill.hpp"
#include "../evaluation/network/inference.hpp"
#include "../position.hpp"
#include "../search/search.hpp"
#include "batch.hpp"
#include "calls.hpp"
#include "position.hpp"
#include "search.hpp"
#include "solver.hpp"

namespace pinchtp::bindings {

namespace {

std::uint64_t fill_board(int width, int height, std::uint64_t games, std::uint64_t seed) {
  if (!is_board_size(width, height)) throw std::invalid_argument("unacceptable size");
  std::uint64_t won = 0;
  const auto poll = poller(kNoCallback);
  without_lock([&] {
    run_watched(
        [&](const std::atomic<bool>& stop) { won = fill_boards(width * height, games, seed, stop); },
        poll);
  });
  return won;
}

}  // namespace

}  // namespace pinchtp::bindings

NB_MODULE(_core, module) {
  using namespace pinchtp;
  using namespace pinchtp::bindings;
  reserve_exceptions();
  watch_end();
#ifdef NDEBUG
  // Users need no warnings about objects that are alive at interpreter exit.
  nb::set_leak_warnings(false);
#endif
  module.attr("MIN_SIZE") = kMinSize;
  module.attr("MAX_SIZE") = kMaxSize;
  module.attr("STRIDE") = kStride;
  module.attr("MAX_THREADS") = kMaxThreads;
  module.attr("PASS") = kPass;
  module.attr("SWAP") = kSwap;
  module.def("instruction_sets", &instruction_sets);
  module.def("inference_instruction_sets", &inference_instruction_sets);
  module.def("fill_board", &fill_board, "width"_a, "height"_a, "games"_a, "seed"_a = 0);
  bind_position(module);
  bind_batch(module);
  bind_network(module);
  bind_search_options(module);
  bind_report(module);
  bind_search(module);
  bind_solver(module);
}

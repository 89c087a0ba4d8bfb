#include "solver.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "evaluation/network/evaluator.hpp"
#include "search/search.hpp"
#include "search/solver/solve.hpp"

namespace pinchtp {

namespace {

// Maximum for the evaluations of a guided proof search, in bytes.
constexpr std::size_t kMaxCache = std::size_t{16} << 20;

}  // namespace

Solver::Solver(const Position& start, std::size_t memory_bytes, std::shared_ptr<const Network> network,
               int threads)
    : type_(start.game().type()), rules_(start.rules()) {
  check_threads(threads);
  std::unique_ptr<Evaluator> evaluator;
  if (network) {
    const std::size_t cache = std::min(memory_bytes / 16, kMaxCache);
    memory_bytes -= cache;
    evaluator = cached_network(std::move(network), type_.traits, rules_, cache);
  }
  search_ = std::make_unique<ProofSearch>(type_, rules_, memory_bytes, std::move(evaluator), threads);
}

Solver::~Solver() = default;

void Solver::attach(std::span<std::byte> memory) {
  constexpr std::size_t kAlignment = 64;
  if (memory.size() < 2 * kAlignment || reinterpret_cast<std::uintptr_t>(memory.data()) % kAlignment)
    throw std::invalid_argument("the memory must have at least 128 bytes, aligned to 64");
  search_->attach(memory);
}

Solution Solver::solve(const Position& position, const std::atomic<bool>& stop,
                       const SolverLimits& limits) {
  if (&position.game().type() != &type_ || position.rules() != rules_)
    throw std::invalid_argument("the solver is for another game, size, options or instruction set");
  if (position.result() != Result::none) throw std::invalid_argument("the game is over");
  return search_->solve(position.game(), position.history(), stop, limits);
}

std::uint64_t Solver::nodes() const { return search_->nodes(); }

ProofNumbers Solver::proof_numbers() const { return search_->proof_numbers(); }

}  // namespace pinchtp

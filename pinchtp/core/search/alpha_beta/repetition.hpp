// The positions that a game has had twice: a third time ends it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../types.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta {

class DrawnPositions {
 public:
  explicit DrawnPositions(std::vector<Hash128> hashes) : hashes_(std::move(hashes)) {
    for (const Hash128& hash : hashes_) salt_ ^= hash.low;
  }
  bool is_empty() const { return hashes_.empty(); }
  bool has(const Hash128& hash) const { return std::ranges::find(hashes_, hash) != hashes_.end(); }
  // Changes the keys of a transposition table, since what was found while others were drawn may not
  // hold.
  std::uint64_t salt() const { return salt_; }

 private:
  std::vector<Hash128> hashes_;
  std::uint64_t salt_ = 0;
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta

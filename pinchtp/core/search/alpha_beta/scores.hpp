// Scores of alpha-beta search, in points, for the side to move.
#pragma once

namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta {

inline constexpr int kMaxPly = 120;  // turns below the root that a search may look at

// A side that has won at once has kWin; one that will in so many turns has as much less. Scores from
// kSureWin on are proven.
inline constexpr int kWin = 30'000;
inline constexpr int kSureWin = kWin - 1000;
inline constexpr int kHighest = kSureWin - 1;  // of a position that is judged

constexpr bool is_sure(int score) { return score >= kSureWin || score <= -kSureWin; }

// Turns to the end that a sure score tells of.
constexpr int turns_to_end(int score) { return score > 0 ? kWin - score : kWin + score; }

// The transposition table counts turns to the end from the position itself, a search from its root.
constexpr int to_table(int score, int ply) {
  return score >= kSureWin ? score + ply : score <= -kSureWin ? score - ply : score;
}
constexpr int from_table(int score, int ply) {
  return score >= kSureWin ? score - ply : score <= -kSureWin ? score + ply : score;
}

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta

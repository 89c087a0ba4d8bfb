// Scores of alpha-beta search, in points, for the side to move.
#pragma once

namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta {

inline constexpr int kMaxPly = 120;  // deepest ply of a search, in turns below the root

// The score of a side that has won is kWin; a win in n turns is worth n less. Scores of at least
// kSureWin are proven.
inline constexpr int kWin = 30'000;
inline constexpr int kSureWin = kWin - 1000;
inline constexpr int kHighest = kSureWin - 1;  // of a static evaluation

// The scores that a search has to find exactly: those between alpha and beta. For any other it may
// return a bound that is also outside.
struct Window {
  int alpha = -kWin;
  int beta = kWin;

  // For the other side.
  Window operator-() const { return {-beta, -alpha}; }
  // Contains no score: a search only finds out whether its score exceeds alpha.
  Window minimal() const { return {alpha, alpha + 1}; }
  bool is_minimal() const { return beta - alpha == 1; }
  bool contains(int score) const { return alpha < score && score < beta; }
};

constexpr bool is_sure(int score) { return score >= kSureWin || score <= -kSureWin; }

// Turns to the end, given a proven score.
constexpr int turns_to_end(int score) { return score > 0 ? kWin - score : kWin + score; }

// The transposition table counts the turns to the end from the position, a search from its root.
constexpr int to_table(int score, int ply) {
  return score >= kSureWin ? score + ply : score <= -kSureWin ? score - ply : score;
}
constexpr int from_table(int score, int ply) {
  return score >= kSureWin ? score - ply : score <= -kSureWin ? score + ply : score;
}

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta

"""Games as SGF, FF[4] (https://www.red-bean.com/sgf): writers, the reader, and autosave.

This module exports the writers; records/reader.py reads.

SGF has no number for our games. Go programs read our files and show every position, although they
apply other rules; README.md has a table of them:

- GM is 1 in First Capture Go, and absent otherwise. RU has the name of the game and whether the
  second player may swap: `RU[pinch, swap]`, `RU[pinch, no swap]`. `, swapped` is added if the start
  is a set-up position with the colors exchanged.
- Points are two letters, column and row from the upper left, `aa` to `yy`; SZ is `13` or `13:9`.
- B and W have the point on which a turn places a stone, or an empty value, which is Go's pass. If
  that is not the complete turn, MV, a private property, has the text of the turn in the notation of
  `play`: `W[]MV[swap]`, `B[bb]MV[B4,D2]`, `B[eg]MV[d5e4x]`.
- If a Go viewer would show another board after the move, with or without captures, a second node
  sets the differing points (AB, AW, AE) and the side to move (PL). SGF forbids move and setup in
  one node, and viewers disagree about which comes first.
- A resignation is a separate node, named `N[black resigns]`, and RE, as in Go.
- SBKV, Sabaki's property, is Black's winrate in percent after a move that we chose. The comment
  repeats it in words unless the move has another comment. It is read only in our own files.

Other properties, and variations as text, are preserved with the moves and written again; see
games.history.RecordExtras. syntax.py has the grammar.

The reader reads the main line of the first game, and on request its variations, in one walk
(walk.py). It accepts all of the above, and also:

- GM 1 and 11, and Hex's points (`a1` is the upper left one, and the letter i is a column);
- any word for a swap, and, while a swap is possible, `pass`, `tt`, an empty value or the point of
  the first stone;
- all points of a turn in one value (`bbdd`), and Bushka's moves as text, as written by earlier
  versions;
- `resign` as a move;
- setup in any node before the first move, and later if it shows the board that results from the
  moves.

It rejects a file if any part of its main line is not one of our games, and a game scored in points,
which is Go. A record that does not name its game, or has only GM 1, which Sabaki writes for every
game, is read with a doubt.
"""

from pinchtp.records.sgf.files import SgfAutosave, today, write_file
from pinchtp.records.sgf.write import Variation, to_sgf, variation_to_sgf, variations_to_sgf

__all__ = [
    "SgfAutosave",
    "Variation",
    "to_sgf",
    "today",
    "variation_to_sgf",
    "variations_to_sgf",
    "write_file",
]

"""Games as SGF, FF[4] (https://www.red-bean.com/sgf): written, read back, and kept on disk.

This module exports the writers; records/reader.py reads.

SGF has no number for our games. Programs for Go read our files and show every position, though they
apply other rules; README.md has a table of them:

- GM is 1 in First Capture Go, and absent otherwise. RU has the name of the game and whether the
  second player may swap: `RU[pinch, swap]`, `RU[pinch, no swap]`; `, swapped` is
  added if the position at the start was set up with the colors exchanged.
- Points are two letters, column and row from the upper left, `aa` to `yy`; SZ is `13` or `13:9`.
- B and W have the point on which a turn puts a stone, or Go's empty value, a pass. Where that does
  not say it all, MV, a private property, has the text of the turn as `play` takes it:
  `W[]MV[swap]`, `B[bb]MV[B4,D2]`, `B[eg]MV[d5e4x]`.
- Where a viewer of Go would show another board after it, with captures or without, a second node
  sets the points in question (AB, AW, AE) and whose turn it is (PL): SGF has no move and setup in
  one node, and viewers disagree about which comes first.
- A resignation is a separate node, named `N[black resigns]`, and RE, as in Go.
- SBKV, Sabaki's property, is Black's chance to win in percent, after a move that we chose; the
  comment says it in words unless there is another. It is read in our own files only.

Other properties, and variations as text, are preserved with the moves and written again (syntax.py
has the grammar; games.history.RecordExtras holds them).

The reader takes the main line of the first game, and on request its variations, in one walk
(walk.py). It accepts all of these, GM 1 and 11, and Hex's points (`a1` is the upper left one, and
there is a letter i); any word for a swap, and `pass`, `tt`,
an empty value or the first stone's point again in its place while a swap is possible; all points of
a turn in one value (`bbdd`), and Bushka's moves as text, as earlier versions wrote them; `resign`
as a move; setup in any node before the first move, and later if it shows the board to which the
moves lead. It rejects a file as a whole if any part of its main line is not one of our games, and a
game scored in points, which is Go; GM 1 alone, which Sabaki writes of every game, and a record
without the name of its game are read with a doubt.
"""

from pinchtp.records.sgf.files import SgfAutosave, today, write_file
from pinchtp.records.sgf.write import Variation, to_sgf, variations_to_sgf

__all__ = ["SgfAutosave", "Variation", "to_sgf", "today", "variations_to_sgf", "write_file"]

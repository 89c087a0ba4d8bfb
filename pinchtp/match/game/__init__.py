"""One game between two engines: who plays, how it is judged and timed, and its record."""

"""Reviews of games: `pinchtp review`, and the parts that the board and `pinchtp play` share."""

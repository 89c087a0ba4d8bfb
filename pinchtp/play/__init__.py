"""A game against the engine at a terminal: `pinchtp play`."""

"""Proves who wins a position: `pinchtp solve`, its stores, its proofs, and clusters."""

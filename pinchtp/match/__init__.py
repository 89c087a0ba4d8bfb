"""Games between GTP engines, which are programs of their own, watched at every step."""

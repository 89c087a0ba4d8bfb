"""Boards as text for terminals and for one line of GTP, and as SVG."""

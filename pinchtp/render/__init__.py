"""Boards as text, SVG pictures and animated GIFs."""

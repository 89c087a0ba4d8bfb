"""Learns what positions of Bushka are worth without search, from games of alpha-beta search."""

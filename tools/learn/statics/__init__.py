"""Trains the static evaluation of Bushka on games of alpha-beta search."""

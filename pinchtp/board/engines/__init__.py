"""Engines: processes that cannot hang or flood a table, and what they play there."""

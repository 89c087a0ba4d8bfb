"""Completion and the manual page, generated from the command lines."""

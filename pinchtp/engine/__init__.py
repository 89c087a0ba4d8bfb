"""Engines and their analyses: ours or any GTP program. Guide: README.md."""

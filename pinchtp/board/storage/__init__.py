"""Saved tables and libraries of visitors."""

"""Measures what people meet: levels of play, first stones and the swap, shown win rates.

What is measured is kept beside these tools in JSON, and shown in their README.md.
"""

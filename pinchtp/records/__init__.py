"""Game records: SGF, Abstract Play's JSON, position strings. Guide: README.md in this folder."""

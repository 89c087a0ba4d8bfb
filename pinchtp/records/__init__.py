"""Games as text: one reader of all formats, and the writers. Guide: README.md in this directory."""

"""What an engine thinks of a position: ours or any GTP program. Guide: README.md."""

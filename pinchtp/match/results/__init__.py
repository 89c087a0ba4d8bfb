"""What is kept of a match, and what it adds up to."""

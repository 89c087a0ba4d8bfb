"""Units of work: which is next, who does it, and where its result is kept."""

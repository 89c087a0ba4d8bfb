"""What a report measures: each section with the experiments that are its own."""

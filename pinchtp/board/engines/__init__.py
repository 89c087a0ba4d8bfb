"""The work of engines for a visitor: jobs, the pool that runs them, and their results."""

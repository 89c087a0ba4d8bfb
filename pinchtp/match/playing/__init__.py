"""Playing the games of a match: engines, referees, workers, and pools of workers."""

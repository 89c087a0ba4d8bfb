"""What a match is: its options, engines, openings and schedule."""

"""What people see of a match: live, as tables, and as files for other programs."""

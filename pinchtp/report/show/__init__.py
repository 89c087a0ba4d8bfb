"""What people see of a report: page, terminal, reports side by side."""

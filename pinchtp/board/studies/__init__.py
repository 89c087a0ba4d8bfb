"""What a visitor has engines find out about positions."""

"""What results say about playing strength; knows nothing of matches."""

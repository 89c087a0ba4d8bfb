"""pinchtp: an engine for Pinch and its relatives behind the Go Text Protocol."""

__version__ = "0.1.0"

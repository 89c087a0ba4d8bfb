"""The error of records."""


class RecordError(ValueError):
    """The text is not a record of one of our games, or the game cannot be recorded."""

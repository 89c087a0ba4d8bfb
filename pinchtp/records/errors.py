"""The error of all records."""


class RecordError(ValueError):
    """A text that is not a record of one of our games, a game that cannot be recorded, or a file
    that cannot be read or written; the message has the reason, and the place if the format has one.
    """

"""The error of all records."""


class RecordError(ValueError):
    """An invalid record, a game that cannot be recorded, or a file that cannot be read or written.

    The message has the reason, and the place in the text if the format has places.
    """

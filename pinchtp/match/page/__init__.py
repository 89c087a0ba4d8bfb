"""A match as one HTML file, which needs no network and nothing beside it.

Tables and charts stand in the page as they are; the games stand in it as data, from which its
script (page.js) draws a list and a board to replay them on.
"""

from pinchtp.match.page.page import MatchPage

__all__ = ["MatchPage"]

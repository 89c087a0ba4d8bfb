"""Reports: what is to be known about a game, measured and shown in one page.

`experiments` measure, a unit of work after another; each unit is kept when it is done, so that a
run can end at any moment and go on later. `sections` say what the results mean. `measuring`
shares the budget among the experiments, and `show` writes the page.
"""

from pinchtp.report.command import main

__all__ = ["main"]

"""What the results mean: a section of the report is a file.

To add one: a class of `Section`, in the list of `ALL`.
"""

from pinchtp.report.sections.balance import Balance
from pinchtp.report.sections.drama import Drama
from pinchtp.report.sections.good_moves import GoodMoves
from pinchtp.report.sections.ladder import LadderSection
from pinchtp.report.sections.length import Length
from pinchtp.report.sections.mirrors import MirrorsSection
from pinchtp.report.sections.positions import PositionsSection
from pinchtp.report.sections.rates import RatesSection
from pinchtp.report.sections.samples import Samples
from pinchtp.report.sections.section import Section
from pinchtp.report.sections.solved import SolvedSection

ALL: dict[str, Section] = {
    each.name: each
    for each in (
        RatesSection(),
        Length(),
        PositionsSection(),
        Balance(),
        LadderSection(),
        MirrorsSection(),
        Drama(),
        GoodMoves(),
        SolvedSection(),
        Samples(),
    )
}

__all__ = ["ALL", "Section"]

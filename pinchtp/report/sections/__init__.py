"""What the results mean: a section of the report is a file.

To add one: a class of `Section`, in the list of `ALL`.
"""

from pinchtp.report.sections.balance import BalanceSection
from pinchtp.report.sections.drama import DramaSection
from pinchtp.report.sections.good_moves import GoodMovesSection
from pinchtp.report.sections.ladder import LadderSection
from pinchtp.report.sections.length import LengthSection
from pinchtp.report.sections.mirrors import MirrorsSection
from pinchtp.report.sections.positions import PositionsSection
from pinchtp.report.sections.rates import RatesSection
from pinchtp.report.sections.samples import SamplesSection
from pinchtp.report.sections.section import Section
from pinchtp.report.sections.solved import SolvedSection

ALL: dict[str, Section] = {
    each.name: each
    for each in (
        RatesSection(),
        LengthSection(),
        PositionsSection(),
        BalanceSection(),
        LadderSection(),
        MirrorsSection(),
        DramaSection(),
        GoodMovesSection(),
        SolvedSection(),
        SamplesSection(),
    )
}

__all__ = ["ALL", "Section"]

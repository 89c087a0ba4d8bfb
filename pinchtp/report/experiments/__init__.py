"""What is measured, in units of work that are kept one by one.

To add an experiment: a class of `Experiment` in a file of its own, in the list of `ALL`.
"""

from pinchtp.report.experiments.evaluators import Evaluators
from pinchtp.report.experiments.experiment import Experiment
from pinchtp.report.experiments.first_moves import FirstMoves
from pinchtp.report.experiments.games import OtherGames, StrongGames
from pinchtp.report.experiments.ladder import LadderExperiment, PlayoutLadder
from pinchtp.report.experiments.mirrors import MirrorsExperiment
from pinchtp.report.experiments.positions import PositionsExperiment
from pinchtp.report.experiments.random_games import RandomGames
from pinchtp.report.experiments.rates import RatesExperiment
from pinchtp.report.experiments.sample import SampleExperiment
from pinchtp.report.experiments.solved import SolvedExperiment

# In the order in which they begin.
ALL: dict[str, Experiment] = {
    each.name: each
    for each in (
        RatesExperiment(),
        RandomGames(),
        StrongGames(),
        PositionsExperiment(),
        OtherGames(),
        FirstMoves(),
        LadderExperiment(),
        PlayoutLadder(),
        Evaluators(),
        MirrorsExperiment(),
        SampleExperiment(),
        SolvedExperiment(),
    )
}

__all__ = ["ALL", "Experiment"]

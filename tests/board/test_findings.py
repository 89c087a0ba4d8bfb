"""Conversion of engine output into messages."""

from dataclasses import replace

from pinchtp.board.engines.evaluation import EvaluationCache
from pinchtp.board.engines.findings import AnalysisReader, read_graphics
from pinchtp.board.table import Table
from pinchtp.engine.analysis import Analysis


def test_evaluation_with_more_visits_is_kept() -> None:
    """Live analysis of a reviewed position starts again from a few visits."""
    table = Table()
    reader = AnalysisReader.at(table)
    known = EvaluationCache()
    few = Analysis.unknown(table.session)
    for visits in (10, 500, 20):
        known.remember(table.node, reader, replace(few, visits=visits))
    stored = known.get(table.node)
    assert stored is not None
    assert stored.analysis.visits == 500


def test_read_graphics_with_unknown_points_and_colors_leaves_them_out() -> None:
    points = {"A1": 0, "B1": 1}
    text = "COLOR #ff0000 A1 Z99\nCOLOR red B1\nLABEL B1 <b>\nLABEL Z1 no\nTEXT <i>"
    drawn, said = read_graphics(text, points)
    assert [(each.at, each.color, each.label) for each in drawn] == [
        (0, "#ff0000", ""),
        (1, "", "<b>"),
    ]
    assert said == "<i>"

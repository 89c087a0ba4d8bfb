"""The sections of the page that are the same without its script: tables and charts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pinchtp.match.game.record import Cause, GameRecord, Identity
from pinchtp.match.page import charts
from pinchtp.match.page.charts import Line
from pinchtp.match.page.markup import (
    DASH,
    MINUS,
    TIMES,
    count,
    elo,
    interval,
    outcomes,
    percent,
    points,
    seconds,
    table,
    text,
)
from pinchtp.match.page.replay import Board
from pinchtp.match.results.summary import Pairing, Report, Standing, Summary
from pinchtp.match.statistics.sprt import Sprt

MOST_TOLD = 200  # failures that are shown with what the engines said
MOST_STDERR, MOST_TRANSCRIPT = 4000, 8000  # characters of it, from the end

_PAIR_NAMES = ("0", "½", "1", "1½", "2")


def section(name: str, title: str, *parts: str) -> str:
    body = "\n".join(part for part in parts if part)
    return f'<section id="{name}"><h2>{text(title)}</h2>\n{body}\n</section>' if body else ""


# --- results


def results(summary: Summary, report: Report, sprt: Sprt | None) -> str:
    if not report.games:
        return section("results", "Results", "<p>No game is finished yet.</p>")
    if len(summary.engines) == 2:
        return section("results", "Result", _duel(report.pairings[0], sprt))
    return section(
        "results",
        "Ratings",
        '<div class="columns">',
        _standings(report.standings),
        charts.ratings(
            [(each.name, each.rating) for each in report.standings],
            "Ratings with 95 % intervals",
        ),
        "</div>",
        "<p class=note>Elo points by Bradley and Terry, with mean 0; the lines are 95 % intervals."
        "</p>",
    ) + section("crosstable", "Crosstable", _crosstable(summary, report.standings))


def _duel(pairing: Pairing, sprt: Sprt | None) -> str:
    games = pairing.games
    widths = (pairing.wins / games, pairing.draws / games, pairing.losses / games)
    bar = "".join(
        f'<span class="{kind}" style="flex-grow:{width:.4f}"></span>'
        for kind, width in zip(("won", "drawn", "lost"), widths, strict=True)
    )
    first, second = text(pairing.first), text(pairing.second)
    facts = [
        ("Wins, draws, losses", outcomes(pairing.wins, pairing.draws, pairing.losses, " ")),
        ("Score", percent(pairing.points / games, 1)),
        ("Elo difference", f"{elo(pairing.elo.elo)} ({interval(pairing.elo)})"),
        ("Likelihood of superiority", percent(pairing.superiority, 1)),
        ("Pairs of games", _pairs(pairing)),
        *([("Sequential test", _test(sprt, pairing))] if sprt else []),
    ]
    return (
        f'<div class="duel"><p><b>{first}</b><b class="score">{points(pairing.points)}</b></p>'
        f'<p><b>{second}</b><b class="score">{points(games - pairing.points)}</b></p></div>'
        f'<div class="bar" aria-hidden="true">{bar}</div>'
        + definitions(facts)
        + charts.ratings(
            [(f"{pairing.first} over {pairing.second}", pairing.elo)],
            "Elo difference with its 95 % interval",
        )
    )


def _pairs(pairing: Pairing) -> str:
    if not any(pairing.pairs):
        return "none complete"
    each = ", ".join(
        f"{number} {TIMES} {name}" for name, number in zip(_PAIR_NAMES, pairing.pairs, strict=True)
    )
    return f"{each} points"


def _test(sprt: Sprt, pairing: Pairing) -> str:
    llr, verdict = sprt.llr(pairing.pairs), sprt.verdict(pairing.pairs)
    lower, upper = sprt.bounds
    ending = f"{verdict} accepted" if verdict else "not decided"
    return (
        f"{ending} (H0: {sprt.elo0:g}, H1: {sprt.elo1:g} Elo), log-likelihood ratio {llr:.2f} "
        f"within {lower:.2f} and {upper:.2f}"
    ).replace(" -", f" {MINUS}")


def _standings(standings: Sequence[Standing]) -> str:
    rows = [
        [
            str(place),
            text(each.name),
            elo(each.rating.elo),
            interval(each.rating),
            f"{points(each.points)}/{each.games}",
            percent(each.points / each.games, 1) if each.games else "",
        ]
        for place, each in enumerate(standings, start=1)
    ]
    head = ["#", "Engine", "Elo", "-95 %", "Points", "-Score"]
    return table(head, rows, label="Standings", classes="numbers second")


def _crosstable(summary: Summary, standings: Sequence[Standing]) -> str:
    names = [each.name for each in standings]
    rows = []
    for place, name in enumerate(names, start=1):
        cells = [f"<span class=none>{DASH}</span>" if other == name else "" for other in names]
        for at, other in enumerate(names):
            if other != name:
                pairing = summary.pairing(name, other)
                cells[at] = _cross(pairing) if pairing.games else ""
        rows.append([str(place), text(name), *cells])
    head = ["#", "Engine", *(str(place) for place in range(1, len(names) + 1))]
    note = (
        "<p class=note>Points of the engine in the row, of so many games; below, games won, drawn "
        "and lost.</p>"
    )
    return table(head, rows, label="Crosstable", classes="numbers second cross") + note


def _cross(pairing: Pairing) -> str:
    share = pairing.points / pairing.games
    kind = "more" if share > 0.5 else "less" if share < 0.5 else "even"
    return (
        f'<span class="{kind}" title="{percent(share, 1)}, Elo {elo(pairing.elo.elo)} '
        f'({interval(pairing.elo)})">{points(pairing.points)}/{pairing.games}</span>'
        f"<small>{outcomes(pairing.wins, pairing.draws, pairing.losses)}</small>"
    )


def definitions(facts: Iterable[tuple[str, str]]) -> str:
    """Names with values; the values are markup already."""
    items = "".join(f"<div><dt>{text(name)}</dt><dd>{value}</dd></div>" for name, value in facts)
    return f"<dl>{items}</dl>"


# --- how the games went


def course(lines: Sequence[Line]) -> str:
    if not any(line.points for line in lines):
        return ""
    names = [line.name for line in lines]
    what = f"Score of {names[0]}" if len(names) == 1 else "Scores"
    return section(
        "course",
        "Score over time",
        charts.scores(lines, f"{what} against games played"),
        charts.legend(names),
        "<p class=note>The mean score after each game; the band is its 95 % interval.</p>"
        if any(line.band for line in lines)
        else "",
    )


def lengths(report: Report) -> str:
    if not report.games:
        return ""
    length = report.lengths
    return section(
        "lengths",
        "Lengths of games",
        charts.histogram(length, "Games by number of moves"),
        f"<p class=note>{length.mean:.1f} moves on the average, standard deviation "
        f"{length.deviation:.1f}. "
        + (
            f"{count(report.duplicates, 'game repeats', 'games repeat')} another move by move."
            if report.duplicates
            else "No two games are the same."
        )
        + "</p>",
    )


def first_moves(report: Report, board: Board | None, cells: Mapping[str, int]) -> str:
    """cells: the cell of each first move that is a placement."""
    moves = report.first_moves
    if not moves:
        return ""
    chart = ""
    if board is not None and any(name in cells for name in moves):
        on_board = {cells[name]: move for name, move in moves.items() if name in cells}
        chart = charts.first_moves(board, on_board, "Win rate by first move")
        chart += "<p class=note>Percent of the points for who made the first move.</p>"
    rows = [
        [text(name), str(move.games), percent(move.points / move.games)]
        for name, move in sorted(moves.items(), key=lambda item: (-item[1].games, item[0]))
    ]
    head = ["First move", "Games", "Won by its player"]
    listed = table(head, rows, label="First moves", classes="numbers")
    if chart:
        listed = f"<details><summary>As a table</summary>{listed}</details>"
    return section("first", "Win rate by first move", chart, listed)


def ends(report: Report, causes: Mapping[Cause, int]) -> str:
    """causes: how many games ended for each."""
    balance, games = report.balance, max(report.games, 1)
    facts = [
        (name, f"{number} ({percent(number / games)})")
        for name, number in (
            ("Won by Black", balance.black),
            ("Won by White", balance.white),
            ("Drawn", balance.draws),
            ("Won by who moved first", balance.first),
        )
    ]
    rows = [[text(cause), str(games)] for cause, games in sorted(causes.items())]
    listed = table(["End", "Games"], rows, label="Ends of games", classes="numbers")
    return section("ends", "How games ended", definitions(facts), listed if rows else "")


def times(report: Report) -> str:
    rows = [
        [
            text(each.name),
            str(each.moves),
            seconds(each.mean_seconds),
            seconds(each.most_seconds),
            str(each.lost_on_time),
        ]
        for each in report.standings
    ]
    head = ["Engine", "-Moves", "Mean a move", "Longest", "Lost on time"]
    listed = table(head, rows, label="Time used", classes="numbers")
    return section("times", "Time", listed)


# --- failures


def failures(report: Report, told: Sequence[str], void: int) -> str:
    if not told:
        return section("failures", "Failures", "<p>No engine failed.</p>")
    rows = [
        [text(each.engine or "both, or neither"), text(each.cause), str(each.games)]
        for each in report.failures
    ]
    counts = table(["Engine", "Cause", "Games"], rows, label="Failures") if rows else ""
    notes = [f"{count(void, 'game was', 'games were')} void and did not count."] if void else []
    if (games := sum(each.games for each in report.failures)) > len(told):
        notes.append(f"Of {games} failures the first {len(told)} are told in full.")
    return section(
        "failures",
        "Failures",
        counts,
        f"<p class=note>{' '.join(notes)}</p>" if notes else "",
        *told,
    )


def failure(record: GameRecord) -> str:
    """One failed game, with what the engine said before."""
    task, name = record.task, record.task.attempt_label
    culprit = {"black": task.black, "white": task.white}.get(record.failed or "", "")
    what = f"{text(culprit)}: " if culprit else ""
    parts = [f"<p>{text(record.detail)}</p>"] if record.detail else []
    parts += _said("Standard error", record.stderr, MOST_STDERR)
    parts += _said("Transcript", record.transcript, MOST_TRANSCRIPT)
    return (
        f'<details class="failure"><summary>Game {name}: {what}{text(record.cause)}</summary>'
        f"<p>{text(task.black)} (black) against {text(task.white)} (white): "
        f'<a href="#game={name}">the game</a></p>{"".join(parts)}</details>'
    )


def _said(title: str, said: str, most: int) -> list[str]:
    if not said.strip():
        return []
    cut = f" (its last {most} characters)" if len(said) > most else ""
    return [
        f"<h3>{title}{cut}</h3>"
        f'<pre tabindex="0" role="region" aria-label="{title}">{text(said[-most:])}</pre>'
    ]


# --- the engines


def engines(identities: Mapping[str, Mapping[Identity, int]]) -> str:
    """identities: for each engine what it said it was, and in how many games."""
    rows = [
        [
            text(name),
            text(f"{each.name} {each.version}".strip()),
            f"<code>{text(each.command)}</code>",
            f"<code>{text(each.binary[:12])}</code>",
            str(games),
        ]
        for name, found in identities.items()
        for each, games in found.items()
    ]
    head = ["Engine", "Says it is", "Command", "-Program's hash", "Games"]
    return section("engines", "Engines", table(head, rows, label="Engines")) if rows else ""

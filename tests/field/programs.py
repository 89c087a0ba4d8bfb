"""Other people's programs that the tests of this folder run, installed at fixed versions.

    python tests/field/programs.py FOLDER

installs what the registries of Python and npm have. The tests take FOLDER from PINCHTP_FIELD.
Debian has GNU Go, Leela Zero and Firefox (`apt install gnugo leela-zero firefox-esr`).
"""

import random
import subprocess
import sys
import tarfile
from pathlib import Path

PYTHON = {
    "sgfmill": ["sgfmill==1.1.1"],
    "sgf": ["sgf==0.5"],
    "pysgf 0.9": ["pysgf==0.9.0"],
    "pysgf": ["pysgf==1.0.0", "chardet==5.2.0"],
    "sgflib": ["sgflib==0.1.0"],
    "sgfutil": ["sgfutil==0.1.1", "ply==3.11"],
    "katagoanal": ["katagoanal==0.4.0", "sgfmill==1.1.1"],
    "renju": ["renju==0.1.0"],
    "tree_sitter_sgf": ["tree-sitter-sgf==0.1.0", "tree-sitter==0.26.1"],
}
GTP_PYTHON = {
    "betago": ["betago==0.2"],
    "fastgtp": ["fastgtp==0.0.1"],
    "gtp": ["gtp==0.2"],
    "open_spiel": ["open_spiel==2.0.2"],
    "pygtp": ["pygtp==0.4"],
    "vim-goban": ["vim-goban==0.3.3"],
}
RATINGS = {
    "choix": ["choix==0.4.1"],
    "elote": ["elote==1.5.1"],
    "openskill": ["openskill==6.2.0"],
    "trueskill": ["trueskill==0.4.5"],
    "whole-history-rating": ["whole-history-rating==3.7.1"],
    "whr": ["whr==2.2.0"],
}
TESTS = {"mache": ["mache==0.7.1"]}  # sequential ones, of matches
WRAPPERS = {"supersuit": ["supersuit==3.11.0", "tinyscaler==1.2.8"]}  # PettingZoo is ours
LEARNERS = {  # by the example in tools/examples; some 2 GB each where torch comes with CUDA
    "agilerl_ppo": ["agilerl==2.58.0", "peft==0.21.2", "torch==2.13.0", "pettingzoo==1.26.1"],
    "maskable_ppo": ["sb3_contrib==2.9.2", "torch==2.13.0", "pettingzoo==1.27.0"],
    "rllib_ppo": ["ray[rllib]==2.60.0", "torch==2.13.0", "pettingzoo==1.27.0"],
    "tianshou_dqn": ["tianshou==2.0.1", "torch==2.13.0", "pettingzoo==1.27.0"],
}
NOTEBOOKS = {"nbconvert": ["nbconvert==7.17.2", "ipykernel==7.4.0"]}
NEEDS_OTHERS = {"fastgtp", "open_spiel", *RATINGS, *LEARNERS, *NOTEBOOKS}
GOMILL = "gomill==0.8.3"  # for Python 2.7; only its source is there
NPM = {
    "sabaki": ["@sabaki/sgf@3.4.7", "@sabaki/go-board@1.4.3"],
    "wgo": ["wgo@3.0.0-alpha.10"],
    "smartgame": ["smartgame@0.1.5"],
    "jssgf": ["jssgf@0.3.8"],
    "sgfgrove": ["sgfgrove@1.0.8"],
    "sgfjs": ["sgfjs@0.9.0"],
    "sgf-parser": ["sgf-parser@0.2.3"],
    "godash": ["godash@2.1.0"],
    "goban": ["goban@8.3.64"],
}
GTP_NPM = "@sabaki/gtp@3.0.0"
FIREFOX_NPM = "puppeteer-core@25.16.0"  # drives Firefox; it brings no browser
LEELA_ZERO = "leelaz.txt"


def version_of(name: str) -> str:
    """Returns the name and version of a GTP program, as the tables show it."""
    packages = [GOMILL, *(each[0] for each in GTP_PYTHON.values())]
    package = next((each for each in packages if each.startswith(f"{name}==")), GTP_NPM)
    return " ".join(package.replace("==", "@").rsplit("@", 1))


def install(folder: Path) -> None:
    """Installs the programs; those of Python into one folder each."""
    programs = PYTHON | GTP_PYTHON | RATINGS | TESTS | WRAPPERS | LEARNERS | NOTEBOOKS
    for name, packages in programs.items():
        options = ["-q", "--upgrade", *(() if name in NEEDS_OTHERS else ("--no-deps",))]
        target = folder / "python" / name
        _pip("install", *options, "--target", str(target), *packages)
    _install_gomill(folder)
    npm = [*(package for each in NPM.values() for package in each), GTP_NPM, FIREFOX_NPM]
    command = ["npm", "install", "--no-audit", "--no-fund", "--silent", "--prefix", str(folder)]
    subprocess.run([*command, *npm], check=True)
    _write_leela_zero_network(folder / LEELA_ZERO)


def _pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", *arguments], check=True)


def _install_gomill(folder: Path) -> None:
    target = folder / "python" / "gomill"
    if (target / "gomill").exists():
        return
    _pip("download", "-q", "--no-deps", "--no-binary", ":all:", "--dest", str(target), GOMILL)
    source = GOMILL.replace("==", "-")
    with tarfile.open(target / f"{source}.tar.gz") as archive:
        archive.extractall(target, filter="data")
    (target / source / "gomill").rename(target / "gomill")
    (target / source / "examples" / "gtp_stateful_player").rename(target / "gtp_stateful_player")


def _write_leela_zero_network(path: Path) -> None:
    """Writes a network of one block and eight filters with random weights."""
    filters, points, hidden = 8, 361, 256
    draw = random.Random(1)
    lines = ["1"]  # the version of the format

    def write(count: int, value: float | None = None) -> None:
        row = (draw.gauss(0, 0.05) if value is None else value for _ in range(count))
        lines.append(" ".join(f"{each:.3f}" for each in row))

    def write_convolution(inputs: int, outputs: int, side: int) -> None:
        write(inputs * outputs * side * side)
        for value in (0.0, 0.0, 1.0):  # biases, means and variances
            write(outputs, value)

    write_convolution(18, filters, 3)
    write_convolution(filters, filters, 3)
    write_convolution(filters, filters, 3)
    write_convolution(filters, 2, 1)
    write((points + 1) * 2 * points)
    write(points + 1)
    write_convolution(filters, 1, 1)
    write(hidden * points)
    write(hidden)
    write(hidden)
    write(1)
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    install(Path(sys.argv[1]))

"""Other people's programs that the tests of this folder run, installed at fixed versions.

    python tests/field/programs.py FOLDER

installs what the registries of Python and npm have. The tests take FOLDER from PINCHTP_FIELD.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PYTHON = {
    "sgfmill": ["sgfmill==1.1.1"],
    "sgf": ["sgf==0.5"],
    "pysgf 0.9": ["pysgf==0.9.0"],
    "pysgf": ["pysgf==1.0.0", "chardet==5.2.0"],
    "sgflib": ["sgflib==0.1.0"],
    "sgfutil": ["sgfutil==0.1.1", "ply==3.11"],
}
NPM = {
    "sabaki": ["@sabaki/sgf@3.4.7", "@sabaki/go-board@1.4.3"],
    "wgo": ["wgo@3.0.0-alpha.10"],
    "smartgame": ["smartgame@0.1.5"],
    "jssgf": ["jssgf@0.3.8"],
    "sgfgrove": ["sgfgrove@1.0.8"],
    "sgfjs": ["sgfjs@0.9.0"],
    "sgf-parser": ["sgf-parser@0.2.3"],
    "godash": ["godash@2.1.0"],
}


def install(folder: Path) -> None:
    """Installs the programs; those of Python into one folder each."""
    for name, packages in PYTHON.items():
        command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--upgrade"]
        target = folder / "python" / name
        subprocess.run([*command, "--target", str(target), *packages], check=True)
    packages = [package for each in NPM.values() for package in each]
    command = ["npm", "install", "--no-audit", "--no-fund", "--silent", "--prefix", str(folder)]
    subprocess.run([*command, *packages], check=True)


if __name__ == "__main__":
    install(Path(sys.argv[1]))

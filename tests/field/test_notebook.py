"""A notebook with our objects, run and exported by nbconvert."""

import base64
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from clients import PATIENCE

import pinchtp

pytestmark = pytest.mark.nightly

CELLS = [
    "import pinchtp\ngame = pinchtp.Game('pinch', size=5, moves='c3 swap b2')\ngame",
    "with pinchtp.Engine(seed=1) as engine:\n    found = engine.analyse(game, visits=50)\nfound",
]


def test_exported_notebook_shows_boards_and_tables(folder: Path, tmp_path: Path) -> None:
    library = folder / "python" / "nbconvert"
    if not library.exists():
        pytest.skip(f"{library} is not installed")
    cells = [
        {"cell_type": "code", "source": each, "metadata": {}, "outputs": [], "id": f"cell{number}"}
        | {"execution_count": None}
        for number, each in enumerate(CELLS)
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "game.ipynb").write_text(json.dumps(notebook))
    subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "html", "--execute", "game.ipynb"],
        env={
            **os.environ,
            "PYTHONPATH": str(library),
            "JUPYTER_PATH": str(library / "share" / "jupyter"),  # templates
        },
        cwd=tmp_path,
        timeout=10 * PATIENCE,
        check=True,
    )
    page = (tmp_path / "game.html").read_text("utf-8")
    board = base64.b64decode(re.findall('src="data:image/svg.xml;base64,([^"]*)', page)[0]).decode()
    assert board.strip() == pinchtp.Game("pinch", size=5, moves="c3 swap b2")._repr_svg_().strip()
    assert "<td>" in page

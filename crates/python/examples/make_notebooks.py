"""Writes each example as a notebook beside it: `python examples/make_notebooks.py`."""

from __future__ import annotations

import ast
import json
import pathlib
from typing import Any

FOLDER = pathlib.Path(__file__).parent


def notebook(source: str) -> str:
    """An example as the text of a notebook: what it is about, its code, and cells that run it and draw the result."""
    tree = ast.parse(source)
    about = (ast.get_docstring(tree) or "").split("\n\n")
    about = [part for part in about if "python examples/" not in part]
    end = tree.body[0].end_lineno
    code = "".join(source.splitlines(keepends=True)[end:]).split('if __name__ == "__main__":')[0].strip()
    run = "# Other sizes as in a shell: main([\"--games\", \"500\"])\nfound = main([])"
    text = "\n\n".join(about)
    cells: list[dict[str, Any]] = [{"cell_type": "markdown", "id": "about", "metadata": {}, "source": text}]
    cells += [
        {"cell_type": "code", "id": name, "metadata": {}, "execution_count": None, "outputs": [], "source": text}
        for name, text in {"code": code, "run": run, "show": "show(found);"}.items()
    ]
    for cell in cells:
        cell["source"] = str(cell["source"]).splitlines(keepends=True)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def examples() -> list[pathlib.Path]:
    """Every example but this file."""
    return sorted(path for path in FOLDER.glob("*.py") if path.name != pathlib.Path(__file__).name)


if __name__ == "__main__":
    for path in examples():
        path.with_suffix(".ipynb").write_text(notebook(path.read_text()))

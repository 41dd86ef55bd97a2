"""The examples run, at a small size."""

import importlib.util
import json
import pathlib
import sys
from typing import Any

import pytest

FOLDER = pathlib.Path(__file__).parent.parent / "examples"


def load(name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


#: Sizes for a test.
SMALL = {
    "quarto_self_play": ["--games", "60", "--points", "2", "--judged-games", "2"],
    "small_quixo_values": ["--games", "3000", "--points", "3"],
    "text_agent": ["--game", "quarto(attributes=colour)", "--games", "2", "--level-games", "1"],
}


def run(name: str, monkeypatch: pytest.MonkeyPatch, *more: str) -> Any:
    return load(name, monkeypatch).main([*SMALL[name], *more])


def test_notebooks_are_what_the_scripts_are(monkeypatch: pytest.MonkeyPatch) -> None:
    maker = load("make_notebooks", monkeypatch)
    assert [path.stem for path in maker.examples()] == sorted(SMALL)
    for path in maker.examples():
        assert path.with_suffix(".ipynb").read_text() == maker.notebook(path.read_text())


@pytest.mark.parametrize("name", SMALL)
def test_notebooks_run(name: str) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    cells = json.loads((FOLDER / f"{name}.ipynb").read_text())["cells"]
    names: dict[str, Any] = {"__name__": "notebook"}
    for cell in cells:
        if cell["cell_type"] == "code":
            source = "".join(cell["source"]).replace("found = main([])", f"found = main({SMALL[name]})")
            exec(compile(source, f"{name}.ipynb, {cell['id']}", "exec"), names)
    assert names["found"]
    matplotlib.pyplot.close("all")


def test_self_play_draws_its_curve(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    curve = run("quarto_self_play", monkeypatch, "--plot", str(tmp_path / "curve.png"))
    assert [games for games, _, _ in curve] == [0, 60] and all(0 <= rate <= 1 for _, rate, _ in curve)
    assert (tmp_path / "curve.png").stat().st_size > 1_000
    matplotlib.pyplot.close("all")


def test_small_quixo_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    curve = run("small_quixo_values", monkeypatch)
    assert curve[-1][1] < curve[0][1]


def test_the_text_agent_meets_every_level(monkeypatch: pytest.MonkeyPatch) -> None:
    found = run("text_agent", monkeypatch)
    assert [level.level for level in found.levels] == list(range(1, 9))

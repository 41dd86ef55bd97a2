"""The examples run, at a small size."""

import importlib.util
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


def run(name: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    module = load(name, monkeypatch)
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    return module.main()


def test_notebooks_are_what_the_scripts_are(monkeypatch: pytest.MonkeyPatch) -> None:
    maker = load("make_notebooks", monkeypatch)
    assert len(maker.examples()) == 3
    for path in maker.examples():
        assert path.with_suffix(".ipynb").read_text() == maker.notebook(path.read_text())


def test_self_play(monkeypatch: pytest.MonkeyPatch) -> None:
    curve = run("quarto_self_play", ["--games", "60", "--points", "2", "--judged-games", "2"], monkeypatch)
    assert len(curve) == 2 and all(0 <= rate <= 1 for rate in curve)


def test_small_quixo(monkeypatch: pytest.MonkeyPatch) -> None:
    few = run("small_quixo_values", ["--games", "100"], monkeypatch)
    many = run("small_quixo_values", ["--games", "3000"], monkeypatch)
    assert many < few


def test_text_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    found = run(
        "text_agent", ["--game", "quarto(attributes=colour)", "--games", "2", "--level-games", "1"], monkeypatch
    )
    assert [level.level for level in found.levels] == list(range(1, 9))

"""What is wrong with a call is said in an exception of the expected kind; nothing panics."""

import os
import pathlib
import random
import time
from collections.abc import Callable
from typing import Any

import fourfold
import numpy as np
import pytest


def cases() -> list[tuple[type[Exception], str, Callable[[], Any]]]:
    start = fourfold.Game("quixo").start()
    env = fourfold.VectorEnv("quixo", 3)
    closed = fourfold.VectorEnv("quixo", 3)
    closed.close()
    shared = np.zeros(3, np.uint8)
    return [
        (ValueError, "there is no game", lambda: fourfold.Game("chess")),
        (ValueError, "players cannot be", lambda: fourfold.Game("quixo(players=3)")),
        (TypeError, "", lambda: fourfold.Game(3)),  # type: ignore[arg-type]
        (ValueError, "", lambda: start.game.position("nonsense")),
        (fourfold.IllegalAction, "not allowed", lambda: start.play("a3e3", "e3a3")),
        (ValueError, "cannot read", lambda: start.play("castle")),
        (ValueError, "there is no seat 3", lambda: start.view(3)),
        (IndexError, "there is no symmetry", lambda: start.transform(8)),
        (IndexError, "there is no action", lambda: start.decode(44)),
        (OverflowError, "", lambda: start.decode(-1)),
        (fourfold.IllegalAction, "no number", lambda: start.encode("pass")),
        (ValueError, "", lambda: fourfold.Record.read('[Game "quixo"]\n\n1. b2 2. c4')),
        (ValueError, "level", lambda: fourfold.Bot("quixo", 9)),
        (ValueError, "plays quarto", lambda: fourfold.Bot("quarto").choose(start)),
        (ValueError, "seconds", lambda: fourfold.search(start, seconds=float("nan"))),
        (ValueError, "seconds", lambda: fourfold.solve(start, seconds=-1.0)),
        (OSError, "", lambda: fourfold.Tables("no/such/folder")),
        (ValueError, "cubes must be from", lambda: fourfold.Tables.solve("never/made", cubes=3)),
        (ValueError, "threads", lambda: fourfold.Tables.solve("never/made", threads=0)),
        (ValueError, "size", lambda: fourfold.SmallQuixo(5)),
        (ValueError, "share", lambda: fourfold.small_quixo(3).value(1, 1)),
        (fourfold.IllegalAction, "push", lambda: fourfold.small_quixo(3).after(0, 0, 99)),
        (ValueError, "theme", lambda: fourfold.puzzles("quixo", theme="hard")),
        (ValueError, "shape", lambda: env.step([0, 1])),
        (ValueError, "shape", lambda: env.step([[0, 1, 2]])),
        (TypeError, "whole numbers", lambda: env.step([0.5, 1.0, 2.0])),
        (TypeError, "integer", lambda: env.reset([0.5, 1.0, 2.0])),
        (TypeError, "integer", lambda: fourfold.VectorEnv("quixo", 1, seed=1.5)),  # type: ignore[arg-type]
        (ValueError, "shape", lambda: env.reset([1, 2])),
        (ValueError, "32 bits", lambda: env.step([2**40, 0, 0])),
        (fourfold.IllegalAction, "environment 1, action 44", lambda: env.step([0, 44, 0])),
        (fourfold.IllegalAction, "environment 2, action -1", lambda: env.step([0, 0, -1])),
        (IndexError, "there is no environment 3", lambda: env.position(3)),
        (ValueError, "another game", lambda: env.set_position(0, fourfold.Game("quarto").start())),
        (RuntimeError, "closed", lambda: closed.step([0, 0, 0])),
        (RuntimeError, "closed", lambda: closed.reset()),
        (RuntimeError, "exact", lambda: env.values),
        (ValueError, "num_envs", lambda: fourfold.VectorEnv("quixo", 0)),
        (ValueError, "threads", lambda: fourfold.VectorEnv("quixo", 1, 0)),
        (ValueError, "possible are inside", lambda: fourfold.VectorEnv("quixo", 1, chance="none")),  # type: ignore[arg-type]
        (ValueError, "there is no array", lambda: fourfold.VectorEnv("quixo", 1, buffers={"masks": shared})),
        (TypeError, "array of u8", lambda: fourfold.VectorEnv("quixo", 3, buffers={"seats": np.zeros(3, np.int64)})),
        (ValueError, "shape", lambda: fourfold.VectorEnv("quixo", 3, buffers={"seats": np.zeros(4, np.uint8)})),
        (
            ValueError,
            "contiguous",
            lambda: fourfold.VectorEnv("quixo", 3, buffers={"seats": np.zeros(6, np.uint8)[::2]}),
        ),
        (
            ValueError,
            "share memory",
            lambda: fourfold.VectorEnv("quixo", 3, buffers={"seats": shared, "terminations": shared}),
        ),
        (
            ValueError,
            "written",
            lambda: fourfold.VectorEnv("quixo", 3, buffers={"seats": np.frombuffer(b"abc", np.uint8)}),
        ),
    ]


@pytest.mark.parametrize("number", range(len(cases())))
def test_bad_calls_raise_what_is_expected(number: int) -> None:
    kind, sentence, call = cases()[number]
    with pytest.raises(kind, match=sentence or ".") as caught:
        call()
    assert str(caught.value)


def test_a_refused_step_changes_nothing() -> None:
    env = fourfold.VectorEnv("quixo", 3, threads=2)
    before = [env.position(index) for index in range(3)]
    with pytest.raises(fourfold.IllegalAction):
        env.step([0, 0, 44])
    assert [env.position(index) for index in range(3)] == before
    env.step([0, 0, 0])


def test_damaged_tables_are_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(OSError):
        fourfold.Tables(tmp_path)
    for name in ("quixo5-12-13.values", "readme.txt"):
        (tmp_path / name).write_bytes(b"\0" * 100)
    with pytest.raises((OSError, ValueError)):
        fourfold.Tables(tmp_path)


def scrambled(text: str, chooser: random.Random) -> str:
    letters = list(text)
    for _ in range(chooser.randrange(1, 5)):
        place = chooser.randrange(len(letters) + 1)
        letters[place : place + chooser.randrange(2)] = chooser.choice("abe135xo.-/:=(),+@! я\0\u202e😀")
    return "".join(letters)


def strange(chooser: random.Random) -> Any:
    numbers = [0, 1, -1, 3, 2**31, 2**63, 2**70, -(2**63), 1.5, float("nan"), float("inf")]
    others = [None, True, "", "quixo", b"x", [], {}, object(), np.zeros(3), np.zeros((2, 2), np.int32), np.int8(3)]
    return chooser.choice(numbers + others)


def one_try(chooser: random.Random) -> None:
    game = fourfold.Game(chooser.choice([v for n in fourfold.Game.encoded_names() for v in fourfold.Game(n).variants]))
    position = game.start()
    for _ in range(chooser.randrange(20)):
        if position.is_over:
            break
        position = position.play(chooser.choice(position.legal()))
    env = fourfold.VectorEnv(game, 2, chooser.randrange(1, 3), autoreset=chooser.choice(["same_step", "next_step"]))
    match = fourfold.Match(game, start=position.text)
    record = str(match.record())
    calls: list[Callable[[], Any]] = [
        lambda: fourfold.Game(scrambled(str(game), chooser)),
        lambda: game.position(scrambled(position.text, chooser)).legal(),
        lambda: repr(game.position(scrambled(position.text, chooser))),
        lambda: position.play(scrambled(chooser.choice(position.legal() or ["x"]), chooser)),
        lambda: position.encode(scrambled(chooser.choice(position.legal() or ["x"]), chooser)),
        lambda: position.transform_action(chooser.randrange(9), scrambled("a3e3", chooser)),
        lambda: position.decode(strange(chooser)),
        lambda: position.decode(chooser.randrange(50_000)),
        lambda: position.view(strange(chooser)),
        lambda: position.seen_action(strange(chooser), strange(chooser)),
        lambda: position.transform(strange(chooser)),
        lambda: fourfold.Record.read(scrambled(record, chooser)),
        lambda: match.play(scrambled("a3e3", chooser)),
        lambda: match.resign(strange(chooser)),
        lambda: match.draw(strange(chooser)),
        lambda: fourfold.Bot(game, strange(chooser), seed=strange(chooser)),
        lambda: fourfold.Bot(game, 3).choose(position, nodes=chooser.choice([0, 1, 50])),
        lambda: fourfold.Bot(game, 3).choose(strange(chooser), seconds=strange(chooser)),
        lambda: env.step([chooser.randrange(-2, 3_000) for _ in range(2)]),
        lambda: env.step(strange(chooser)),
        lambda: env.step_random(),
        lambda: env.reset(strange(chooser)),
        lambda: env.position(strange(chooser)),
        lambda: env.set_position(strange(chooser), position),
        lambda: env.set_position(0, position) or env.step_random(),
        lambda: fourfold.VectorEnv(strange(chooser), strange(chooser), strange(chooser)),
        lambda: fourfold.VectorEnv(game, 2, buffers={"seats": strange(chooser)}),
        lambda: fourfold.VectorEnv(game, 2, max_steps=strange(chooser)),
        lambda: fourfold.small_quixo(3).value(strange(chooser), chooser.randrange(1024)),
    ]
    for call in chooser.choices(calls, k=20):
        try:
            call()
        except (ValueError, TypeError, IndexError, OverflowError, RuntimeError, AttributeError):
            pass


def test_nothing_that_is_handed_in_panics() -> None:
    """A few seconds here; `FOURFOLD_FUZZ_SECONDS=60 pytest test_bad_input.py` takes a minute."""
    seconds = float(os.environ.get("FOURFOLD_FUZZ_SECONDS", "3"))
    seed = int(os.environ.get("FOURFOLD_FUZZ_SEED", "1"))
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        # A panic would be a BaseException and end the test with the seed in sight.
        one_try(random.Random(seed))
        seed += 1

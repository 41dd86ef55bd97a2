"""Random games through the wheel replay equal in `fourfold ugi`.

A few games here where `FOURFOLD` names the program; all of them, 10,000 for each option:
`FOURFOLD=target/release/fourfold FOURFOLD_GAMES=10000 pytest crates/python/tests/test_equal_rules.py`.
"""

import os
import random
import shutil
import subprocess
import zlib

import fourfold
import pytest

PROGRAM = os.environ.get("FOURFOLD") or shutil.which("fourfold")
COUNT = int(os.environ.get("FOURFOLD_GAMES", "20"))
GAMES = [variant for name in fourfold.Game.encoded_names() for variant in fourfold.Game(name).variants]
#: Longer games are compared up to here.
LONGEST = 3_000


def random_games(game: str, count: int) -> list[tuple[list[str], fourfold.Position]]:
    """The actions of games played in a vector environment, with the position that each led to."""
    env = fourfold.VectorEnv(game, min(count, 256), seed=zlib.crc32(game.encode()), chance="exposed", max_steps=LONGEST)
    running: list[list[str]] = [[] for _ in range(env.num_envs)]
    finished: list[tuple[list[str], fourfold.Position]] = []
    while len(finished) < count:
        before = [env.position(index) for index in range(env.num_envs)]
        for index, number in enumerate(env.step_random()):
            running[index].append(before[index].decode(int(number)))
            if env.terminations[index] or env.truncations[index]:
                finished.append((running[index], before[index].play(running[index][-1])))
                running[index] = []
    return finished[:count]


@pytest.mark.skipif(PROGRAM is None, reason="the program fourfold is not built: set FOURFOLD to it")
@pytest.mark.parametrize("game", GAMES)
def test_games_replay_equal_in_the_engine_protocol(game: str) -> None:
    assert PROGRAM is not None
    games = random_games(game, COUNT)
    chooser = random.Random(1)
    lines = [f"setoption name Game value {game}"]
    expected = []
    for actions, last in games:
        # The end, and a place in the middle with everything that is legal there.
        middle = chooser.randrange(len(actions))
        position = fourfold.Game(game).start().play(*actions[:middle])
        lines += [f"position start moves {' '.join(actions[:middle])}".removesuffix(" moves "), "query legal"]
        expected.append("response " + " ".join(position.legal()))
        lines += [f"position start moves {' '.join(actions)}", "query position", "query gameover"]
        expected += [f"response {last.text}", f"response {str(last.is_over).lower()}"]
    told = subprocess.run(
        [PROGRAM, "ugi"], input="\n".join([*lines, "quit", ""]), capture_output=True, text=True, check=True
    )
    assert told.stdout.splitlines() == expected

"""Steps a second of Fourfold beside pgx, EnvPool and OpenSpiel, in the same run on the same core.

    pip install target/wheels/fourfold-*.whl pgx envpool open_spiel
    python benchmarks/python/compare.py [--threads 2] [--seconds 2]

Every library plays uniformly random legal actions, and games begin anew by themselves. Libraries that are not installed
are left out, and said so. All are measured in turn, several times, so that other work on the machine meets all of them;
beside the time that passed stands the processor time of this process, which other work disturbs least. The ratios are
what to look at.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy as np

#: Games of like size: a small board with a few dozen moves, as Connect Four is.
OURS = {"quarto": 1024, "quixo": 1024, "sequence": 1024, "four(size=9)": 256}

#: So many that a step takes one thread a few hundred microseconds: starting a step in other threads takes about one.
FOR_THREADS = {"quarto": 16384, "quixo": 8192, "sequence": 4096, "four(size=9)": 2048}

#: Plays a batch of steps and tells how many they were.
Batch = Callable[[], int]


def fourfold(game: str, count: int, threads: int) -> Batch:
    """Every array is filled in every step."""
    import fourfold

    env = fourfold.VectorEnv(game, count, threads)

    def batch() -> int:
        for _ in range(50):
            env.step_random()
        return 50 * count

    return batch


def chosen(game: str, count: int) -> Batch:
    """The same in two calls: actions are handed in, checked and played, as those of an agent are."""
    import fourfold

    env = fourfold.VectorEnv(game, count)

    def batch() -> int:
        for _ in range(50):
            env.step(env.sample())
        return 50 * count

    return batch


def pgx() -> tuple[str, Batch]:
    """Connect Four, compiled by JAX for the processor, in a batch of 4096 with auto-reset."""
    import jax
    import jax.numpy as jnp
    from pgx import make
    from pgx.experimental.wrappers import auto_reset

    env, count, steps = make("connect_four"), 4096, 20
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(carry: Any, _: None) -> tuple[Any, None]:
        state, key = carry
        key, chosen, again = jax.random.split(key, 3)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        actions = jax.random.categorical(chosen, logits, axis=1)
        return (step(state, actions, jax.random.split(again, count)), key), None

    play = jax.jit(lambda carry: jax.lax.scan(one, carry, None, length=steps)[0])
    held = [(jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), count)), jax.random.PRNGKey(1))]

    def batch() -> int:
        held[0] = play(held[0])
        jax.block_until_ready(held[0])
        return count * steps

    return "pgx connect_four", batch


def envpool() -> tuple[str, Batch]:
    """Connect Four where EnvPool has it, with 256 environments and one thread."""
    import envpool

    names = [name for name in envpool.list_all_envs() if "connectfour" in name.lower().replace("_", "")]
    if not names:
        raise ImportError("this EnvPool has no Connect Four")
    count = 256
    env = envpool.make(names[0], env_type="gymnasium", num_envs=count, num_threads=1)
    held = [env.reset()[1]]
    random = np.random.default_rng(0)

    def batch() -> int:
        for _ in range(20):
            legal = held[0]["legal_action_mask"]
            actions = (legal * random.random(legal.shape)).argmax(axis=1).astype(np.int32)
            held[0] = env.step(actions)[4]
        return 20 * count

    return f"EnvPool {names[0]}", batch


def open_spiel() -> tuple[str, Batch]:
    """Connect Four in C++, driven from Python."""
    import pyspiel

    game = pyspiel.load_game("connect_four")
    chooser = np.random.default_rng(0)
    held = [game.new_initial_state()]

    def batch() -> int:
        numbers = chooser.random(5000)
        state = held[0]
        for number in numbers:
            legal = state.legal_actions()
            state.apply_action(legal[int(number * len(legal))])
            if state.is_terminal():
                state = game.new_initial_state()
        held[0] = state
        return len(numbers)

    return "OpenSpiel connect_four", batch


def others() -> Iterator[tuple[str, Batch]]:
    """What is installed of the others."""
    for make in (pgx, envpool, open_spiel):
        try:
            yield make()
        except Exception as error:  # noqa: BLE001  # Whatever keeps a library from running is worth one line.
            print(f"{make.__name__} is left out: {type(error).__name__}: {error}")


@dataclass
class Measured:
    """What one library, or one game, was measured at."""

    name: str
    batch: Batch
    #: Steps a second of the time that passed, in each round.
    passed: list[float] = field(default_factory=list)
    #: Steps a second of processor time.
    used: list[float] = field(default_factory=list)

    def measure(self, seconds: float) -> None:
        """Plays batches for a while."""
        began, used, steps = time.perf_counter(), time.process_time(), 0
        while (passed := time.perf_counter() - began) < seconds:
            steps += self.batch()
        self.passed.append(steps / passed)
        self.used.append(steps / (time.process_time() - used))


def fastest(game: str, threads: int) -> float:
    """Steps a second in the fastest of many calls, the only ones that other programs leave undisturbed."""
    import fourfold

    count = FOR_THREADS[game]
    env = fourfold.VectorEnv(game, count, threads)
    for _ in range(500):
        # All games begin at once, and steps near the start are cheaper than others.
        env.step_random()
    best = float("inf")
    for _ in range(5000):
        began = time.perf_counter()
        env.step_random()
        best = min(best, time.perf_counter() - began)
    return count / best


def print_threads(game: str, threads: int) -> None:
    """What threads gain, in time and in processor time: with and without them in turn, for a tenth of a second each."""
    one, many = (Measured(game, fourfold(game, FOR_THREADS[game], count)) for count in (1, threads))
    for _ in range(ROUNDS_OF_THREADS):
        for measured in (one, many):
            measured.measure(0.1)
    ratios = [fast / slow for slow, fast in zip(one.passed, many.passed, strict=True)]
    alone, together = (fastest(game, count) for count in (1, threads))
    print(
        f"{'fourfold ' + game:32} {threads} threads: {median(ratios):.2f} times one in the median of {len(ratios)} "
        f"pairs of rounds ({median(one.passed) / 1e6:.1f} to {median(many.passed) / 1e6:.1f} M steps/s), "
        f"{max(many.passed) / max(one.passed):.2f} times in the best round, "
        f"{together / alone:.2f} times in the fastest call ({alone / 1e6:.1f} to {together / 1e6:.1f} M steps/s); "
        f"a step takes {median(one.used) / median(many.used):.2f} times the processor time"
    )


#: Every measurement is made so often.
ROUNDS = 7
ROUNDS_OF_THREADS = 21


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measurement (default: 2)")
    parser.add_argument("--threads", type=int, default=1, help="also what so many threads gain")
    arguments = parser.parse_args()
    rivals = [Measured(name, batch) for name, batch in others()]
    ours = [Measured(f"fourfold {game}", fourfold(game, count, 1)) for game, count in OURS.items()]
    ours += [Measured(f"fourfold {game}, step(sample())", chosen(game, count)) for game, count in OURS.items()]
    for measured in rivals + ours:
        # What is compiled at the first call is not measured.
        measured.batch()
    for _ in range(ROUNDS):
        for measured in rivals + ours:
            measured.measure(arguments.seconds / ROUNDS)
    best = [
        max((statistic(getattr(rival, kind)) for rival in rivals), default=float("nan"))
        for kind, statistic in (("passed", max), ("used", median))
    ]
    print(f"{'M steps a second':44} {'best round':>10} {'ratio':>6} {'processor time':>15} {'ratio':>6}")
    for measured in rivals + ours:
        passed, used = max(measured.passed), median(measured.used)
        print(
            f"{measured.name:44} {passed / 1e6:10.2f} {passed / best[0]:6.1f} {used / 1e6:15.2f} {used / best[1]:6.1f}"
        )
    if arguments.threads > 1:
        for game in OURS:
            print_threads(game, arguments.threads)


if __name__ == "__main__":
    # One core for all: JAX would take every one.
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()

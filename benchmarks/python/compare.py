"""Steps a second of Fourfold beside pgx, EnvPool and OpenSpiel, in the same run on the same core.

    pip install target/wheels/fourfold-*.whl pgx envpool open_spiel
    python benchmarks/python/compare.py [--threads 2] [--seconds 1] [--processor-time]

Everyone plays uniformly random legal actions, and games begin anew by themselves. Libraries that are not installed are
left out, and said so. Numbers depend on the machine; the ratios are what to look at. On a machine with other work
`--processor-time` counts the time that this process ran instead of the time that passed.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

#: Games of like size: a small board with a few dozen moves, as Connect Four is.
OURS = {"quarto": 1024, "quixo": 1024, "sequence": 1024, "four(size=9)": 256}

#: Enough for threads to be worth waking, and few enough for a call to be short.
FOR_THREADS = {"quarto": 8192, "quixo": 4096, "sequence": 1024, "four(size=9)": 1024}

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


def speed(batch: Batch, seconds: float, clock: Callable[[], float]) -> float:
    """The best of several measurements, in steps a second."""
    batch()
    best = 0.0
    for _ in range(5):
        began, steps = clock(), 0
        while (spent := clock() - began) < seconds / 5:
            steps += batch()
        best = max(best, steps / spent)
    return best


def fastest(game: str, count: int, threads: int) -> float:
    """Steps a second in the fastest of many calls, the only ones that other programs leave undisturbed."""
    import fourfold

    env = fourfold.VectorEnv(game, count, threads)
    best = float("inf")
    for _ in range(5000):
        began = time.perf_counter()
        env.step_random()
        best = min(best, time.perf_counter() - began)
    return count / best


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measurement (default: 2)")
    parser.add_argument("--threads", type=int, default=1, help="also what so many threads gain")
    parser.add_argument("--processor-time", action="store_true", help="count processor time instead of time")
    arguments = parser.parse_args()
    clock = time.process_time if arguments.processor_time else time.perf_counter
    rivals = [(name, speed(batch, arguments.seconds, clock)) for name, batch in others()]
    best = max((measured for _, measured in rivals), default=float("nan"))
    for name, measured in rivals:
        print(f"{name:32} {measured / 1e6:8.2f} M steps/s")
    for game, count in OURS.items():
        one = speed(fourfold(game, count, 1), arguments.seconds, clock)
        print(f"{'fourfold ' + game:32} {one / 1e6:8.2f} M steps/s  {one / best:5.1f} times the best of them")
        if arguments.threads > 1:
            alone, together = (fastest(game, FOR_THREADS[game], threads) for threads in (1, arguments.threads))
            print(
                f"{'':32} {alone / 1e6:8.2f} M steps/s in the fastest step, "
                f"{together / 1e6:.2f} M with {arguments.threads} threads: {together / alone:.2f} times"
            )


if __name__ == "__main__":
    # One core for everyone: JAX would take all of them.
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()

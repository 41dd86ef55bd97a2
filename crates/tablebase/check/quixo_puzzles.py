"""Checks Quixo puzzles against tables on disk, with a reader and a move generator of its own.

    python3 crates/tablebase/check/quixo_puzzles.py PUZZLES TABLES

PUZZLES is what `puzzles_quixo` writes, TABLES a folder with the files of values that docs/tablebase.md describes. Nothing
here is shared with the program that solved the game. For every ply of every line it recomputes the legal moves and looks
each resulting position up; it also checks that lines are legal, that plies count down by one, that the right result is the
only one, and that no two puzzles are alike up to symmetry. Exit code 1 if anything is wrong.
"""

import os
import sys
from itertools import combinations

import numpy as np

SIDE = 5
CELLS = SIDE * SIDE
HEADER = 64


def bit(column, row):
    return row * SIDE + column


def square(cell):
    return "abcde"[cell % SIDE] + str(cell // SIDE + 1)


def moves():
    """Every (name, gap, permutation): taking the cube at `gap` and pushing it in at the other end of its row or column."""
    found = []
    for row in range(SIDE):
        for column in range(SIDE):
            if row not in (0, SIDE - 1) and column not in (0, SIDE - 1):
                continue
            for line in ("row", "column"):
                index = column if line == "row" else row
                for end in (0, SIDE - 1):
                    if index == end:
                        continue
                    goes = list(range(CELLS))
                    step = 1 if end > index else -1
                    for place in range(index + step, end + step, step):
                        old = bit(place, row) if line == "row" else bit(column, place)
                        new = bit(place - step, row) if line == "row" else bit(column, place - step)
                        goes[old] = new
                    entry = bit(end, row) if line == "row" else bit(column, end)
                    goes[bit(column, row)] = entry
                    found.append((square(bit(column, row)) + square(entry), bit(column, row), goes))
    unique = {name: (gap, goes) for name, gap, goes in found}
    return [(name, *unique[name]) for name in sorted(unique)]


MOVES = moves()
NUMBER = {name: index for index, (name, _, _) in enumerate(MOVES)}


def lines():
    rows = [[bit(c, r) for c in range(SIDE)] for r in range(SIDE)]
    columns = [[bit(c, r) for r in range(SIDE)] for c in range(SIDE)]
    diagonals = [[bit(i, i) for i in range(SIDE)], [bit(i, SIDE - 1 - i) for i in range(SIDE)]]
    return [sum(1 << cell for cell in line) for line in rows + columns + diagonals]


LINES = np.array(lines(), dtype=np.uint32)


def turns():
    """The eight symmetries of the square, as permutations of cells."""
    all_turns = []
    for flip in (False, True):
        for quarter in range(4):
            goes = []
            for cell in range(CELLS):
                column, row = cell % SIDE, cell // SIDE
                if flip:
                    column = SIDE - 1 - column
                for _ in range(quarter):
                    column, row = SIDE - 1 - row, column
                goes.append(bit(column, row))
            all_turns.append(goes)
    return all_turns


TURNS = turns()


def permuted(sets, goes):
    result = np.zeros_like(sets)
    for cell, target in enumerate(goes):
        result |= ((sets >> np.uint32(cell)) & np.uint32(1)) << np.uint32(target)
    return result


def has_line(sets):
    found = np.zeros(sets.shape, dtype=bool)
    for line in LINES:
        found |= (sets & line) == line
    return found


def count(sets):
    result = np.zeros(sets.shape, dtype=np.int64)
    for cell in range(CELLS):
        result += (sets >> np.uint32(cell)) & np.uint32(1)
    return result


BINOMIAL = np.zeros((CELLS + 1, CELLS + 1), dtype=np.int64)
for n in range(CELLS + 1):
    BINOMIAL[n, 0] = 1
    for k in range(1, n + 1):
        BINOMIAL[n, k] = BINOMIAL[n - 1, k - 1] + (BINOMIAL[n - 1, k] if k < n else 0)


class Tables:
    def __init__(self, folder):
        self.folder = folder
        self.keys = {}
        self.files = {}

    def kept_keys(self, few):
        """The smallest forms of all sets of `few` cubes, ascending."""
        if few not in self.keys:
            number = int(BINOMIAL[CELLS, few])
            sets = np.fromiter(
                (sum(1 << cell for cell in chosen) for chosen in combinations(range(CELLS), few)), np.uint32, number
            )
            smallest = sets.copy()
            for goes in TURNS[1:]:
                smallest = np.minimum(smallest, permuted(sets, goes))
            self.keys[few] = np.sort(sets[smallest == sets])
        return self.keys[few]

    def body(self, few, many):
        if (few, many) not in self.files:
            path = os.path.join(self.folder, f"quixo5-{few:02}-{many:02}.values")
            with open(path, "rb") as file:
                head = file.read(HEADER)
            assert head[:8] == b"4FOLDQX1" and tuple(head[8:12]) == (SIDE, few, many, 0), f"{path}: foreign header"
            length = int.from_bytes(head[16:24], "little")
            self.files[few, many] = np.memmap(path, dtype="<u8", mode="r", offset=HEADER, shape=(length // 8,))
        return self.files[few, many]

    def values(self, own, other):
        """1, 0, -1 for the side to move, whose cubes are `own`; no side has a line."""
        result = np.zeros(own.shape, dtype=np.int8)
        own_count, other_count = count(own), count(other)
        few, many = np.minimum(own_count, other_count), np.maximum(own_count, other_count)
        for pair in np.unique(few * 32 + many):
            f, m = int(pair) // 32, int(pair) % 32
            here = np.flatnonzero(few * 32 + many == pair)
            key_moves = (own_count[here] == f) & (f != m)
            key = np.where(key_moves, own[here], other[here])
            rest = np.where(key_moves, other[here], own[here])
            best_key, best_rest = key.copy(), rest.copy()
            for goes in TURNS[1:]:
                turned_key, turned_rest = permuted(key, goes), permuted(rest, goes)
                smaller = turned_key < best_key
                best_key = np.where(smaller, turned_key, best_key)
                best_rest = np.where(smaller, turned_rest, best_rest)
            keys = self.kept_keys(f)
            row = np.searchsorted(keys, best_key)
            assert (keys[row] == best_key).all()
            place = np.zeros(here.shape, dtype=np.int64)
            free_index = np.zeros(here.shape, dtype=np.int64)
            taken = np.zeros(here.shape, dtype=np.int64)
            for cell in range(CELLS):
                is_free = ((best_key >> np.uint32(cell)) & 1) == 0
                is_set = ((best_rest >> np.uint32(cell)) & 1) == 1
                taken += is_set
                place += np.where(is_set, BINOMIAL[free_index, taken], 0)
                free_index += is_free
            words = (int(BINOMIAL[CELLS - f, m]) + 31) // 32
            body = self.body(f, m)
            first = np.where(key_moves | (f == m), 0, len(keys) * words)
            word = np.asarray(body[first + row * words + place // 32])
            shift = (place % 32).astype(np.uint64)
            won = (word >> shift) & np.uint64(1)
            lost = (word >> (shift + np.uint64(32))) & np.uint64(1)
            result[here] = won.astype(np.int8) - lost.astype(np.int8)
        return result


def after(own, other, number):
    """The position after a move, seen by the side that moves next."""
    _, gap, goes = MOVES[number]
    return permuted(other, goes), permuted(own | np.uint32(1 << gap), goes)


def read(path):
    puzzles = []
    with open(path) as file:
        assert file.readline() == "fourfold-puzzles 2\n", f"{path}: not a set of puzzles of version 2"
        for text in file:
            head, position, line = text.rstrip("\n").split(" | ")
            game, theme, plies = head.split(" ")
            ranks, seat = position.split(" ")
            assert game == "quixo" and seat == "1", text
            own = other = 0
            for row, rank in enumerate(reversed(ranks.split("/"))):
                for column, cell in enumerate(rank):
                    own |= (cell == "x") << bit(column, row)
                    other |= (cell == "o") << bit(column, row)
            steps = [step.split(":") for step in line.split(" ")]
            puzzles.append((theme, int(plies), own, other, [
                (NUMBER[move], repeated(values)) for move, values in steps
            ]))
    return puzzles


def repeated(text):
    """The values of `1,-2*3`: a value, and how often it is repeated."""
    runs = [run.partition("*") for run in text.split(",")]
    return [int(value) for value, _, count in runs for _ in range(int(count or 1))]


def smallest_form(own, other):
    return np.min([permuted(own, goes).astype(np.uint64) << np.uint64(32) | permuted(other, goes) for goes in TURNS], axis=0)


def main():
    puzzles, tables = read(sys.argv[1]), Tables(sys.argv[2])
    wrong = []
    starts = smallest_form(
        np.array([p[2] for p in puzzles], np.uint32), np.array([p[3] for p in puzzles], np.uint32)
    )
    if len(np.unique(starts)) != len(puzzles):
        wrong.append("two puzzles are alike up to symmetry")

    # All plies of all lines, one row each.
    own = np.array([p[2] for p in puzzles], np.uint32)
    other = np.array([p[3] for p in puzzles], np.uint32)
    active = np.arange(len(puzzles))
    looked_up = 0
    ply = 0
    while len(active):
        o, e = own[active], other[active]
        if (has_line(o) | has_line(e)).any():
            wrong.append(f"a line goes on after the end at ply {ply}")
        legal = np.stack([((e >> np.uint32(gap)) & 1) == 0 for _, gap, _ in MOVES], axis=1)
        value = np.zeros(legal.shape, dtype=np.int8)
        results = np.zeros(legal.shape, dtype=np.uint64)
        for number in range(len(MOVES)):
            here = np.flatnonzero(legal[:, number])
            next_own, next_other = after(o[here], e[here], number)
            results[here, number] = next_own.astype(np.uint64) << np.uint64(32) | next_other
            # QX5: a line of the opponent's symbol loses, even beside an own one.
            lost, won = has_line(next_own), has_line(next_other)
            live = ~(lost | won)
            value[here, number] = np.where(lost, -1, 1)
            answers = -tables.values(next_own[live], next_other[live])
            looked_up += int(live.sum())
            value[here[live], number] = answers
        still = []
        for index, puzzle in enumerate(active):
            theme, plies, _, _, steps = puzzles[puzzle]
            played, told = steps[ply]
            numbers = np.flatnonzero(legal[index])
            name = f"puzzle {puzzle + 1}, ply {ply}"
            if len(told) != len(numbers):
                wrong.append(f"{name}: {len(told)} values for {len(numbers)} moves")
                continue
            if [int(np.sign(v)) for v in told] != value[index, numbers].tolist():
                wrong.append(f"{name}: values differ from the tables")
            if not legal[index, played]:
                wrong.append(f"{name}: {MOVES[played][0]} is illegal")
                continue
            def rank(v):
                return 1000 - v if v > 0 else -1000 - v if v < 0 else 0
            best = max(told, key=rank)
            chosen = told[list(numbers).index(played)]
            if chosen != best:
                wrong.append(f"{name}: {MOVES[played][0]} is not best")
            if ply % 2 == 0:
                right = [n for n, v in zip(numbers, told) if (v == best if theme == "win" else np.sign(v) == np.sign(best))]
                if len(set(results[index, right].tolist())) != 1 and best != 1:
                    wrong.append(f"{name}: more than one right result")
            if ply == 0 and best > 0 and plies != best:
                wrong.append(f"{name}: a win in {best}, said to be in {plies}")
            if ply + 1 < len(steps):
                follow = max(steps[ply + 1][1], key=rank)
                expected = 0 if chosen == 0 else (-(chosen - 1) if chosen > 0 else -chosen - 1)
                if follow != expected:
                    wrong.append(f"{name}: plies do not count down")
                still.append(index)
        kept = active[still] if still else np.array([], dtype=np.int64)
        for number in range(len(MOVES)):
            here = np.array([p for p in kept if puzzles[p][4][ply][0] == number], dtype=np.int64)
            if len(here):
                own[here], other[here] = after(own[here], other[here], number)
        active = kept
        ply += 1
    for sentence in wrong[:20]:
        print(sentence)
    print(f"{len(puzzles)} puzzles, {looked_up} positions looked up, {len(wrong)} faults")
    sys.exit(1 if wrong else 0)


main()

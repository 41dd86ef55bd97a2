"""Trains the network of the Quixo player on exact values.

    python3 crates/search/training/train_quixo.py DIR --prepare
    python3 crates/search/training/train_quixo.py DIR --seconds 975 --out DIR/trained.net

docs/solved-quixo.md has the commands before and after these, and how long they take.
Needs PyTorch and a graphics card; playing needs neither. DIR holds what `lessons_quixo` writes. `games-*.bin` are games:
for each position the push times four plus the value for the side to move (2 won, 1 drawn, 0 lost), then 255.
`leaves-*.bin` are positions that searches evaluate: the own cubes, the other side's from bit 25, the value from bit 50.
Learned are the quiet positions, in which no side has a line and the side to move cannot make one. How long is learned is
a matter of time (`--seconds`); with `--pause` the state is saved after so many of them, to go on with `--resume`.
"""

import argparse
import glob
import math
import os
import struct
import time

import numpy as np
import torch
import torch.nn.functional as F

SEED = 1
LINES, PATTERNS = 12, 243
ROWS = LINES * PATTERNS
CUBES = (1 << 25) - 1
# A sum of 1 as a whole number, the scale of the second layer's weights and that of the output's.
UNIT, SECOND, OUTPUT = 64, 128, 256
# The stages of the game: each begins at so many marked cubes and has a network of its own.
BEGINS = (0, 8, 9, 10, 11, 12, 13, 14, 16, 18, 21)
STAGES = len(BEGINS)
# How many units of the first layer differ only by how they see the board, and the units of the second layer.
TIES, NARROW = 8, 32
HELD_OUT = 1 << 20


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--out")
    parser.add_argument("--prepare", action="store_true", help="only write the quiet positions of the games")
    parser.add_argument("--products", type=int, default=128, help="what the first layer passes on, as in net.rs")
    parser.add_argument("--batch", type=int, default=65536)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seconds", type=float, default=600, help="of training in all")
    parser.add_argument("--pause", type=float, help="save the state after so many seconds of training and stop")
    parser.add_argument("--state", help="file for the state")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--leaves", type=float, default=0.5, help="share of what is learned that searches evaluate")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--most", type=int, help="read no more than so many positions of a kind")
    return parser.parse_args()


ARGS = arguments()
PRODUCTS = ARGS.products
DEVICE = ARGS.device
# Whole numbers up to 2048 are exact in half precision.
HALF = torch.float16 if DEVICE == "cuda" else torch.float32


def numbers(values):
    return torch.tensor(values, dtype=torch.int64, device=DEVICE)


def pushes():
    """Every border square with every entry, in the order of the rules: gap, entry, step."""
    found = []
    for gap in range(25):
        row, column = divmod(gap, 5)
        if row % 4 == 0 or column % 4 == 0:
            ends = ((5 * row + 4, 1), (5 * row, 1), (20 + column, 5), (column, 5))
            found += [(gap, entry, step) for entry, step in ends if entry != gap]
    return found


PUSHES = pushes()
SEGMENTS = [sum(1 << cell for cell in range(min(g, e), max(g, e) + 1, s)) for g, e, s in PUSHES]
GAP = numbers([1 << gap for gap, _, _ in PUSHES])
ENTRY = numbers([1 << entry for _, entry, _ in PUSHES])
STILL = numbers([CUBES & ~segment for segment in SEGMENTS])
MOVING = numbers([segment & ~(1 << gap) for segment, (gap, _, _) in zip(SEGMENTS, PUSHES)])
STEP = numbers([step for _, _, step in PUSHES])
DOWN = numbers([entry > gap for gap, entry, _ in PUSHES])
LINE_SQUARES = (
    [tuple(5 * n + m for m in range(5)) for n in range(5)]
    + [tuple(5 * m + n for m in range(5)) for n in range(5)]
    + [tuple(6 * m for m in range(5)), tuple(4 * m + 4 for m in range(5))]
)
LINE_SETS = [sum(1 << square for square in line) for line in LINE_SQUARES]


def shifted(cubes, push):
    moving = cubes & MOVING[push]
    return (cubes & STILL[push]) | torch.where(DOWN[push] == 1, moving >> STEP[push], moving << STEP[push])


def has_line(cubes):
    found = torch.zeros_like(cubes, dtype=torch.bool)
    for line in LINE_SETS:
        found |= (cubes & line) == line
    return found


def replayed(path):
    """All positions of a file of games, packed like leaves."""
    games = np.fromfile(path, dtype=np.uint8)
    ends = np.flatnonzero(games == 255)
    starts = np.concatenate(([0], ends[:-1] + 1))
    length = torch.from_numpy(ends - starts).to(DEVICE)
    starts, games = torch.from_numpy(starts).to(DEVICE), torch.from_numpy(games).to(DEVICE)
    own = torch.zeros(len(starts), dtype=torch.int64, device=DEVICE)
    other = own.clone()
    for ply in range(int(length.max())):
        live = length > ply
        code = games[(starts + ply).clamp(max=len(games) - 1)].to(torch.int64)
        yield (own | other << 25 | (code & 3) << 50)[live]
        push = (code >> 2).clamp(max=len(PUSHES) - 1)
        own, other = shifted(other, push), shifted(own, push) | ENTRY[push]


def is_quiet(positions):
    own, other = positions & CUBES, positions >> 25 & CUBES
    quiet = ~has_line(own) & ~has_line(other)
    for push in range(len(PUSHES)):
        number = numbers(push)
        wins = has_line(shifted(own, number) | ENTRY[push]) & ~has_line(shifted(other, number))
        quiet &= ~(((other & GAP[push]) == 0) & wins)
    return quiet


def marks(positions):
    marked = (positions | positions >> 25) & CUBES
    return sum(marked >> square & 1 for square in range(25))


def turned(square, turn):
    row, column = divmod(square, 5)
    column = 4 - column if turn & 1 else column
    row = 4 - row if turn & 2 else row
    return 5 * column + row if turn & 4 else 5 * row + column


def turned_rows():
    """For each symmetry and each row of a first layer, the row of the turned board."""
    table = np.zeros((8, ROWS), dtype=np.int64)
    digits = np.arange(PATTERNS)[:, None] // 3 ** np.arange(5) % 3
    for turn in range(8):
        for line, squares in enumerate(LINE_SQUARES):
            image = tuple(turned(square, turn) for square in squares)
            forth = image in LINE_SQUARES
            place = LINE_SQUARES.index(image if forth else image[::-1])
            shown = (digits if forth else digits[:, ::-1]) @ 3 ** np.arange(5)
            table[turn, line * PATTERNS : (line + 1) * PATTERNS] = place * PATTERNS + shown
    return table


TURNED_ROWS = turned_rows()
TURNED = torch.from_numpy(TURNED_ROWS).to(DEVICE)
BACK = torch.from_numpy(np.argsort(TURNED_ROWS, axis=1)).to(DEVICE)
FIRST_ROW = torch.arange(LINES, device=DEVICE) * PATTERNS


def line_patterns(positions):
    """The patterns of the twelve lines, a byte each, and the value."""
    columns = []
    for squares in LINE_SQUARES:
        pattern = torch.zeros_like(positions)
        for digit, square in enumerate(squares):
            pattern += ((positions >> square & 1) + 2 * (positions >> (25 + square) & 1)) * 3**digit
        columns.append(pattern.to(torch.uint8))
    columns.append((positions >> 50 & 3).to(torch.uint8))
    return torch.stack(columns, 1)


class Tied(torch.autograd.Function):
    """The tables of all copies of the units, from those of one: copy g sees the board turned by the gth symmetry."""

    @staticmethod
    def forward(ctx, base):
        return torch.stack([base.index_select(3, TURNED[turn]) for turn in range(TIES)], 3)

    @staticmethod
    def backward(ctx, grad):
        return sum(grad[:, :, :, turn].index_select(3, BACK[turn]) for turn in range(TIES))


def rounded(values, scale, most, whole):
    """What the file can hold, as whole numbers; the gradient goes through."""
    values = (values * scale).clamp(-most - 0.5, most + 0.5)
    return values + (values.round().clamp(-most, most) - values).detach() if whole else values


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.bases = PRODUCTS // TIES
        # What all stages have in common, and in what each differs.
        self.common = torch.nn.Parameter(torch.empty(1, 2, self.bases, ROWS).uniform_(-0.15, 0.15))
        self.rows = torch.nn.Parameter(torch.zeros(STAGES, 2, self.bases, ROWS))
        self.bias = torch.nn.Parameter(torch.full((STAGES, 2, self.bases), 0.4))
        bound = 1 / math.sqrt(PRODUCTS / 4)
        second = torch.empty(1, PRODUCTS, NARROW).uniform_(-bound, bound).repeat(STAGES, 1, 1)
        self.second = torch.nn.Parameter(second)
        self.second_bias = torch.nn.Parameter(torch.full((STAGES, 1, NARROW), 0.2))
        output = torch.empty(1, NARROW).uniform_(-0.3, 0.3).repeat(STAGES, 1)
        self.output = torch.nn.Parameter(output)
        self.output_bias = torch.nn.Parameter(torch.zeros(STAGES))

    def tables(self, whole):
        return rounded(self.common + self.rows, UNIT, 127, whole)

    def forward(self, rows, whole):
        """The logits of a batch: for each stage as many positions, each with the rows of its lines."""
        stages, count, _ = rows.shape
        shown = torch.zeros(stages, count, ROWS, dtype=HALF, device=DEVICE)
        shown.scatter_(2, rows, 1.0)
        tables = Tied.apply(self.tables(whole)).reshape(stages, -1, ROWS)
        sums = torch.bmm(shown, tables.to(HALF).transpose(1, 2)).float()
        bias = rounded(self.bias, UNIT, 2000, whole).repeat_interleave(TIES, 2)
        factors = (sums.view(stages, count, 2, -1) + bias[:, None]) / UNIT
        factors = factors.clamp(0, 1)
        products = factors[:, :, 0] * factors[:, :, 1]
        second = rounded(self.second, SECOND, 1011, whole) / SECOND
        passed = torch.baddbmm(self.second_bias, products, second).clamp(0, 1)
        return torch.bmm(passed, self.output[:, :, None])[:, :, 0] + self.output_bias[:, None]

    def keep_in_range(self):
        """What cannot be written as whole numbers must not be learned."""
        with torch.no_grad():
            self.rows.copy_((self.common + self.rows).clamp_(-127 / UNIT, 127 / UNIT) - self.common)
            self.second.clamp_(-7.9, 7.9)
            self.output.clamp_(-15, 15)

    def to_bytes(self):
        def whole(values, scale, most, kind):
            values = values.detach().double().cpu().numpy() * scale
            return np.clip(np.round(values), -most, most).astype(kind).tobytes()

        content = b"QUIXONN5" + bytes([PRODUCTS, NARROW, STAGES, TIES])
        content += bytes(BEGINS)
        tables = self.tables(True).round().to(torch.int8).cpu().numpy()
        for stage in range(STAGES):
            content += tables[stage].tobytes() + whole(self.bias[stage], UNIT, 2000, "<i2")
            content += whole(self.second[stage].T, SECOND, 1011, "<i2")
            content += whole(self.second_bias[stage], UNIT * UNIT * SECOND, 1 << 30, "<i4")
            content += whole(self.output[stage], OUTPUT, 4095, "<i2")
            content += whole(self.output_bias[stage], 256 * OUTPUT, 1 << 30, "<i4")
        check = 0xCBF29CE484222325
        for byte in content:
            check = (check ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
        return content + struct.pack("<Q", check)


def unavoidable(target):
    return -(torch.xlogy(target, target) + torch.xlogy(1 - target, 1 - target))


def errors(net, batch, turn, whole):
    """How badly the expected results fit the true ones, over what cannot be avoided, for each stage and position."""
    target = batch[:, :, LINES].float() / 2
    rows = TURNED.index_select(0, turn)[0][batch[:, :, :LINES].long() + FIRST_ROW]
    result = net(rows, whole)
    return F.binary_cross_entropy_with_logits(result, target, reduction="none") - unavoidable(target)


class Lessons:
    """The positions of one kind, by stage."""

    def __init__(self, parts):
        by_stage = [[] for _ in BEGINS]
        held_out = [[] for _ in BEGINS]
        count = 0
        for part in parts:
            part = part[torch.randperm(len(part), device=DEVICE)]
            stages = torch.bucketize(marks(part), numbers(BEGINS[1:]), right=True)
            patterns = line_patterns(part)
            for stage in range(STAGES):
                here = patterns[stages == stage]
                aside = min(len(here) // 20, 4096)
                held_out[stage].append(here[:aside])
                by_stage[stage].append(here[aside:])
            count += len(part)
            if ARGS.most and count >= ARGS.most:
                break
        self.by_stage = [torch.cat(parts) for parts in by_stage]
        counts = [len(positions) for positions in self.by_stage]
        print(f"{count} positions, by stage {counts}", flush=True)
        if min(counts) == 0:
            raise SystemExit("a stage has no positions")
        aside = [torch.cat(parts) for parts in held_out]
        least = min(min(len(part) for part in aside), HELD_OUT // STAGES)
        self.held_out = torch.stack([part[torch.randperm(len(part), device=DEVICE)[:least]] for part in aside])

    def drawn(self, count):
        picked = [
            stage[torch.randint(0, len(stage), (count,), device=DEVICE)] for stage in self.by_stage
        ]
        return torch.stack(picked)


def quiet_parts(path):
    whole = torch.cat(list(replayed(path)))
    for part in whole.split(1 << 23):
        yield part[is_quiet(part)]


def files(kind):
    return sorted(glob.glob(os.path.join(ARGS.folder, f"{kind}-*.bin")))


def prepare():
    """Writes the quiet positions of all games, for several trainings to read."""
    for number, path in enumerate(files("games")):
        quiet = torch.cat(list(quiet_parts(path))).cpu().numpy()
        quiet.tofile(os.path.join(ARGS.folder, f"quiet-{number}.bin"))
        print(f"{len(quiet)} quiet positions in {path}", flush=True)


def read_lessons():
    """The lessons of both kinds, each with its share."""

    def read(kind):
        return Lessons(torch.from_numpy(np.fromfile(path, dtype=np.int64)).to(DEVICE) for path in files(kind))

    shares = {"quiet": 1 - ARGS.leaves, "leaves": ARGS.leaves}
    return [(share, read(kind)) for kind, share in shares.items() if share > 0 and files(kind)]


def test(net, lessons):
    results = []
    with torch.no_grad():
        for _, lesson in lessons:
            parts = [errors(net, part, numbers([0]), True).sum(1) for part in lesson.held_out.split(4096, 1)]
            results.append(sum(parts) / lesson.held_out.shape[1])
    return results


def step_of(net, adam, lessons, whole):
    """A step of training, as a function."""
    each = ARGS.batch // STAGES
    total = sum(share for share, _ in lessons)

    def step():
        drawn = [lesson.drawn(max(1, round(each * share / total))) for share, lesson in lessons]
        turn = torch.randint(0, 8, (1,), device=DEVICE)
        # A sum, since the gradients of a mean are too small for half precision.
        errors(net, torch.cat(drawn, 1), turn, whole).sum().backward()
        adam.step()
        net.keep_in_range()

    def eager():
        adam.zero_grad(set_to_none=True)
        step()

    return recorded(step, eager, adam) if DEVICE == "cuda" else eager


def recorded(step, eager, adam):
    """The step as the card repeats it by itself: starting its hundred small kernels one by one takes longer than they do."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            eager()
    torch.cuda.current_stream().wait_stream(side)
    adam.zero_grad(set_to_none=True)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def main():
    torch.manual_seed(SEED)
    began = time.time()
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    if ARGS.prepare:
        return prepare()
    lessons = read_lessons()
    print(f"read in {time.time() - began:.1f} s", flush=True)
    net = Net().to(DEVICE)
    on_card = DEVICE == "cuda"
    rate = torch.tensor(0.0, device=DEVICE)
    adam = torch.optim.Adam(net.parameters(), lr=rate, fused=on_card, capturable=on_card)
    spent, steps = 0.0, 0
    if ARGS.resume:
        state = torch.load(ARGS.state, map_location=DEVICE, weights_only=True)
        net.load_state_dict(state["net"])
        adam.load_state_dict(state["adam"])
        # The state that is read again has settings of its own.
        for group in adam.param_groups:
            group.update(lr=rate, capturable=on_card)
        spent, steps = state["spent"], state["steps"]
    started = saved = time.time()
    started -= spent
    until = ARGS.seconds if ARGS.pause is None else ARGS.pause
    told = time.time()
    step, is_whole = None, None
    while True:
        if steps % 20 == 0:
            if DEVICE == "cuda":
                torch.cuda.synchronize()
            spent = time.time() - started
            if spent >= until:
                break
            if ARGS.state and time.time() - saved > 60:
                saved = time.time()
                save(net, adam, spent, steps)
            if time.time() - told > 20:
                told = time.time()
                show(steps, spent, test(net, lessons))
        done = min(1.0, spent / ARGS.seconds)
        warm = min(1.0, (steps + 1) / 500)
        for group in adam.param_groups:
            group["lr"].fill_(ARGS.rate * warm * max(0.002, 0.5 + 0.5 * math.cos(math.pi * done)))
        if is_whole != (done > 0.5):
            is_whole = done > 0.5
            step = step_of(net, adam, lessons, is_whole)
        step()
        steps += 1
    show(steps, spent, test(net, lessons))
    if ARGS.state:
        save(net, adam, spent, steps)
    with open(ARGS.out, "wb") as file:
        file.write(net.to_bytes())


def save(net, adam, spent, steps):
    state = {"net": net.state_dict(), "adam": adam.state_dict(), "spent": spent, "steps": steps}
    torch.save(state, ARGS.state + ".new")
    os.replace(ARGS.state + ".new", ARGS.state)


def show(steps, spent, results):
    means = " ".join(f"{result.mean().item():.5f}" for result in results)
    stages = " | ".join(" ".join(f"{1000 * value:.1f}" for value in result.tolist()) for result in results)
    print(f"step {steps} at {spent:.0f} s: loss {means}; thousandths by stage {stages}", flush=True)


if __name__ == "__main__":
    main()

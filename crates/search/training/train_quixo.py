"""Trains the network of the Quixo player on exact values and writes its file.

    cargo run --release -p tablebase --example study_quixo -- DIR 77
    python3 crates/search/training/train_quixo.py crates/search/src/bots/quixo/quixo.net DIR/games-*.bin

Needs PyTorch and a graphics card, and takes about five minutes on an H200; playing needs neither. The games
are those that `study_quixo` writes: for each position the push times four plus the value for the side to move (2 won,
1 drawn, 0 lost), then 255. Learned are the quiet positions, in which no side has a line and the side to move cannot make
one. The seed is fixed; the last digits still depend on the card.
"""

import math
import struct
import sys

import numpy as np
import torch
import torch.nn.functional as F

SEED, STEPS, BATCH, RATE = 1, 82599, 65536, 3e-3
WIDE, NARROW, LINES, PATTERNS = 64, 32, 12, 243
# The second layer differs with the number of marked cubes; a bucket begins at each of these.
BUCKETS = (0, 8, 10, 12, 14, 16, 18, 21)
# From this many on they have a first layer of their own: what a pattern is worth changes with the stage.
LATE = 14
STAGES = 2
# Most mistakes are made early, so that more is learned of it than games have.
EARLY_SHARE = 0.6
HELD_OUT = 300_000
CUBES = (1 << 25) - 1
DEVICE = "cuda"


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
LINE_SETS = (
    [sum(1 << 5 * n + m for m in range(5)) for n in range(5)]
    + [sum(1 << 5 * m + n for m in range(5)) for n in range(5)]
    + [sum(1 << 6 * m for m in range(5)), sum(1 << 4 * m + 4 for m in range(5))]
)


def shifted(cubes, push):
    moving = cubes & MOVING[push]
    return (cubes & STILL[push]) | torch.where(DOWN[push] == 1, moving >> STEP[push], moving << STEP[push])


def has_line(cubes):
    found = torch.zeros_like(cubes, dtype=torch.bool)
    for line in LINE_SETS:
        found |= (cubes & line) == line
    return found


def replayed(path):
    """All positions of a file of games (own cubes, the other side's from bit 25) with their values."""
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
        yield (own | other << 25)[live], (code & 3)[live].to(torch.uint8)
        push = (code >> 2).clamp(max=len(PUSHES) - 1)
        own, other = shifted(other, push), shifted(own, push) | ENTRY[push]


def is_quiet(positions):
    own, other = positions & CUBES, positions >> 25
    quiet = ~has_line(own) & ~has_line(other)
    for push in range(len(PUSHES)):
        number = torch.full_like(own, push)
        wins = has_line(shifted(own, number) | ENTRY[push]) & ~has_line(shifted(other, number))
        quiet &= ~(((other & GAP[push]) == 0) & wins)
    return quiet


def turns():
    """For each symmetry, the square that comes to each square."""
    table = []
    for turn in range(8):
        source = [0] * 25
        for square in range(25):
            row, column = divmod(square, 5)
            column = 4 - column if turn & 1 else column
            row = 4 - row if turn & 2 else row
            source[5 * column + row if turn & 4 else 5 * row + column] = square
        table.append(source)
    return numbers(table)


TURNS = turns()
SQUARES = torch.arange(25, device=DEVICE)
FIRST_ROW = torch.arange(LINES, device=DEVICE) * PATTERNS
FIRST_MARKS = numbers(BUCKETS[1:])
DIGITS = torch.zeros(25, LINES, device=DEVICE)
for number, line in enumerate(LINE_SETS):
    for digit, square in enumerate(cell for cell in range(25) if line >> cell & 1):
        DIGITS[square, number] = 3**digit


def patterns(positions, turn):
    """The row of each line's pattern, with the positions under symmetries, the stage and the bucket."""
    shown = ((positions[:, None] >> SQUARES) & 1) + 2 * ((positions[:, None] >> (SQUARES + 25)) & 1)
    marks = (shown > 0).sum(1)
    stage = (marks >= LATE).long()[:, None]
    bucket = torch.bucketize(marks, FIRST_MARKS, right=True)
    shown = torch.gather(shown, 1, TURNS[turn]).float()
    rows = (shown @ DIGITS).round().long() + FIRST_ROW + stage * (LINES * PATTERNS)
    return rows, stage, bucket


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = torch.nn.EmbeddingBag(STAGES * LINES * PATTERNS, WIDE, mode="sum")
        torch.nn.init.uniform_(self.rows.weight, -0.1, 0.1)
        self.bias = torch.nn.Parameter(torch.full((STAGES, WIDE), 0.3))
        self.second = torch.nn.Linear(WIDE, len(BUCKETS) * NARROW)
        self.output = torch.nn.Parameter(torch.empty(len(BUCKETS), NARROW).uniform_(-0.18, 0.18))
        self.output_bias = torch.nn.Parameter(torch.zeros(len(BUCKETS)))

    def forward(self, rows, stage, bucket):
        passed = (self.rows(rows) + torch.where(stage == 0, self.bias[0], self.bias[1])).clamp(0, 1)
        second = self.second(passed * passed).clamp(0, 1).view(-1, len(BUCKETS), NARROW)
        results = (second * self.output).sum(2) + self.output_bias
        return results.gather(1, bucket[:, None])[:, 0]

    def keep_in_range(self):
        """What cannot be written as whole numbers must not be learned."""
        with torch.no_grad():
            self.rows.weight.clamp_(-9.5, 9.5)
            self.second.weight.clamp_(-7.9, 7.9)
            self.output.clamp_(-15, 15)

    def to_bytes(self):
        def whole(values, scale, most, kind):
            values = values.detach().double().cpu().numpy() * scale
            return np.clip(np.round(values), -most, most).astype(kind).tobytes()

        content = b"QUIXONN4"
        content += whole(self.rows.weight, 255, 2500, "<i2") + whole(self.bias, 255, 2500, "<i2")
        for bucket in range(len(BUCKETS)):
            units = slice(bucket * NARROW, (bucket + 1) * NARROW)
            content += whole(self.second.weight[units], 128, 1023, "<i2")
            content += whole(self.second.bias[units], 128 * 254, 1 << 30, "<i4")
            content += whole(self.output[bucket], 256, 4095, "<i2")
            content += whole(self.output_bias[bucket], 254 * 256, 1 << 30, "<i4")
        check = 0xCBF29CE484222325
        for byte in content:
            check = (check ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
        return content + struct.pack("<Q", check)


def loss(net, positions, values, turn):
    """How badly the expected results fit the true ones, over what cannot be avoided."""
    target = values.float() / 2
    unavoidable = -(torch.xlogy(target, target) + torch.xlogy(1 - target, 1 - target)).mean()
    return F.binary_cross_entropy_with_logits(net(*patterns(positions, turn)), target) - unavoidable


def is_late(positions):
    marked = (positions | positions >> 25) & CUBES
    return sum(marked >> square & 1 for square in range(25)) >= LATE


def drawn_from(positions, values, count):
    chosen = torch.randint(0, len(positions), (count,), device=DEVICE)
    return positions[chosen], values[chosen]


def main():
    torch.manual_seed(SEED)
    parts = [part for path in sys.argv[2:] for part in replayed(path)]
    positions, values = (torch.cat(list(column)) for column in zip(*parts))
    quiet = torch.cat([is_quiet(part) for part in positions.split(1 << 22)])
    positions, values = positions[quiet], values[quiet]
    order = torch.randperm(len(positions), device=DEVICE)
    positions, values = positions[order], values[order]
    held_out = positions[:HELD_OUT], values[:HELD_OUT]
    positions, values = positions[HELD_OUT:], values[HELD_OUT:]
    late = torch.cat([is_late(part) for part in positions.split(1 << 22)])
    early = int(BATCH * EARLY_SHARE)
    stages = [(positions[~late], values[~late], early), (positions[late], values[late], BATCH - early)]
    net = Net().to(DEVICE)
    adam = torch.optim.Adam(net.parameters(), lr=RATE, fused=True)
    for step in range(STEPS):
        for group in adam.param_groups:
            group["lr"] = RATE * max(0.002, 0.5 + 0.5 * math.cos(math.pi * step / STEPS))
        drawn = [drawn_from(*stage) for stage in stages]
        turn = torch.randint(0, 8, (BATCH,), device=DEVICE)
        adam.zero_grad(set_to_none=True)
        loss(net, *(torch.cat(column) for column in zip(*drawn)), turn).backward()
        adam.step()
        net.keep_in_range()
    with torch.no_grad():
        straight = torch.zeros(HELD_OUT, dtype=torch.int64, device=DEVICE)
        missed = loss(net, *held_out, straight).item()
    print(f"{len(positions)} positions learned, loss on {HELD_OUT} others {missed:.5f}")
    with open(sys.argv[1], "wb") as file:
        file.write(net.to_bytes())


main()

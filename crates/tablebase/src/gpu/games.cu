// Asking solved tables about any position, and playing games by them. Follows lanes.cu.

#define SIDES 26

struct Tables {
    const u64 *words[SIDES * SIDES * 2];
    const u8 *depths[SIDES * SIDES * 2];
    u32 row_words[SIDES * SIDES];
    const u32 *keys[SIDES], *ranks[SIDES];
    const u32 *places;
};

// The value for the side to move, 2 won, 1 drawn, 0 lost, and above it in the third byte the plies to the end.
__device__ u32 value_of(const Tables &t, u32 own, u32 other) {
    bool few_moves = __popc(own) < __popc(other);
    u32 key = few_moves ? own : other, rest = few_moves ? other : own;
    u32 few = __popc(key), many = __popc(rest), pair = few * SIDES + many, table = pair * 2 + (few_moves ? 0 : 1);
    u32 place = t.places[key];
    u32 rank = rank_of(t.ranks[many], compressed(mapped(rest, TURN[place & 7]), t.keys[few][place >> 3]));
    u64 start = (u64)(place >> 3) * t.row_words[pair];
    u64 bits = t.words[table][start + rank / 32] >> (rank % 32);
    u32 plies = t.depths[table] ? t.depths[table][start * 32 + rank] : 0;
    return (bits & 1 ? 2 : bits >> 32 & 1 ? 0 : 1) | plies << 8;
}

extern "C" __global__ void ask(const Tables *t, const u64 *positions, u32 count, u32 *answers) {
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        answers[i] = value_of(*t, (u32)positions[i], (u32)(positions[i] >> 32));
}

__device__ u64 next_random(u64 &state) {
    state += 0x9e3779b97f4a7c15ull;
    u64 z = state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

__device__ u32 below(u64 &state, u32 bound) { return (u32)((next_random(state) >> 32) * bound >> 32); }

// Plays a game for each thread from the empty board: with the odds of its kind any move, else one that keeps the value,
// a winning one at once. Writes for each position the push and the value (push · 4 + value), then 255.
extern "C" __global__ void play(const Tables *t, u32 games, u32 most, u64 seed, u8 *out) {
    u32 game = blockIdx.x * blockDim.x + threadIdx.x;
    if (game >= games) return;
    const u32 odds[8] = {0, 8, 16, 32, 64, 100, 160, 256};
    u64 random = seed + (u64)game * 0xd1342543de82ef95ull;
    next_random(random);
    u32 own = 0, other = 0, ply = 0;
    u8 *line = out + (u64)game * (most + 1);
    for (; ply < most && !has_line(own) && !has_line(other); ply++) {
        u32 value = value_of(*t, own, other) & 3;
        bool any = below(random, 256) < odds[game % 8];
        u32 chosen = 0, seen = 0;
        for (u32 push = 0; push < PUSHES; push++) {
            if (other >> GAP[push] & 1) continue;
            u32 then_own = mapped(other, MOVED[push]), then_other = mapped(own | 1u << GAP[push], MOVED[push]);
            bool wins = has_line(then_other) && !has_line(then_own);
            if (!any && !wins && 2 - (value_of(*t, then_own, then_other) & 3) != value) continue;
            if (!any && wins) { chosen = push; break; }
            if (below(random, ++seen) == 0) chosen = push;
        }
        line[ply] = chosen << 2 | value;
        u32 then_own = mapped(other, MOVED[chosen]);
        other = mapped(own | 1u << GAP[chosen], MOVED[chosen]), own = then_own;
    }
    line[ply] = 255;
}

// A position that is won in just so many plies; `found` holds a row and a rank, or keeps all bits set.
extern "C" __global__ void find_won(Job g, u32 plies, u64 *found) {
    u64 all = (u64)g.rows * g.words * 32;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < all; i += (u64)gridDim.x * blockDim.x)
        if (g.depths[i] == plies && g.table[i / 32] >> (i % 32) & 1) atomicMin(found, i);
}

__device__ bool can_win(u32 own, u32 other) {
    for (u32 push = 0; push < PUSHES; push++) {
        if (other >> GAP[push] & 1) continue;
        if (has_line(mapped(own | 1u << GAP[push], MOVED[push])) && !has_line(mapped(other, MOVED[push]))) return true;
    }
    return false;
}

// For each position (the mover's cubes, the others from bit 25) up to `each` of its successors without a line in which
// the next mover cannot win at once, chosen at random, with the value for that mover from bit 50; all bits set where
// there are fewer.
extern "C" __global__ void successors(const Tables *t, const u64 *positions, u32 count, u32 each, u64 seed, u64 *out) {
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        u64 random = seed + (u64)i * 0xd1342543de82ef95ull;
        next_random(random);
        u32 own = positions[i] & ((1u << 25) - 1), other = positions[i] >> 25, seen = 0;
        u64 *chosen = out + (u64)i * each;
        for (u32 n = 0; n < each; n++) chosen[n] = ~0ull;
        for (u32 push = 0; push < PUSHES; push++) {
            if (other >> GAP[push] & 1) continue;
            u32 then_own = mapped(other, MOVED[push]), then_other = mapped(own | 1u << GAP[push], MOVED[push]);
            if (has_line(then_own) || has_line(then_other) || can_win(then_own, then_other)) continue;
            u32 place = seen < each ? seen : below(random, seen + 1);
            seen++;
            if (place < each) chosen[place] = then_own | (u64)then_other << 25;
        }
        for (u32 n = 0; n < min(seen, each); n++) {
            u32 then_own = chosen[n] & ((1u << 25) - 1), then_other = chosen[n] >> 25;
            chosen[n] |= (u64)(value_of(*t, then_own, then_other) & 3) << 50;
        }
    }
}

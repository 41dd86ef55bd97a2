// Solving on a graphics card: a block works on a part of a row, a warp on 32 positions at a time. What `cpu.rs` does
// position by position is done here in the same order and with the same results.
//
// Before this text stand, for the board's size: CELLS, PUSHES, LINES, the tables GAP, ENTRY, MOVED, UNMOVED, TURN and
// LINE; and SEGMENT, the words of a row that a block works on.

typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned char u8;

#define THREADS 256
#define WARPS (THREADS / 32)
// Pushes whose maps are in shared memory at a time.
#define BATCH 4
// The parts of a set, as in `ranks.rs`.
#define LOW 512
#define MIDDLE 256
#define HIGH 256
#define LOW_COUNTS 10
#define RANKS (LOW + LOW_COUNTS * MIDDLE + HIGH)
#define MAP (LOW + MIDDLE + HIGH)

#define FEW 0
#define MOST_PLIES 255

struct Job {
    u32 mover, words, states, segments, next_words, pass, news, rows;
    const u32 *keys, *sets, *places, *ranks;
    const u8 *orbits;
    u64 *table;
    u32 *safe, *changed;
    const u64 *next_table;
    const u32 *next_safe, *next_changed;
    // Whether anything was decided; the last ply at which a blank's move decides.
    u32 *found, *latest;
    // Only with depths.
    u8 *depths;
    const u8 *next_depths;
    u32 *pending, *done, *fresh, *hits, *marks, *hit_rows;
    u32 *next_done, *next_hits, *next_marks, *next_hit_rows;
};

__device__ u32 mapped(u32 set, const u8 *to) {
    u32 result = 0;
    for (u32 left = set; left; left &= left - 1) result |= 1u << to[__ffs(left) - 1];
    return result;
}

__device__ u32 free_number(u32 cell, u32 key) { return cell - __popc(key & ((1u << cell) - 1)); }

__device__ u32 compressed(u32 set, u32 key) {
    u32 result = 0;
    for (u32 left = set; left; left &= left - 1) result |= 1u << free_number(__ffs(left) - 1, key);
    return result;
}

__device__ u32 rank_of(const u32 *ranks, u32 set) {
    u32 low = set & (LOW - 1);
    return ranks[low] + ranks[LOW + __popc(low) * MIDDLE + (set >> 9 & (MIDDLE - 1))] +
           ranks[LOW + LOW_COUNTS * MIDDLE + (set >> 17)];
}

// What all threads of a block share about the pushes from a row.
struct Lanes {
    u32 ranks[RANKS];
    u32 maps[BATCH][MAP];
    u32 images[BATCH][32];
    u32 gaps[BATCH];
    u32 row[PUSHES], key[PUSHES];
    u8 turn[PUSHES], list[PUSHES];
    u8 cell[32];
    u32 count;
};

// The pushes as they are made, or taken back.
struct Way {
    const u8 *gap;
    const u8 (*moved)[CELLS];
};
__device__ Way forth() { return {GAP, MOVED}; }
__device__ Way back() { return {ENTRY, UNMOVED}; }

// Finds the pushes whose cube is in the key, or those whose cube is not, and where they lead. If the side to move has
// the key, the cube becomes part of it.
__device__ void find_lanes(Lanes &s, const Job &g, u32 key, Way way, bool held, bool joins) {
    for (u32 i = threadIdx.x; i < RANKS; i += THREADS) s.ranks[i] = g.ranks[i];
    if (threadIdx.x < CELLS && !(key >> threadIdx.x & 1)) s.cell[free_number(threadIdx.x, key)] = threadIdx.x;
    if (threadIdx.x < PUSHES) {
        u32 push = threadIdx.x;
        u32 next = mapped(joins ? key | 1u << way.gap[push] : key, way.moved[push]);
        // A key too large has no place; its push is not among those wanted.
        u32 place = g.places[next];
        s.row[push] = place >> 3;
        s.turn[push] = place & 7;
        s.key[push] = mapped(next, TURN[place & 7]);
    }
    if (threadIdx.x == 0) {
        u32 count = 0;
        for (u32 push = 0; push < PUSHES; push++)
            if ((key >> way.gap[push] & 1) == held) s.list[count++] = push;
        s.count = count;
    }
    __syncthreads();
}

// Fills the maps of up to BATCH pushes, from the given place of the list on.
__device__ u32 fill_maps(Lanes &s, u32 key, Way way, u32 from) {
    u32 batch = min(BATCH, s.count - from);
    u32 free = CELLS - __popc(key);
    __syncthreads();
    u32 j = threadIdx.x / 32, number = threadIdx.x % 32;
    if (j < batch) {
        u32 push = s.list[from + j];
        u32 image = 0;
        if (number < free) {
            u32 cell = TURN[s.turn[push]][way.moved[push][s.cell[number]]];
            if (!(s.key[push] >> cell & 1)) image = 1u << free_number(cell, s.key[push]);
        }
        s.images[j][number] = image;
        if (number == 0) s.gaps[j] = key >> way.gap[push] & 1 ? 0 : 1u << free_number(way.gap[push], key);
    }
    __syncthreads();
    // Only subsets of the free squares are ever looked up.
    u32 low = 1u << min(9, free), middle = free > 9 ? 1u << min(8, free - 9) : 1, high = free > 17 ? 1u << (free - 17) : 1;
    for (u32 i = threadIdx.x; i < batch * MAP; i += THREADS) {
        u32 j = i / MAP, entry = i % MAP;
        u32 set, shift, size;
        if (entry < LOW) set = entry, shift = 0, size = low;
        else if (entry < LOW + MIDDLE) set = entry - LOW, shift = 9, size = middle;
        else set = entry - LOW - MIDDLE, shift = 17, size = high;
        if (set >= size) continue;
        u32 image = 0;
        for (u32 left = set; left; left &= left - 1) image |= s.images[j][shift + __ffs(left) - 1];
        s.maps[j][entry] = image;
    }
    __syncthreads();
    return batch;
}

__device__ __forceinline__ u32 lane_rank(const Lanes &s, u32 j, u32 set) {
    const u32 *map = s.maps[j];
    u32 image = map[set & (LOW - 1)] | map[LOW + (set >> 9 & (MIDDLE - 1))] | map[LOW + MIDDLE + (set >> 17)];
    return rank_of(s.ranks, image);
}

__device__ __forceinline__ u32 valid_mask(u32 word, u32 states) {
    u32 first = word * 32;
    return first >= states ? 0 : states - first >= 32 ? 0xffffffffu : (1u << (states - first)) - 1;
}

// The lines that the free squares of a row can hold, numbered as they are; all threads of a block fill them together.
__device__ void find_lines(u32 *lines, u32 key) {
    if (threadIdx.x < LINES) {
        u32 line = LINE[threadIdx.x];
        // No set of free squares holds all bits.
        lines[threadIdx.x] = line & key ? ~0u : compressed(line, key);
    }
}

__device__ __forceinline__ bool holds_line(const u32 *lines, u32 set) {
    bool found = false;
    for (u32 i = 0; i < LINES; i++) found |= (set & lines[i]) == lines[i];
    return found;
}

__device__ __forceinline__ bool has_line(u32 set) {
    bool found = false;
    for (u32 i = 0; i < LINES; i++) found |= (LINE[i] & ~set) == 0;
    return found;
}

// Where both sides have as many cubes: a position of the table in which the mover's own set is the key, and its place in
// the kept table, in which the other side's is.
struct Twin {
    // The cubes of the two sides.
    u32 key, set;
    u32 row, rank;
};

__device__ Twin twin_of(const Job &g, u32 row, u32 state) {
    Twin t;
    t.key = g.keys[row], t.set = 0;
    u8 cells[CELLS];
    u32 n = 0;
    for (u32 cell = 0; cell < CELLS; cell++)
        if (!(t.key >> cell & 1)) cells[n++] = cell;
    for (u32 left = g.sets[state]; left; left &= left - 1) t.set |= 1u << cells[__ffs(left) - 1];
    u32 entry = g.places[t.set];
    t.row = entry >> 3;
    t.rank = rank_of(g.ranks, compressed(mapped(t.key, TURN[entry & 7]), g.keys[t.row]));
    return t;
}

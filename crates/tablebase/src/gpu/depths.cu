// Depths: the plies to the end, once values are known. Follows lanes.cu.
//
// A position is *done* when its depth is known, and *fresh* in the pass after that, when it tells the positions before
// it: a lost one hits those before it, which are won one ply later unless they are done; a won one marks them, for the
// last of them to be done may decide a loss. So every position tells its news once, and drawn ones are never looked at.

// What the moves that take a blank say: for a won position when they win, 0 if they do not; for a lost one the latest
// ply to which they hold out. Positions with a line are done from the start.
extern "C" __global__ void __launch_bounds__(THREADS) note_blanks(Job g) {
    __shared__ Lanes s;
    __shared__ u32 won[SEGMENT], lost[SEGMENT], lines[LINES], plies[8];
    __shared__ u8 noted[SEGMENT * 32];
    u32 row = blockIdx.x / g.segments, first = blockIdx.x % g.segments * SEGMENT;
    u32 count = min(SEGMENT, g.words - first), warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    u32 key = g.keys[row];
    u64 place = (u64)row * g.words + first;
    find_lines(lines, key);
    if (threadIdx.x < 8) plies[threadIdx.x] = 0;
    find_lanes(s, g, key, forth(), false, g.mover == FEW);
    bool key_has = has_line(key);
    for (u32 w = warp; w < count; w += WARPS) {
        u32 state = (first + w) * 32 + lane;
        u32 set = state < g.states ? g.sets[state] : 0;
        bool ends = key_has || holds_line(lines, set);
        u32 over = __ballot_sync(~0u, ends && state < g.states);
        u64 word = g.table[place + w];
        if (lane == 0) {
            won[w] = (u32)word & ~over, lost[w] = (u32)(word >> 32) & ~over;
            g.fresh[place + w] = over;
        }
        noted[w * 32 + lane] = 0;
    }
    u32 lanes = g.next_table ? s.count : 0;
    for (u32 from = 0; from < lanes; from += BATCH) {
        u32 batch = fill_maps(s, key, forth(), from);
        for (u32 w = warp; w < count; w += WARPS) {
            bool wins = won[w] >> lane & 1, loses = lost[w] >> lane & 1;
            if (!(won[w] | lost[w])) continue;
            u32 set = wins || loses ? g.sets[(first + w) * 32 + lane] : 0, note = noted[w * 32 + lane];
            for (u32 j = 0; j < batch; j++) {
                if (!(wins || loses) || set & s.gaps[j]) continue;
                u32 rank = lane_rank(s, j, g.mover == FEW ? set : set | s.gaps[j]);
                u64 start = (u64)s.row[s.list[from + j]] * g.next_words;
                // A lost position has only won ones after it; of those after a won one only the lost count.
                if (wins && !(g.next_table[start + rank / 32] >> (32 + rank % 32) & 1)) continue;
                u32 end = g.next_depths[start * 32 + rank] + 1;
                note = loses ? max(note, end) : note ? min(note, end) : end;
                if (end > 255) *g.latest = end;
            }
            noted[w * 32 + lane] = note;
        }
    }
    __syncthreads();
    u32 latest = 0;
    for (u32 w = warp; w < count; w += WARPS) {
        u32 note = noted[w * 32 + lane];
        g.depths[(place + w) * 32 + lane] = note;
        if (note && !(plies[note / 32] >> note % 32 & 1)) atomicOr(&plies[note / 32], 1u << note % 32);
        latest = max(latest, note);
    }
    if (latest) atomicMax(g.latest, latest);
    __syncthreads();
    if (threadIdx.x < 8 && plies[threadIdx.x]) atomicOr(&g.pending[row * 8 + threadIdx.x], plies[threadIdx.x]);
}

// Where both sides have as many cubes: the notes of the table with the mover's own set as key, from the other.
extern "C" __global__ void __launch_bounds__(THREADS) turn_notes(Job g) {
    u64 all = (u64)g.rows * g.words;
    u32 lane = threadIdx.x % 32;
    for (u64 i = (blockIdx.x * (u64)blockDim.x + threadIdx.x) / 32; i < all; i += (u64)gridDim.x * blockDim.x / 32) {
        u32 row = i / g.words, state = i % g.words * 32 + lane;
        bool over = false;
        u32 note = 0;
        if (state < g.states) {
            Twin twin = twin_of(g, row, state);
            note = g.next_depths[(u64)twin.row * g.words * 32 + twin.rank];
            if (note) atomicOr(&g.pending[row * 8 + note / 32], 1u << note % 32);
            over = has_line(twin.key) || has_line(twin.set);
        }
        u32 done = __ballot_sync(~0u, over);
        if (lane == 0) g.fresh[i] = done;
        g.depths[i * 32 + lane] = note;
    }
}

// Fresh positions tell those from which an own cube leads to them.
extern "C" __global__ void __launch_bounds__(THREADS) tell(Job g) {
    __shared__ Lanes s;
    __shared__ u32 fresh[SEGMENT], lost[SEGMENT];
    u32 row = blockIdx.x / g.segments, first = blockIdx.x % g.segments * SEGMENT;
    if (g.changed[row] != g.pass - 1) return;
    u32 count = min(SEGMENT, g.words - first), warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    u64 place = (u64)row * g.words + first;
    u32 any = 0;
    for (u32 w = threadIdx.x; w < count; w += THREADS) {
        u32 news = g.fresh[place + w];
        if (news) g.done[place + w] |= news;
        fresh[w] = news, lost[w] = news ? (u32)(g.table[place + w] >> 32) : 0;
        any |= news;
    }
    if (!__syncthreads_or(any)) return;
    u32 key = g.keys[row];
    // The cube that was pushed in belongs to the side that is not to move.
    find_lanes(s, g, key, back(), g.mover != FEW, false);
    if (threadIdx.x < s.count) g.next_hit_rows[s.row[s.list[threadIdx.x]]] = g.pass;
    for (u32 from = 0; from < s.count; from += BATCH) {
        u32 batch = fill_maps(s, key, back(), from);
        for (u32 w = warp; w < count; w += WARPS) {
            if (!(fresh[w] >> lane & 1)) continue;
            u32 set = g.sets[(first + w) * 32 + lane];
            u32 *to = lost[w] >> lane & 1 ? g.next_hits : g.next_marks;
            for (u32 j = 0; j < batch; j++) {
                if (g.mover == FEW && !(set & s.gaps[j])) continue;
                u32 rank = lane_rank(s, j, set);
                atomicOr(&to[(u64)s.row[s.list[from + j]] * g.words + rank / 32], 1u << rank % 32);
            }
        }
    }
}

// Finds what is decided in `pass` plies.
//
// A key with symmetries of its own stands for several positions in its row that are the same; news reaches only one of
// them, so in such a row every position is looked at.
extern "C" __global__ void __launch_bounds__(THREADS) resolve(Job g) {
    __shared__ Lanes s;
    __shared__ u32 wins[SEGMENT], asks_win[SEGMENT], asks_loss[SEGMENT];
    u32 row = blockIdx.x / g.segments, first = blockIdx.x % g.segments * SEGMENT;
    bool hit = g.hit_rows[row] == g.pass, pending = g.pending[row * 8 + g.pass / 32] >> (g.pass % 32) & 1;
    if (!hit && !pending) return;
    bool whole = hit && g.orbits[row] < 8;
    u32 count = min(SEGMENT, g.words - first), warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    u64 place = (u64)row * g.words + first;
    u32 asks = 0;
    for (u32 w = warp; w < count; w += WARPS) {
        u64 word = g.table[place + w];
        u32 done = g.done[place + w], hits = g.hits[place + w], marks = g.marks[place + w];
        if (lane == 0 && hits) g.hits[place + w] = 0;
        if (lane == 0 && marks) g.marks[place + w] = 0;
        u32 won = (u32)word & ~done, lost = (u32)(word >> 32) & ~done;
        if (whole) marks = ~0u;
        u32 note = (won | lost) >> lane & 1 ? g.depths[(place + w) * 32 + lane] : 0;
        u32 now = __ballot_sync(~0u, note == g.pass), ripe = __ballot_sync(~0u, note <= g.pass);
        u32 winning = won & (hits | now), losing = lost & (marks | now) & ripe;
        if (lane == 0) wins[w] = winning, asks_loss[w] = losing, asks_win[w] = whole ? won & ~winning : 0;
        asks |= losing | (whole ? won & ~winning : 0);
    }
    if (__syncthreads_or(asks)) {
        u32 key = g.keys[row];
        find_lanes(s, g, key, forth(), g.mover == FEW, false);
        for (u32 from = 0; from < s.count; from += BATCH) {
            u32 batch = fill_maps(s, key, forth(), from);
            for (u32 w = warp; w < count; w += WARPS) {
                u32 left = asks_loss[w] | asks_win[w];
                if (!left) continue;
                bool active = left >> lane & 1, found = false, all = true;
                u32 set = active ? g.sets[(first + w) * 32 + lane] : 0;
                for (u32 j = 0; j < batch; j++) {
                    if (!active || (g.mover != FEW && !(set & s.gaps[j]))) continue;
                    u32 rank = lane_rank(s, j, set);
                    u64 at = (u64)s.row[s.list[from + j]] * g.words + rank / 32;
                    bool done = g.next_done[at] >> rank % 32 & 1;
                    all &= done;
                    if (done && asks_win[w] >> lane & 1) found |= g.next_table[at] >> (32 + rank % 32) & 1;
                }
                u32 finding = __ballot_sync(~0u, found), holding = __ballot_sync(~0u, all);
                if (lane == 0) wins[w] |= asks_win[w] & finding, asks_win[w] &= ~finding, asks_loss[w] &= holding;
                __syncwarp();
            }
        }
    }
    __syncthreads();
    u32 changed = 0;
    for (u32 w = warp; w < count; w += WARPS) {
        u32 fresh = wins[w] | asks_loss[w];
        if (lane == 0) g.fresh[place + w] = fresh;
        if (fresh >> lane & 1) g.depths[(place + w) * 32 + lane] = g.pass;
        changed |= fresh;
    }
    if (__syncthreads_or(changed) && threadIdx.x == 0) {
        g.changed[row] = g.pass;
        *g.found = 1;
    }
}

// How many are won and lost in 0 to 255 plies, over all symmetric forms.
extern "C" __global__ void __launch_bounds__(THREADS) count_depths(Job g, u64 *counts) {
    __shared__ u32 bins[512];
    u32 row = blockIdx.x / g.segments, first = blockIdx.x % g.segments * SEGMENT;
    u32 count = min(SEGMENT, g.words - first);
    for (u32 i = threadIdx.x; i < 512; i += THREADS) bins[i] = 0;
    __syncthreads();
    u64 place = (u64)row * g.words + first, orbit = g.orbits[row];
    for (u32 i = threadIdx.x; i < count * 32; i += THREADS) {
        u64 bits = g.table[place + i / 32] >> (i % 32);
        u32 plies = g.depths[place * 32 + i];
        if (bits & 1) atomicAdd(&bins[plies], 1);
        if (bits >> 32 & 1) atomicAdd(&bins[256 + plies], 1);
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < 512; i += THREADS)
        if (bins[i]) atomicAdd(&counts[i], bins[i] * orbit);
}

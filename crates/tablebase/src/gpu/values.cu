// Values: who wins. Follows lanes.cu.

// Lines, and the moves that take a blank.
extern "C" __global__ void __launch_bounds__(THREADS) look_above(Job g) {
    __shared__ Lanes s;
    __shared__ u32 won[SEGMENT], lost[SEGMENT], safe[SEGMENT], lines[LINES];
    u32 row = blockIdx.x / g.segments, first = blockIdx.x % g.segments * SEGMENT;
    u32 count = min(SEGMENT, g.words - first), warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    u32 key = g.keys[row];
    find_lines(lines, key);
    find_lanes(s, g, key, forth(), false, g.mover == FEW);
    bool key_has = has_line(key);
    for (u32 w = warp; w < count; w += WARPS) {
        u32 state = (first + w) * 32 + lane;
        bool valid = state < g.states;
        u32 set = valid ? g.sets[state] : 0;
        bool rest_has = holds_line(lines, set);
        bool own = valid && (g.mover == FEW ? key_has : rest_has), other = valid && (g.mover == FEW ? rest_has : key_has);
        u32 own_mask = __ballot_sync(~0u, own), other_mask = __ballot_sync(~0u, other && !own);
        if (lane == 0) won[w] = own_mask, lost[w] = other_mask, safe[w] = 0;
    }
    u32 lanes = g.next_table ? s.count : 0;
    for (u32 from = 0; from < lanes; from += BATCH) {
        u32 batch = fill_maps(s, key, forth(), from);
        for (u32 w = warp; w < count; w += WARPS) {
            u32 open = ~(won[w] | lost[w]) & valid_mask(first + w, g.states);
            if (!open) continue;
            bool active = open >> lane & 1, wins = false, holds = false;
            u32 set = active ? g.sets[(first + w) * 32 + lane] : 0;
            for (u32 j = 0; j < batch; j++) {
                if (!active || set & s.gaps[j]) continue;
                u32 rank = lane_rank(s, j, g.mover == FEW ? set : set | s.gaps[j]);
                u64 start = (u64)s.row[s.list[from + j]] * g.next_words;
                u64 bits = g.next_table[start + rank / 32] >> (rank % 32);
                bool won_there = bits & 1, lost_there = bits >> 32 & 1;
                holds |= !won_there;
                wins |= lost_there;
                active = !wins;
            }
            u32 holding = __ballot_sync(~0u, holds), winning = __ballot_sync(~0u, wins);
            if (lane == 0) safe[w] |= holding, won[w] |= winning;
            __syncwarp();
        }
    }
    __syncthreads();
    for (u32 w = warp; w < count; w += WARPS) {
        u64 place = (u64)row * g.words + first + w;
        if (lane == 0) g.table[place] = won[w] | (u64)lost[w] << 32, g.safe[place] = safe[w];
    }
}

// One pass over the open positions, through the moves that take an own cube.
extern "C" __global__ void __launch_bounds__(THREADS) decide(Job g) {
    __shared__ Lanes s;
    __shared__ u32 open[SEGMENT], won[SEGMENT], loses[SEGMENT];
    u32 row = blockIdx.x / g.segments, first = blockIdx.x % g.segments * SEGMENT;
    u32 count = min(SEGMENT, g.words - first), warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    u64 place = (u64)row * g.words + first;
    u32 any = 0;
    for (u32 w = threadIdx.x; w < count; w += THREADS) {
        u64 word = g.table[place + w];
        u32 left = ~((u32)word | (u32)(word >> 32)) & valid_mask(first + w, g.states);
        open[w] = left, won[w] = 0, loses[w] = left & ~g.safe[place + w];
        any |= left;
    }
    if (!__syncthreads_or(any)) return;
    u32 key = g.keys[row];
    find_lanes(s, g, key, forth(), g.mover == FEW, false);
    if (g.pass > 1) {
        bool news = threadIdx.x < s.count && g.next_changed[s.row[s.list[threadIdx.x]]] >= g.news;
        if (!__syncthreads_or(news)) return;
    }
    for (u32 from = 0; from < s.count; from += BATCH) {
        u32 batch = fill_maps(s, key, forth(), from);
        for (u32 w = warp; w < count; w += WARPS) {
            u32 left = open[w] & ~won[w];
            if (!left) continue;
            bool active = left >> lane & 1, wins = false, lost = true;
            u32 set = active ? g.sets[(first + w) * 32 + lane] : 0;
            for (u32 j = 0; j < batch; j++) {
                if (!active || (g.mover != FEW && !(set & s.gaps[j]))) continue;
                u32 rank = lane_rank(s, j, set);
                u64 bits = g.next_table[(u64)s.row[s.list[from + j]] * g.words + rank / 32] >> (rank % 32);
                lost &= bits & 1;
                wins |= bits >> 32 & 1;
                active = !wins;
            }
            u32 winning = __ballot_sync(~0u, wins), losing = __ballot_sync(~0u, lost);
            if (lane == 0) won[w] |= winning, loses[w] &= losing;
            __syncwarp();
        }
    }
    __syncthreads();
    u32 changed = 0;
    for (u32 w = warp; w < count; w += WARPS) {
        if (!open[w]) continue;
        bool wins = won[w] >> lane & 1, lost = !wins && loses[w] >> lane & 1;
        u32 winning = __ballot_sync(~0u, wins), losing = __ballot_sync(~0u, lost && !wins);
        if (winning | losing) {
            changed = 1;
            u64 decided = winning | (u64)losing << 32;
            // No other thread writes this word, and no kernel reads this table now.
            if (lane == 0) g.table[place + w] |= decided;
        }
    }
    if (__syncthreads_or(changed) && threadIdx.x == 0) {
        g.changed[row] = g.pass;
        *g.found = 1;
    }
}

// Where both sides have as many cubes: the first look at the table with the mover's own set as key, from the other.
extern "C" __global__ void __launch_bounds__(THREADS) turn_around(Job g) {
    u64 all = (u64)g.rows * g.words;
    u32 lane = threadIdx.x % 32;
    for (u64 i = (blockIdx.x * (u64)blockDim.x + threadIdx.x) / 32; i < all; i += (u64)gridDim.x * blockDim.x / 32) {
        u32 row = i / g.words, state = i % g.words * 32 + lane;
        bool won = false, lost = false, safe = false;
        if (state < g.states) {
            Twin twin = twin_of(g, row, state);
            u64 from = (u64)twin.row * g.words + twin.rank / 32;
            u64 bits = g.next_table[from] >> (twin.rank % 32);
            won = bits & 1, lost = bits >> 32 & 1, safe = g.next_safe[from] >> (twin.rank % 32) & 1;
        }
        u32 won_mask = __ballot_sync(~0u, won), lost_mask = __ballot_sync(~0u, lost), safe_mask = __ballot_sync(~0u, safe);
        if (lane == 0) g.table[i] = won_mask | (u64)lost_mask << 32, g.safe[i] = safe_mask;
    }
}

// Adds up won and lost over all symmetric forms.
extern "C" __global__ void __launch_bounds__(THREADS) count(Job g, u64 *counts) {
    u32 row = blockIdx.x / g.segments, first = blockIdx.x % g.segments * SEGMENT;
    u32 count = min(SEGMENT, g.words - first);
    u32 won = 0, lost = 0;
    u64 place = (u64)row * g.words + first, orbit = g.orbits[row];
    for (u32 w = threadIdx.x; w < count; w += THREADS) {
        u64 word = g.table[place + w];
        won += __popc((u32)word), lost += __popc((u32)(word >> 32));
    }
    for (u32 step = 16; step; step /= 2) {
        won += __shfl_down_sync(~0u, won, step);
        lost += __shfl_down_sync(~0u, lost, step);
    }
    if (threadIdx.x % 32 == 0) {
        if (won) atomicAdd(&counts[0], won * orbit);
        if (lost) atomicAdd(&counts[1], lost * orbit);
    }
}

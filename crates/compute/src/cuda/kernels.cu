// The kernels of the CUDA device, compiled when a device is opened.
//
// Nothing here adds floats in an order that depends on timing. Sums whose order is not fixed are taken over integers
// (fixed point), for which order does not matter; all other sums run in a fixed order. So the same numbers in give the
// same bits out, run after run.
//
// Names: a *hit* is one view of one sample (hit = sample * views + view); a *tile* is 256 columns of a table, eight a
// lane of a warp; a *chunk* is up to CHUNK hits that share a feature.

typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

// TILE, CHUNK, PLAN_BLOCK, GRADIENT_UNIT, FIXED_UNIT and DIRECT_UNIT are given to the compiler by kernels.rs.
#define FULL 0xffffffffu
#define LANE_COLUMNS 8
// Gradients of sums are kept as half floats of GRADIENT_UNIT-ths, at most GRADIENT_LIMIT of them, so that CHUNK of them
// fit an i32 in steps of 1 / FIXED_UNIT.
#define GRADIENT_LIMIT 2047.0f

__device__ __forceinline__ u16 to_half(float value) {
    u16 half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value));
    return half;
}

__device__ __forceinline__ float from_half(u16 half) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half));
    return value;
}

__device__ __forceinline__ void unpack(uint4 packed, float *values) {
    u32 words[4] = {packed.x, packed.y, packed.z, packed.w};
#pragma unroll
    for (int word = 0; word < 4; ++word) {
        values[2 * word] = from_half((u16)(words[word] & 0xffffu));
        values[2 * word + 1] = from_half((u16)(words[word] >> 16));
    }
}

__device__ __forceinline__ uint4 pack(const float *values) {
    u32 words[4];
#pragma unroll
    for (int word = 0; word < 4; ++word)
        words[word] = (u32)to_half(values[2 * word]) | (u32)to_half(values[2 * word + 1]) << 16;
    return make_uint4(words[0], words[1], words[2], words[3]);
}

__device__ __forceinline__ u16 gradient_half(float gradient) {
    return to_half(fminf(fmaxf(gradient * GRADIENT_UNIT, -GRADIENT_LIMIT), GRADIENT_LIMIT));
}

__device__ __forceinline__ float clip(float value) { return fminf(fmaxf(value, 0.0f), 1.0f); }

// ---------------------------------------------------------------------------------------------------------- tables

// The copy of a table that the forward pass reads: real rows plus the coarse rows that belong to them, rounded to the
// steps of the played network if asked for. Eight columns a thread.
extern "C" __global__ void table_shadow(const float *real, const float *coarse, const u32 *link_begins,
                                        const u32 *links, u16 *shadow, u32 rows, u32 width, u32 stride,
                                        u32 linked, float steps) {
    u32 at = blockIdx.x * blockDim.x + threadIdx.x, groups = stride / LANE_COLUMNS;
    u32 row = at / groups, column = at % groups * LANE_COLUMNS;
    if (row >= rows) return;
    float values[LANE_COLUMNS];
#pragma unroll
    for (int k = 0; k < LANE_COLUMNS; ++k)
        values[k] = column + k < width ? real[(u64)row * width + column + k] : 0.0f;
    if (linked) {
        for (u32 link = link_begins[row]; link < link_begins[row + 1]; ++link) {
#pragma unroll
            for (int k = 0; k < LANE_COLUMNS; ++k)
                if (column + k < width) values[k] += coarse[(u64)links[link] * width + column + k];
        }
    }
    if (steps > 0.0f) {
#pragma unroll
        for (int k = 0; k < LANE_COLUMNS; ++k) values[k] = rintf(values[k] * steps) / steps;
    }
    *(uint4 *)(shadow + (u64)row * stride + column) = pack(values);
}

// The same in full precision, for narrow tables.
extern "C" __global__ void direct_shadow(const float *real, const float *coarse, const u32 *link_begins,
                                         const u32 *links, float *shadow, u32 rows, u32 width, u32 linked) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= (u64)rows * width) return;
    u32 row = (u32)(at / width), column = (u32)(at % width);
    float value = real[at];
    if (linked) {
        for (u32 link = link_begins[row]; link < link_begins[row + 1]; ++link)
            value += coarse[(u64)links[link] * width + column];
    }
    shadow[at] = value;
}

// One warp sums the rows of one hit in one tile.
extern "C" __global__ void table_forward(const u16 *shadow, const float *biases, const u32 *own_ends,
                                         const u32 *own, const u32 *other_ends, const u32 *other, u16 *sums,
                                         u32 samples, u32 views, u32 width, u32 stride, u32 tiles) {
    u32 warp = (u32)(((u64)blockIdx.x * blockDim.x + threadIdx.x) / 32), lane = threadIdx.x & 31;
    u32 hits = samples * views;
    u32 tile = warp / hits, hit = warp % hits;
    if (tile >= tiles) return;
    u32 sample = hit / views;
    bool mine = views == 1 || (hit & 1) == 0;
    const u32 *ends = mine ? own_ends : other_ends;
    const u32 *indices = mine ? own : other;
    u32 begin = sample == 0 ? 0 : ends[sample - 1], end = ends[sample];
    u32 column = tile * TILE + lane * LANE_COLUMNS;
    bool inside = column < stride;
    float totals[LANE_COLUMNS];
#pragma unroll
    for (int k = 0; k < LANE_COLUMNS; ++k) totals[k] = column + k < width ? biases[column + k] : 0.0f;
    for (u32 at = begin; at < end; at += 32) {
        u32 index = at + lane < end ? indices[at + lane] : 0;
        u32 count = min(32u, end - at);
#pragma unroll 8
        for (u32 k = 0; k < count; ++k) {
            u32 row = __shfl_sync(FULL, index, k);
            if (inside) {
                float values[LANE_COLUMNS];
                unpack(*(const uint4 *)(shadow + (u64)row * stride + column), values);
#pragma unroll
                for (int c = 0; c < LANE_COLUMNS; ++c) totals[c] += values[c];
            }
        }
    }
    if (inside) *(uint4 *)(sums + (u64)hit * stride + column) = pack(totals);
}

// Counts the hits of every feature, and says of each the how-manieth it is; which is which depends on timing, but all of them are
// added up over integers later.
extern "C" __global__ void count_features(const u32 *own_ends, const u32 *own, const u32 *other_ends,
                                          const u32 *other, u32 *counts, u32 *ranks, u32 samples) {
    const u32 *indices = blockIdx.y == 0 ? own : other;
    u32 first = own_ends[samples - 1], total = blockIdx.y == 0 ? first : other_ends[samples - 1];
    if (blockIdx.y == 1) ranks += first;
    for (u32 at = blockIdx.x * blockDim.x + threadIdx.x; at < total; at += gridDim.x * blockDim.x)
        ranks[at] = atomicAdd(&counts[indices[at]], 1u);
}

// Where each feature's hits begin, its chunks, and a slot for those with more than one chunk: three sums over all
// features before, in three steps. A block takes PLAN_BLOCK features.
__device__ __forceinline__ u32 chunks_of(u32 count) { return count <= CHUNK ? 1 : (count + CHUNK - 1) / CHUNK; }

// The sums up to and including the own thread's three numbers; 1024 threads, so that the totals of the warps fit one warp.
__device__ __forceinline__ void scan(u32 *numbers) {
    __shared__ u32 totals[3][32];
    u32 lane = threadIdx.x & 31, warp = threadIdx.x / 32;
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        for (u32 step = 1; step < 32; step *= 2) {
            u32 before = __shfl_up_sync(FULL, numbers[k], step);
            if (lane >= step) numbers[k] += before;
        }
        if (lane == 31) totals[k][warp] = numbers[k];
    }
    __syncthreads();
    if (warp == 0) {
#pragma unroll
        for (int k = 0; k < 3; ++k) {
            u32 total = totals[k][lane];
            for (u32 step = 1; step < 32; step *= 2) {
                u32 before = __shfl_up_sync(FULL, total, step);
                if (lane >= step) total += before;
            }
            totals[k][lane] = total;
        }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 3; ++k)
        if (warp > 0) numbers[k] += totals[k][warp - 1];
    __syncthreads();
}

extern "C" __global__ void plan_blocks(const u32 *counts, u32 *block_sums, u32 rows) {
    u32 row = blockIdx.x * PLAN_BLOCK + threadIdx.x;
    u32 count = row < rows ? counts[row] : 0, chunks = row < rows ? chunks_of(count) : 0;
    u32 numbers[3] = {count, chunks, chunks > 1};
    scan(numbers);
    if (threadIdx.x == PLAN_BLOCK - 1)
        for (int k = 0; k < 3; ++k) block_sums[3 * blockIdx.x + k] = numbers[k];
}

// One block: block sums become the sums before each block.
extern "C" __global__ void plan_totals(u32 *block_sums, u32 *totals, u32 blocks) {
    u32 carried[3] = {0, 0, 0};
    __shared__ u32 last[3];
    for (u32 begin = 0; begin < blocks; begin += PLAN_BLOCK) {
        u32 block = begin + threadIdx.x;
        u32 own[3], numbers[3];
        for (int k = 0; k < 3; ++k) numbers[k] = own[k] = block < blocks ? block_sums[3 * block + k] : 0;
        scan(numbers);
        if (block < blocks)
            for (int k = 0; k < 3; ++k) block_sums[3 * block + k] = carried[k] + numbers[k] - own[k];
        if (threadIdx.x == PLAN_BLOCK - 1)
            for (int k = 0; k < 3; ++k) last[k] = numbers[k];
        __syncthreads();
        for (int k = 0; k < 3; ++k) carried[k] += last[k];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        totals[0] = carried[1];
        totals[1] = carried[2];
    }
}

// chunk = {row, first hit, one past the last hit, slot}
extern "C" __global__ void fill_chunks(const u32 *counts, const u32 *block_sums, u32 *begins, uint4 *chunks,
                                       u32 *slot_rows, u32 rows) {
    u32 row = blockIdx.x * PLAN_BLOCK + threadIdx.x;
    u32 count = row < rows ? counts[row] : 0, of_row = row < rows ? chunks_of(count) : 0;
    u32 numbers[3] = {count, of_row, of_row > 1};
    scan(numbers);
    if (row >= rows) return;
    u32 begin = block_sums[3 * blockIdx.x] + numbers[0] - count, end = begin + count;
    u32 at = block_sums[3 * blockIdx.x + 1] + numbers[1] - of_row;
    u32 slot = of_row > 1 ? block_sums[3 * blockIdx.x + 2] + numbers[2] - 1 : FULL;
    begins[row] = begin;
    if (slot != FULL) slot_rows[slot] = row;
    do {
        chunks[at++] = make_uint4(row, begin, min(begin + CHUNK, end), slot);
        begin += CHUNK;
    } while (begin < end);
}

extern "C" __global__ void scatter_hits(const u32 *own_ends, const u32 *own, const u32 *other_ends, const u32 *other,
                                        const u32 *begins, const u32 *ranks, u32 *sorted, u32 samples, u32 views) {
    u32 hit = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (hit >= samples * views) return;
    u32 sample = hit / views;
    bool mine = views == 1 || (hit & 1) == 0;
    const u32 *ends = mine ? own_ends : other_ends;
    const u32 *indices = mine ? own : other;
    if (!mine) ranks += own_ends[samples - 1];
    u32 begin = sample == 0 ? 0 : ends[sample - 1], end = ends[sample];
    for (u32 at = begin + lane; at < end; at += 32) sorted[begins[indices[at]] + ranks[at]] = hit;
}

// One warp sums the gradients of one chunk in one tile, over integers.
extern "C" __global__ void table_backward(const u16 *gradients, const u32 *sorted, const uint4 *chunks,
                                          const u32 *totals, float *out, i64 *slot_sums, u32 bound, u32 width,
                                          u32 stride, u32 tiles, float scale) {
    u32 warp = (u32)(((u64)blockIdx.x * blockDim.x + threadIdx.x) / 32), lane = threadIdx.x & 31;
    u32 tile = warp / bound, number = warp % bound;
    if (tile >= tiles || number >= totals[0]) return;
    uint4 chunk = chunks[number];
    u32 column = tile * TILE + lane * LANE_COLUMNS;
    bool inside = column < stride;
    int sums[LANE_COLUMNS] = {0, 0, 0, 0, 0, 0, 0, 0};
    for (u32 at = chunk.y; at < chunk.z; at += 32) {
        u32 mine = at + lane < chunk.z ? sorted[at + lane] : 0;
        u32 count = min(32u, chunk.z - at);
#pragma unroll 8
        for (u32 k = 0; k < count; ++k) {
            u32 hit = __shfl_sync(FULL, mine, k);
            if (inside) {
                float values[LANE_COLUMNS];
                unpack(*(const uint4 *)(gradients + (u64)hit * stride + column), values);
#pragma unroll
                for (int c = 0; c < LANE_COLUMNS; ++c) sums[c] += __float2int_rn(values[c] * FIXED_UNIT);
            }
        }
    }
    if (!inside) return;
    float step = scale / (GRADIENT_UNIT * FIXED_UNIT);
#pragma unroll
    for (int c = 0; c < LANE_COLUMNS; ++c) {
        if (column + c >= width) break;
        if (chunk.w == FULL)
            out[(u64)chunk.x * width + column + c] = (float)sums[c] * step;
        else
            atomicAdd((u64 *)&slot_sums[(u64)chunk.w * width + column + c], (u64)(i64)sums[c]);
    }
}

// Writes the sums of features with several chunks, and clears the slots for the next batch.
extern "C" __global__ void finish_slots(i64 *slot_sums, const u32 *slot_rows, const u32 *totals, float *out,
                                        u32 width, float scale) {
    double step = (double)scale / ((double)GRADIENT_UNIT * (double)FIXED_UNIT);
    for (u32 slot = blockIdx.x; slot < totals[1]; slot += gridDim.x) {
        u64 from = (u64)slot * width, to = (u64)slot_rows[slot] * width;
        for (u32 column = threadIdx.x; column < width; column += blockDim.x) {
            out[to + column] = (float)((double)slot_sums[from + column] * step);
            slot_sums[from + column] = 0;
        }
    }
}

// The gradient of a coarse row is the sum of those of its real rows.
extern "C" __global__ void coarse_gradient(const float *real, const u32 *member_begins, const u32 *members,
                                           float *coarse, u32 rows, u32 width) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= (u64)rows * width) return;
    u32 row = (u32)(at / width), column = (u32)(at % width);
    float sum = 0.0f;
    for (u32 k = member_begins[row]; k < member_begins[row + 1]; ++k) sum += real[(u64)members[k] * width + column];
    coarse[at] = sum;
}

// Adds up gradients of sums by column; a block takes 128 hits.
extern "C" __global__ void bias_sums(const u16 *gradients, i64 *sums, u32 hits, u32 width, u32 stride) {
    u32 column = blockIdx.y * blockDim.x + threadIdx.x;
    if (column >= width) return;
    u32 first = blockIdx.x * 128, last = min(first + 128, hits);
    i64 sum = 0;
#pragma unroll 16
    for (u32 hit = first; hit < last; ++hit)
        sum += __float2int_rn(from_half(gradients[(u64)hit * stride + column]) * FIXED_UNIT);
    atomicAdd((u64 *)&sums[column], (u64)sum);
}

extern "C" __global__ void finish_sums(i64 *sums, float *out, u32 count, double step) {
    u32 at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    out[at] = (float)((double)sums[at] * step);
    sums[at] = 0;
}

__device__ __forceinline__ u32 bucket_of(const u32 *bucket_ends, u32 sample) {
    u32 bucket = 0;
    while (sample >= bucket_ends[bucket]) ++bucket;
    return bucket;
}

// Half the difference of the direct weights of both views joins the value.
extern "C" __global__ void direct_forward(const float *shadow, const u32 *own_ends, const u32 *own,
                                          const u32 *other_ends, const u32 *other, const u32 *bucket_ends,
                                          float *values, u32 samples, u32 buckets) {
    u32 sample = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (sample >= samples) return;
    u32 bucket = bucket_of(bucket_ends, sample);
    float sum = 0.0f;
    u32 begin = sample == 0 ? 0 : own_ends[sample - 1];
    for (u32 at = begin + lane; at < own_ends[sample]; at += 32) sum += shadow[(u64)own[at] * buckets + bucket];
    begin = sample == 0 ? 0 : other_ends[sample - 1];
    for (u32 at = begin + lane; at < other_ends[sample]; at += 32) sum -= shadow[(u64)other[at] * buckets + bucket];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(FULL, sum, step);
    if (lane == 0) values[sample] += sum * 0.5f;
}

extern "C" __global__ void direct_backward(const float *value_gradients, const u32 *own_ends, const u32 *own,
                                           const u32 *other_ends, const u32 *other, const u32 *bucket_ends,
                                           i64 *sums, u32 samples, u32 buckets) {
    u32 sample = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (sample >= samples) return;
    u32 bucket = bucket_of(bucket_ends, sample);
    i64 step = (i64)rint((double)value_gradients[sample] * 0.5 * DIRECT_UNIT);
    u32 begin = sample == 0 ? 0 : own_ends[sample - 1];
    for (u32 at = begin + lane; at < own_ends[sample]; at += 32)
        atomicAdd((u64 *)&sums[(u64)own[at] * buckets + bucket], (u64)step);
    begin = sample == 0 ? 0 : other_ends[sample - 1];
    for (u32 at = begin + lane; at < other_ends[sample]; at += 32)
        atomicAdd((u64 *)&sums[(u64)other[at] * buckets + bucket], (u64)(-step));
}

// ------------------------------------------------------------------------------------------------------ dense layers

// How a layer sees its input: as it lies, or as the activated sums of a table.
struct Lens {
    u32 kind;  // 0 plain, 1 clipped, 2 squared, 3 pairwise
    u32 inputs;
    u32 width;
    u32 stride;
    u32 views;
    u32 activated;  // columns a view hands on
    float gain;
};

// Plain inputs are floats, a table's sums are half floats.
__device__ __forceinline__ float seen(const void *x, const Lens &lens, u32 sample, u32 input) {
    if (lens.kind == 0) return ((const float *)x)[(u64)sample * lens.inputs + input];
    u32 view = input >= lens.activated ? 1 : 0, column = input - view * lens.activated;
    const u16 *row = (const u16 *)x + (u64)(sample * lens.views + view) * lens.stride;
    float value = clip(from_half(row[column]));
    if (lens.kind == 2) value *= value;
    if (lens.kind == 3) value *= clip(from_half(row[column + lens.width / 2]));
    return value * lens.gain;
}

// The samples that a block works on: blocks never mix buckets.
struct Range {
    u32 bucket, first, last;
};

__device__ __forceinline__ Range range_of(const u32 *bucket_ends, u32 buckets, u32 size, u32 block) {
    u32 begin = 0;
    for (u32 bucket = 0; bucket < buckets; ++bucket) {
        u32 end = bucket_ends[bucket], blocks = (end - begin + size - 1) / size;
        if (block < blocks) return {bucket, begin + block * size, min(begin + (block + 1) * size, end)};
        block -= blocks;
        begin = end;
    }
    return {0, 0, 0};
}

// 32 samples by 32 outputs a block of 128 threads, 2 by 4 a thread.
extern "C" __global__ void __launch_bounds__(128, 4) dense_forward(const void *x, Lens lens, const float *weights, const float *biases,
                                         const u32 *bucket_ends, u32 buckets, u32 outputs, float *out) {
    __shared__ float xs[32][33];
    __shared__ float ws[32][36];
    Range range = range_of(bucket_ends, buckets, 32, blockIdx.x);
    if (range.first >= range.last) return;
    u32 first_output = blockIdx.y * 32, thread = threadIdx.x;
    u32 mine_output = (thread % 8) * 4, mine_sample = (thread / 8) * 2;
    u32 row = thread / 32, column = thread % 32;
    const float *matrix = weights + (u64)range.bucket * outputs * lens.inputs;
    float sums[2][4] = {}, loaded[8], weight[8];
    auto load = [&](u32 begin) {
        u32 input = begin + column;
#pragma unroll
        for (u32 k = 0; k < 8; ++k) {
            u32 sample = range.first + 4 * k + row, output = first_output + 4 * k + row;
            loaded[k] = sample < range.last && input < lens.inputs ? seen(x, lens, sample, input) : 0.0f;
            weight[k] = output < outputs && input < lens.inputs ? matrix[(u64)output * lens.inputs + input] : 0.0f;
        }
    };
    load(0);
    for (u32 begin = 0; begin < lens.inputs; begin += 32) {
#pragma unroll
        for (u32 k = 0; k < 8; ++k) {
            xs[column][4 * k + row] = loaded[k];
            ws[column][4 * k + row] = weight[k];
        }
        __syncthreads();
        // What comes next is on its way while this is worked on.
        load(begin + 32);
#pragma unroll
        for (u32 k = 0; k < 32; ++k) {
            float a[2] = {xs[k][mine_sample], xs[k][mine_sample + 1]};
            float4 b = *(const float4 *)&ws[k][mine_output];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                sums[i][0] += a[i] * b.x;
                sums[i][1] += a[i] * b.y;
                sums[i][2] += a[i] * b.z;
                sums[i][3] += a[i] * b.w;
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i) {
        u32 sample = range.first + mine_sample + i;
        if (sample >= range.last) continue;
        for (int j = 0; j < 4; ++j) {
            u32 output = first_output + mine_output + j;
            if (output < outputs)
                out[(u64)sample * outputs + output] = sums[i][j] + biases[range.bucket * outputs + output];
        }
    }
}

__device__ __forceinline__ void four_of_halves(const u16 *from, float *values) {
    uint2 packed = *(const uint2 *)from;
    u32 words[2] = {packed.x, packed.y};
#pragma unroll
    for (int k = 0; k < 4; ++k) values[k] = from_half((u16)(words[k / 2] >> (k % 2 * 16)));
}

// Four neighbouring inputs at once; the numbers of a view must be a multiple of four.
__device__ __forceinline__ void seen_four(const void *x, const Lens &lens, u32 sample, u32 input, float *values) {
    if (lens.kind == 0) {
        float4 four = *(const float4 *)((const float *)x + (u64)sample * lens.inputs + input);
        values[0] = four.x, values[1] = four.y, values[2] = four.z, values[3] = four.w;
        return;
    }
    u32 view = input >= lens.activated ? 1 : 0, column = input - view * lens.activated;
    const u16 *row = (const u16 *)x + (u64)(sample * lens.views + view) * lens.stride + column;
    float others[4];
    four_of_halves(row, values);
    if (lens.kind == 3) four_of_halves(row + lens.width / 2, others);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        values[k] = clip(values[k]);
        if (lens.kind == 2) values[k] *= values[k];
        if (lens.kind == 3) values[k] *= clip(others[k]);
        values[k] *= lens.gain;
    }
}

// One warp a sample, up to four outputs.
extern "C" __global__ void narrow_forward(const void *x, Lens lens, const float *weights, const float *biases,
                                          const u32 *bucket_ends, u32 samples, u32 outputs, float *out) {
    u32 sample = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (sample >= samples) return;
    u32 bucket = bucket_of(bucket_ends, sample);
    const float *matrix = weights + (u64)bucket * outputs * lens.inputs;
    float sums[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    if ((lens.inputs | lens.activated | lens.width / 2) % 4 == 0) {
#pragma unroll 4
        for (u32 input = lane * 4; input < lens.inputs; input += 128) {
            float value[4];
            seen_four(x, lens, sample, input, value);
#pragma unroll
            for (u32 output = 0; output < 4; ++output) {
                if (output >= outputs) break;
                float4 weight = *(const float4 *)(matrix + (u64)output * lens.inputs + input);
                sums[output] += value[0] * weight.x + value[1] * weight.y + value[2] * weight.z + value[3] * weight.w;
            }
        }
    } else {
        for (u32 input = lane; input < lens.inputs; input += 32) {
            float value = seen(x, lens, sample, input);
#pragma unroll
            for (u32 output = 0; output < 4; ++output)
                if (output < outputs) sums[output] += value * matrix[(u64)output * lens.inputs + input];
        }
    }
    for (u32 output = 0; output < outputs; ++output) {
        float sum = sums[output];
        for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(FULL, sum, step);
        if (lane == 0) out[(u64)sample * outputs + output] = sum + biases[bucket * outputs + output];
    }
}

// Partial gradients of `size` samples, 64 inputs by 32 outputs a block; the column behind the inputs is the bias.
extern "C" __global__ void dense_partial(const void *x, Lens lens, const float *gradients, const u32 *bucket_ends,
                                         u32 buckets, u32 outputs, u32 size, float *partial) {
    __shared__ float xs[32][68];
    __shared__ float gs[32][36];
    Range range = range_of(bucket_ends, buckets, size, blockIdx.x);
    if (range.first >= range.last) return;
    u32 first_input = blockIdx.y * 64, first_output = blockIdx.z * 32, thread = threadIdx.x;
    u32 mine_input = (thread % 16) * 4, mine_output = (thread / 16) * 4;
    float sums[4][4] = {};
    for (u32 begin = range.first; begin < range.last; begin += 32) {
#pragma unroll
        for (u32 k = 0; k < 16; ++k) {
            u32 at = k * 128 + thread, row = at / 64, column = at % 64;
            u32 sample = begin + row, input = first_input + column;
            float value = input == lens.inputs ? 1.0f : 0.0f;
            if (input < lens.inputs && sample < range.last) value = seen(x, lens, sample, input);
            xs[row][column] = value;
        }
        for (u32 k = 0; k < 8; ++k) {
            u32 at = k * 128 + thread, row = at / 32, column = at % 32;
            u32 sample = begin + row, output = first_output + column;
            gs[row][column] =
                sample < range.last && output < outputs ? gradients[(u64)sample * outputs + output] : 0.0f;
        }
        __syncthreads();
#pragma unroll 8
        for (u32 k = 0; k < 32; ++k) {
            float4 left = *(const float4 *)&xs[k][mine_input], right = *(const float4 *)&gs[k][mine_output];
            float a[4] = {left.x, left.y, left.z, left.w}, b[4] = {right.x, right.y, right.z, right.w};
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) sums[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int j = 0; j < 4; ++j) {
        u32 output = first_output + mine_output + j;
        if (output >= outputs) break;
        for (int i = 0; i < 4; ++i) {
            u32 input = first_input + mine_input + i;
            if (input <= lens.inputs)
                partial[((u64)blockIdx.x * outputs + output) * (lens.inputs + 1) + input] = sums[i][j];
        }
    }
}

// The same for up to four outputs: one input a thread.
extern "C" __global__ void narrow_partial(const void *x, Lens lens, const float *gradients, const u32 *bucket_ends,
                                          u32 buckets, u32 outputs, u32 size, float *partial) {
    Range range = range_of(bucket_ends, buckets, size, blockIdx.x);
    u32 input = blockIdx.y * blockDim.x + threadIdx.x;
    if (range.first >= range.last || input > lens.inputs) return;
    float sums[4] = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll 8
    for (u32 sample = range.first; sample < range.last; ++sample) {
        float value = input < lens.inputs ? seen(x, lens, sample, input) : 1.0f;
#pragma unroll
        for (u32 output = 0; output < 4; ++output)
            if (output < outputs) sums[output] += value * gradients[(u64)sample * outputs + output];
    }
    for (u32 output = 0; output < outputs; ++output)
        partial[((u64)blockIdx.x * outputs + output) * (lens.inputs + 1) + input] = sums[output];
}

extern "C" __global__ void reduce_partial(const float *partial, const u32 *bucket_ends, u32 buckets, u32 inputs,
                                          u32 outputs, u32 size, float scale, float *weights, float *biases) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    u32 columns = inputs + 1;
    if (at >= (u64)buckets * outputs * columns) return;
    u32 column = (u32)(at % columns), output = (u32)(at / columns % outputs), bucket = (u32)(at / columns / outputs);
    u32 block = 0, begin = 0, blocks = 0;
    for (u32 k = 0; k <= bucket; ++k) {
        block += blocks;
        blocks = (bucket_ends[k] - begin + size - 1) / size;
        begin = bucket_ends[k];
    }
    float sum = 0.0f;
#pragma unroll 16
    for (u32 k = block; k < block + blocks; ++k) sum += partial[((u64)k * outputs + output) * columns + column];
    if (column < inputs)
        weights[((u64)bucket * outputs + output) * inputs + column] = sum * scale;
    else
        biases[bucket * outputs + output] = sum * scale;
}

// The gradient of one sum, from that of what the layer sees of it; `other` is what it is multiplied with in pairs.
__device__ __forceinline__ u32 through(const Lens &lens, float sum, float other, float gradient) {
    if (!(sum > 0.0f && sum < 1.0f)) return 0;
    if (lens.kind == 2) gradient *= 2.0f * sum;
    if (lens.kind == 3) gradient *= clip(other);
    return gradient_half(gradient);
}

// One number or two neighbouring ones, in one access.
template <int COLUMNS>
__device__ __forceinline__ float2 taken(const float *from) {
    if constexpr (COLUMNS == 2) return *(const float2 *)from;
    return make_float2(*from, 0.0f);
}

template <int COLUMNS>
__device__ __forceinline__ float2 taken(const u16 *from) {
    if constexpr (COLUMNS == 2) {
        u32 both = *(const u32 *)from;
        return make_float2(from_half((u16)both), from_half((u16)(both >> 16)));
    }
    return make_float2(from_half(*from), 0.0f);
}

template <int COLUMNS>
__device__ __forceinline__ void put(u16 *to, u32 first, u32 second) {
    if constexpr (COLUMNS == 2)
        *(u32 *)to = first | second << 16;
    else
        *to = (u16)first;
}

// Gradients of a table's sums: through the layer and the activation, 16 samples a block, COLUMNS inputs a thread.
template <int COLUMNS>
__device__ __forceinline__ void gradients_of_sums(const u16 *x, const Lens &lens, const float *weights,
                                                  const float *gradients, const u32 *bucket_ends, u32 buckets,
                                                  u32 outputs, u16 *out) {
    extern __shared__ float4 gs[];
    Range range = range_of(bucket_ends, buckets, 16, blockIdx.x);
    if (range.first >= range.last) return;
    u32 count = range.last - range.first;
    for (u32 at = threadIdx.x; at < 16 * outputs; at += blockDim.x) {
        u32 sample = at % 16, output = at / 16;
        ((float *)gs)[at] = sample < count ? gradients[(u64)(range.first + sample) * outputs + output] : 0.0f;
    }
    __syncthreads();
    u32 input = (blockIdx.y * blockDim.x + threadIdx.x) * COLUMNS;
    if (input >= lens.inputs) return;
    const float *matrix = weights + (u64)range.bucket * outputs * lens.inputs + input;
    float2 sums[16] = {};
#pragma unroll 4
    for (u32 output = 0; output < outputs; ++output) {
        float2 weight = taken<COLUMNS>(matrix + (u64)output * lens.inputs);
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            float4 four = gs[output * 4 + k];
            float of[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                sums[4 * k + i].x += weight.x * of[i];
                if (COLUMNS == 2) sums[4 * k + i].y += weight.y * of[i];
            }
        }
    }
    u32 view = input >= lens.activated ? 1 : 0, column = input - view * lens.activated;
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        if (k >= count) break;
        u64 row = (u64)((range.first + k) * lens.views + view) * lens.stride + column;
        float2 sum = taken<COLUMNS>(x + row), other = make_float2(0.0f, 0.0f);
        float first = sums[k].x * lens.gain, second = sums[k].y * lens.gain;
        if (lens.kind == 3) {
            u64 pair = row + lens.width / 2;
            other = taken<COLUMNS>(x + pair);
            put<COLUMNS>(out + pair, through(lens, other.x, sum.x, first), through(lens, other.y, sum.y, second));
        }
        put<COLUMNS>(out + row, through(lens, sum.x, other.x, first), through(lens, sum.y, other.y, second));
    }
}

extern "C" __global__ void sum_gradients(const u16 *x, Lens lens, const float *weights, const float *gradients,
                                         const u32 *bucket_ends, u32 buckets, u32 outputs, u16 *out) {
    gradients_of_sums<1>(x, lens, weights, gradients, bucket_ends, buckets, outputs, out);
}

// For views that hand on an even number of columns.
extern "C" __global__ void sum_gradients_in_pairs(const u16 *x, Lens lens, const float *weights,
                                                  const float *gradients, const u32 *bucket_ends, u32 buckets,
                                                  u32 outputs, u16 *out) {
    gradients_of_sums<2>(x, lens, weights, gradients, bucket_ends, buckets, outputs, out);
}

extern "C" __global__ void input_gradients(const float *weights, const float *gradients, const u32 *bucket_ends,
                                           u32 samples, u32 inputs, u32 outputs, float *out) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= (u64)samples * inputs) return;
    u32 sample = (u32)(at / inputs), input = (u32)(at % inputs);
    const float *matrix = weights + (u64)bucket_of(bucket_ends, sample) * outputs * inputs + input;
    float sum = 0.0f;
    for (u32 output = 0; output < outputs; ++output)
        sum += gradients[(u64)sample * outputs + output] * matrix[(u64)output * inputs];
    out[at] = sum;
}

// Activations of a dense layer; a sum behind the width skips to the value. kinds: two bits each, 1 clipped, 2 squared,
// 3 folded, ending with 0.
__device__ __forceinline__ float activated(u32 kind, float sum, float gain) {
    if (kind == 1) return clip(sum);
    if (kind == 2) sum = fmaxf(sum, 0.0f);
    return fminf(sum * sum * gain, 1.0f);
}

__device__ __forceinline__ float slope(u32 kind, float sum, float gain) {
    if (kind == 1) return sum > 0.0f && sum < 1.0f ? 1.0f : 0.0f;
    if (kind == 2 && sum <= 0.0f) return 0.0f;
    return sum * sum * gain < 1.0f ? 2.0f * sum * gain : 0.0f;
}

extern "C" __global__ void activate(const float *sums, float *out, u32 samples, u32 width, u32 outputs, u32 kinds,
                                    u32 ways, float gain) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= (u64)samples * width) return;
    u32 sample = (u32)(at / width), unit = (u32)(at % width);
    float sum = sums[(u64)sample * outputs + unit];
    for (u32 way = 0; way < ways; ++way)
        out[(u64)sample * width * ways + way * width + unit] = activated(kinds >> (2 * way) & 3, sum, gain);
}

extern "C" __global__ void activate_backward(const float *sums, const float *gradients,
                                             const float *value_gradients, float *out, u32 samples, u32 width,
                                             u32 outputs, u32 kinds, u32 ways, float gain) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= (u64)samples * outputs) return;
    u32 sample = (u32)(at / outputs), unit = (u32)(at % outputs);
    if (unit >= width) {
        out[at] = value_gradients[sample];
        return;
    }
    float gradient = 0.0f;
    for (u32 way = 0; way < ways; ++way)
        gradient += gradients[(u64)sample * width * ways + way * width + unit] *
                    slope(kinds >> (2 * way) & 3, sums[at], gain);
    out[at] = gradient;
}

extern "C" __global__ void add_column(const float *sums, float *values, u32 samples, u32 outputs, u32 column) {
    u32 sample = blockIdx.x * blockDim.x + threadIdx.x;
    if (sample < samples) values[sample] += sums[(u64)sample * outputs + column];
}

// ---------------------------------------------------------------------------------------------------- loss and steps

__device__ __forceinline__ float sigmoid(float value) { return 1.0f / (1.0f + expf(-value)); }

// Losses of a block of 256 samples are added in a fixed order.
extern "C" __global__ void value_loss(const float *values, const float *targets, float *gradients, double *partial,
                                      u32 samples, float slope_of_value, float power) {
    __shared__ double sums[256];
    u32 sample = blockIdx.x * 256 + threadIdx.x;
    double loss = 0.0;
    if (sample < samples) {
        float expected = sigmoid(values[sample] * slope_of_value);
        float difference = expected - targets[sample], size = fabsf(difference);
        float below = power == 2.0f ? size : powf(size, power - 1.0f);
        loss = (double)(below * size);
        gradients[sample] =
            copysignf(power * below, difference) * expected * (1.0f - expected) * slope_of_value;
    }
    sums[threadIdx.x] = loss;
    __syncthreads();
    for (u32 step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step) sums[threadIdx.x] += sums[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

// Triplets of samples P, Q, R, given by their places in the batch: Q, after the move that was played, should be worse for its mover than R, after another
// one, and as good for its mover as P is bad. loss = -log s(R - Q) + weight * (s(P) - s(-Q))^2, all in slopes.
extern "C" __global__ void ranking_loss(const float *values, const u32 *places, float *gradients, double *partial,
                                        u32 triplets, float slope_of_value, float weight) {
    __shared__ double sums[256];
    u32 triplet = blockIdx.x * 256 + threadIdx.x;
    double loss = 0.0;
    if (triplet < triplets) {
        u32 at_p = places[3 * triplet], at_q = places[3 * triplet + 1], at_r = places[3 * triplet + 2];
        float p = values[at_p] * slope_of_value, q = values[at_q] * slope_of_value;
        float r = values[at_r] * slope_of_value;
        float chosen = sigmoid(r - q), before = sigmoid(p), after = sigmoid(-q), difference = before - after;
        float log_loss = r - q > 0.0f ? log1pf(expf(q - r)) : q - r + log1pf(expf(r - q));
        loss = (double)(log_loss + weight * difference * difference);
        gradients[at_p] = 2.0f * weight * difference * before * (1.0f - before) * slope_of_value;
        gradients[at_q] =
            ((1.0f - chosen) + 2.0f * weight * difference * after * (1.0f - after)) * slope_of_value;
        gradients[at_r] = -(1.0f - chosen) * slope_of_value;
    }
    sums[threadIdx.x] = loss;
    __syncthreads();
    for (u32 step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step) sums[threadIdx.x] += sums[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

// One warp: every lane adds its share, then the lanes are added.
extern "C" __global__ void total_loss(const double *partial, double *losses, u32 blocks, u32 place, double scale) {
    double sum = 0.0;
    for (u32 block = threadIdx.x; block < blocks; block += 32) sum += partial[block];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(FULL, sum, step);
    if (threadIdx.x == 0) losses[place] = sum * scale;
}

struct AdamStep {
    float rate, beta1, beta2, epsilon, decay, correction1, correction2, limit;
};

__device__ __forceinline__ void change(float &value, float gradient, float &m, float &v, const AdamStep &step) {
    m = step.beta1 * m + (1.0f - step.beta1) * gradient;
    v = step.beta2 * v + (1.0f - step.beta2) * gradient * gradient;
    value -= step.rate * step.decay * value;
    value -= step.rate * (m * step.correction1) / (sqrtf(v * step.correction2) + step.epsilon);
    value = fminf(fmaxf(value, -step.limit), step.limit);
}

// Four numbers a thread; the rest of a list whose length is no multiple of four falls to the last thread.
extern "C" __global__ void adam(float *values, const float *gradients, float *momentum, float *variance, u64 count,
                                AdamStep step) {
    u64 at = ((u64)blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (at + 4 <= count) {
        float4 value = *(float4 *)(values + at), gradient = *(const float4 *)(gradients + at);
        float4 m = *(float4 *)(momentum + at), v = *(float4 *)(variance + at);
        change(value.x, gradient.x, m.x, v.x, step);
        change(value.y, gradient.y, m.y, v.y, step);
        change(value.z, gradient.z, m.z, v.z, step);
        change(value.w, gradient.w, m.w, v.w, step);
        *(float4 *)(momentum + at) = m;
        *(float4 *)(variance + at) = v;
        *(float4 *)(values + at) = value;
        return;
    }
    for (; at < count; ++at) change(values[at], gradients[at], momentum[at], variance[at], step);
}

extern "C" __global__ void round_numbers(const float *from, float *to, u64 count, float steps) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) to[at] = steps > 0.0f ? rintf(from[at] * steps) / steps : from[at];
}

// histogram.h - how often values came, in buckets that widen with the values: 32 to each power of two, so that a
// quantile is off by 3 % at most, whatever its size. Adding one takes a few instructions, no memory and no floating
// point.
#pragma once
#include <stdint.h>

enum { histogram_steps = 32, histogram_buckets = 60 * histogram_steps };

struct histogram {
    uint64_t count, sum, most;
    uint64_t buckets[histogram_buckets];
};

static inline unsigned histogram_bucket(uint64_t value)
{
    // Below two powers' worth of steps each value has a bucket of its own.
    if (value < 2 * histogram_steps)
        return (unsigned)value;
    unsigned dropped_bits = 63u - (unsigned)__builtin_clzll(value) - 5u;
    return dropped_bits * histogram_steps + (unsigned)(value >> dropped_bits);
}

// The middle of a bucket.
static inline uint64_t histogram_value(unsigned bucket)
{
    if (bucket < 2 * histogram_steps)
        return bucket;
    unsigned dropped_bits = bucket / histogram_steps - 1;
    uint64_t least = (uint64_t)(bucket % histogram_steps + histogram_steps) << dropped_bits;
    return least + (1ull << dropped_bits) / 2;
}

static inline void histogram_add(struct histogram *histogram, uint64_t value)
{
    histogram->count += 1;
    histogram->sum += value;
    if (value > histogram->most)
        histogram->most = value;
    histogram->buckets[histogram_bucket(value)] += 1;
}

// The value that a share (0 to 1) of all stay at or below; 0 of none.
static inline uint64_t histogram_quantile(const struct histogram *histogram, double share)
{
    uint64_t wanted = (uint64_t)(share * (double)histogram->count + 0.5), seen = 0;
    for (unsigned bucket = 0; bucket < histogram_buckets; bucket++) {
        seen += histogram->buckets[bucket];
        if (seen > 0 && seen >= wanted) {
            uint64_t value = histogram_value(bucket);
            return value < histogram->most ? value : histogram->most;
        }
    }
    return histogram->most;
}

// The side that larder is compared with: items with a fixed seed, SQLite by its own calls, and what a benchmark asks
// of the system. Every function that can fail ends the process with a message: a benchmark has no use for half a run.
#ifndef LARDER_BASELINE_H
#define LARDER_BASELINE_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Items. Item `number` is the same in every run; a greater number has a greater id.

typedef enum { baseline_post = 0, baseline_shop = 1 } baseline_kind;

typedef struct {
    int64_t id;
    const char *body;
    int32_t length;
} baseline_item;

// Splitmix64: the next number of the sequence that `state` stands in.
uint64_t baseline_random(uint64_t *state);
// Like a snowflake id: a time in the upper bits, and neighbours at uneven distances.
int64_t baseline_id(uint32_t number);
// The JSON of an item. Returns its length, at most `capacity`; 4,096 bytes are always enough.
size_t baseline_body(baseline_kind kind, uint32_t number, char *buffer, size_t capacity);
// Items first ..< first + count, oldest first, in one allocation; to be freed by baseline_free_items.
baseline_item *baseline_items(baseline_kind kind, uint32_t first, uint32_t count);
void baseline_free_items(baseline_item *items);

// A store: a rowid table with UNIQUE(feed, id) and one of keys, in WAL mode with synchronous NORMAL and 4 KB pages;
// statements prepared once. One thread at a time.

typedef struct baseline_store baseline_store;

typedef struct {
    int64_t id;
    void *_Nullable body;
    int32_t length;
} baseline_row;

baseline_store *baseline_open(const char *path);
// Closes, which moves the log into the file.
void baseline_close(baseline_store *store);

void baseline_begin(baseline_store *store);
void baseline_commit(baseline_store *store);
void baseline_upsert(baseline_store *store, int64_t feed, const baseline_item *item);
// `count` items in one transaction.
void baseline_upsert_page(
    baseline_store *store, int64_t feed, const baseline_item *items, int32_t count);
// The newest items, and those below an id: bodies copied out, each into an allocation of its own. The rows belong to
// the store and are freed by its next read.
int32_t baseline_newest(baseline_store *store, int64_t feed, int32_t limit);
int32_t baseline_older(baseline_store *store, int64_t feed, int64_t id, int32_t limit);
const baseline_row *baseline_rows(baseline_store *store);

void baseline_set(
    baseline_store *store, const char *key, int32_t key_length, const void *value,
    int32_t length);
// A copy of the value, to be freed by the store's next read; its length, or -1 when there is none.
int32_t baseline_get(baseline_store *store, const char *key, int32_t key_length);
// What the last call of it found.
const void *_Nullable baseline_value(baseline_store *store);

// A store that holds a number of values at most: one more, and the one that was used least lately goes, in one
// transaction. Rows have the key, when they were used, with an index, and the value.

typedef struct baseline_bounded baseline_bounded;

baseline_bounded *baseline_bounded_open(const char *path, int64_t limit);
void baseline_bounded_add(
    baseline_bounded *store, const char *key, int32_t key_length, const void *value,
    int32_t length);
void baseline_bounded_close(baseline_bounded *store);

// PRAGMA integrity_check, then each body that the query `bodies` gives is read. About their bytes in all.
int64_t baseline_check(const char *path, const char *bodies);

// One writer, a page per transaction, and readers of random pages, each on a thread and a connection of its own.

typedef struct {
    double reads_per_second;
    double writes_per_second;
    double read_p50;
    double read_p99;
} baseline_traffic;

baseline_traffic baseline_run_traffic(
    const char *path, uint32_t stored, int32_t readers, double seconds);

// The system.

// Nanoseconds of a clock that only goes forward.
uint64_t baseline_now(void);
// Runs a program to its end, its output dropped, and returns the time from start to end in nanoseconds.
uint64_t baseline_run_program(const char *path, const char *argument);
// The most memory the process has held, in bytes, since the last call of baseline_forget_peak where the system can
// forget (Linux), else since its start.
uint64_t baseline_peak_memory(void);
void baseline_forget_peak(void);

#pragma clang assume_nonnull end

#endif

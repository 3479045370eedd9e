#include "baseline.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
    const char *path;
    uint32_t stored;
    atomic_bool *stop;
    uint64_t seed;
    double *times;  // of each read, in nanoseconds
    size_t count, capacity;
} reader;

typedef struct {
    const char *path;
    uint32_t stored;
    atomic_bool *stop;
    long pages;
} page_writer;

static void *read_pages(void *argument) {
    reader *self = argument;
    baseline_store *store = baseline_open(self->path);
    while (!atomic_load_explicit(self->stop, memory_order_relaxed) && self->count < self->capacity) {
        int64_t id = baseline_id(20 + (uint32_t)(baseline_random(&self->seed) % (self->stored - 20)));
        uint64_t start = baseline_now();
        if (baseline_older(store, 1, id, 20) != 20) abort();
        self->times[self->count++] = (double)(baseline_now() - start);
    }
    baseline_close(store);
    return NULL;
}

static void *write_pages(void *argument) {
    page_writer *self = argument;
    baseline_store *store = baseline_open(self->path);
    // Each page brings ten new items and ten that are stored; the bodies come back after a thousand pages.
    const uint32_t period = 10000;
    baseline_item *items = baseline_items(baseline_post, self->stored, period + 20);
    for (uint32_t first = 0; !atomic_load_explicit(self->stop, memory_order_relaxed); first += 10) {
        baseline_item page[20];
        for (uint32_t index = 0; index < 20; index++) {
            page[index] = items[(first + index) % period];
            page[index].id = baseline_id(self->stored + first + index);
        }
        baseline_upsert_page(store, 1, page, 20);
        self->pages++;
    }
    baseline_free_items(items);
    baseline_close(store);
    return NULL;
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

baseline_traffic baseline_run_traffic(const char *path, uint32_t stored, int32_t reader_count, double seconds) {
    const size_t capacity = 1 << 20;
    atomic_bool stop = false;
    reader *readers = calloc((size_t)reader_count, sizeof *readers);
    pthread_t *threads = calloc((size_t)reader_count + 1, sizeof *threads);
    if (!readers || !threads) abort();
    page_writer writer = {path, stored, &stop, 0};
    for (int32_t index = 0; index < reader_count; index++) {
        double *times = malloc(capacity * sizeof *times);
        if (!times) abort();
        readers[index] = (reader){path, stored, &stop, (uint64_t)index, times, 0, capacity};
    }
    uint64_t start = baseline_now();
    for (int32_t index = 0; index < reader_count; index++)
        if (pthread_create(&threads[index], NULL, read_pages, &readers[index])) abort();
    if (pthread_create(&threads[reader_count], NULL, write_pages, &writer)) abort();
    usleep((useconds_t)(seconds * 1e6));
    atomic_store(&stop, true);
    for (int32_t index = 0; index <= reader_count; index++) pthread_join(threads[index], NULL);
    double elapsed = (double)(baseline_now() - start) / 1e9;

    size_t total = 0;
    for (int32_t index = 0; index < reader_count; index++) total += readers[index].count;
    double *times = malloc((total + 1) * sizeof *times);
    if (!times) abort();
    size_t next = 0;
    for (int32_t index = 0; index < reader_count; index++) {
        for (size_t at = 0; at < readers[index].count; at++) times[next++] = readers[index].times[at];
        free(readers[index].times);
    }
    qsort(times, total, sizeof *times, compare);
    baseline_traffic result = {(double)total / elapsed, (double)writer.pages / elapsed,
                               total ? times[total / 2] : 0, total ? times[total * 99 / 100] : 0};
    free(times);
    free(readers);
    free(threads);
    return result;
}

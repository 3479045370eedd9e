#ifndef LARDER_CSQLITE_SHIM_H
#define LARDER_CSQLITE_SHIM_H

#include <sqlite3.h>
#include <stdint.h>

// The head of the WAL-index (https://www.sqlite.org/walformat.html#the_wal_index_header), which every connection of a
// file in WAL mode has in shared memory. CommitMark.swift says what is relied on.

typedef struct {
    // iChange in the lower half, isInit, bigEndCksum and szPage in the upper.
    uint64_t change;
    // mxFrame and nPage.
    uint64_t extent;
    // aFrameCksum.
    uint64_t checksum;
    // aSalt.
    uint64_t salt;
} larder_wal_head;

// The WAL-index of a connection that has read its file, or NULL where there is none to be looked at: in memory, by a VFS
// without shared memory, or in a format other than the one known.
//
// It stays where it is until the connection is closed or leaves WAL mode.
static inline const void *_Nullable larder_wal_index(sqlite3 *_Nonnull database) {
    sqlite3_file *file = 0;
    if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
    if (!file || !file->pMethods || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
    void volatile *region = 0;
    // The size SQLite itself asks for; without extending: the region is there, since the file has been read.
    if (file->pMethods->xShmMap(file, 0, 32768, 0, &region) != SQLITE_OK || !region) return 0;
    const void *index = (const void *)region;
    return __atomic_load_n((const uint32_t *)index, __ATOMIC_RELAXED) == 3007000 ? index : 0;
}

static inline larder_wal_head larder_read_wal_head(const void *_Nonnull index) {
    const uint64_t *words = (const uint64_t *)index;
    larder_wal_head head;
    head.change = __atomic_load_n(words + 1, __ATOMIC_ACQUIRE);
    head.extent = __atomic_load_n(words + 2, __ATOMIC_ACQUIRE);
    head.checksum = __atomic_load_n(words + 3, __ATOMIC_ACQUIRE);
    head.salt = __atomic_load_n(words + 4, __ATOMIC_ACQUIRE);
    return head;
}

// Options of a connection that are set by a variadic function, which Swift does not import: 1 is on, 0 is off.

static inline int larder_set_option(sqlite3 *_Nonnull database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}

#endif

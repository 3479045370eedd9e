#include "baseline.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

struct baseline_bounded {
    sqlite3 *database;
    sqlite3_stmt *begin, *commit, *set, *evict;
    int64_t count, limit, clock;
};

static void must(int result, sqlite3 *database, const char *what) {
    if (result == SQLITE_OK || result == SQLITE_ROW || result == SQLITE_DONE) return;
    fprintf(stderr, "larder-bench: raw SQLite: %s: %s\n", what, sqlite3_errmsg(database));
    exit(1);
}

static void run(sqlite3 *database, const char *sql) { must(sqlite3_exec(database, sql, NULL, NULL, NULL), database, sql); }

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement = NULL;
    must(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), database, sql);
    return statement;
}

static void finish(baseline_bounded *store, sqlite3_stmt *statement, const char *what) {
    must(sqlite3_step(statement), store->database, what);
    sqlite3_reset(statement);
}

baseline_bounded *baseline_bounded_open(const char *path, int64_t limit) {
    baseline_bounded *store = calloc(1, sizeof *store);
    if (!store) abort();
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    must(sqlite3_open_v2(path, &store->database, flags, NULL), store->database, path);
    run(store->database,
        "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -2000;"
        "CREATE TABLE bounded(key TEXT NOT NULL UNIQUE, used INTEGER NOT NULL, value BLOB NOT NULL);"
        "CREATE INDEX bounded_used ON bounded(used)");
    store->begin = prepare(store->database, "BEGIN IMMEDIATE");
    store->commit = prepare(store->database, "COMMIT");
    store->set = prepare(store->database, "INSERT INTO bounded(key, used, value) VALUES(?1, ?2, ?3)");
    store->evict = prepare(
        store->database, "DELETE FROM bounded WHERE rowid = (SELECT rowid FROM bounded ORDER BY used LIMIT 1)");
    store->limit = limit;
    return store;
}

void baseline_bounded_add(
    baseline_bounded *store, const char *key, int32_t key_length, const void *value, int32_t length) {
    finish(store, store->begin, "begin");
    sqlite3_bind_text(store->set, 1, key, key_length, SQLITE_STATIC);
    sqlite3_bind_int64(store->set, 2, ++store->clock);
    sqlite3_bind_blob(store->set, 3, value, length, SQLITE_STATIC);
    finish(store, store->set, "add");
    if (++store->count > store->limit) {
        finish(store, store->evict, "evict");
        store->count--;
    }
    finish(store, store->commit, "commit");
}

void baseline_bounded_close(baseline_bounded *store) {
    sqlite3_stmt *statements[] = {store->begin, store->commit, store->set, store->evict};
    for (size_t index = 0; index < sizeof statements / sizeof *statements; index++) sqlite3_finalize(statements[index]);
    must(sqlite3_close(store->database), store->database, "close");
    free(store);
}

int64_t baseline_check(const char *path, const char *bodies) {
    sqlite3 *database = NULL;
    must(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL), database, path);
    sqlite3_stmt *check = prepare(database, "PRAGMA integrity_check");
    must(sqlite3_step(check), database, "integrity_check");
    const unsigned char *word = sqlite3_column_text(check, 0);
    if (!word || word[0] != 'o' || word[1] != 'k') {
        fprintf(stderr, "larder-bench: raw SQLite: %s is damaged\n", path);
        exit(1);
    }
    sqlite3_finalize(check);
    int64_t bytes = 0;
    sqlite3_stmt *read = prepare(database, bodies);
    while (sqlite3_step(read) == SQLITE_ROW) {
        const unsigned char *body = sqlite3_column_blob(read, 0);
        int length = sqlite3_column_bytes(read, 0);
        // Each page of it is touched, as a sum of its bytes would.
        for (int index = 0; index < length; index += 512) bytes += body[index] & 1;
        bytes += length;
    }
    sqlite3_finalize(read);
    must(sqlite3_close(database), database, "close");
    return bytes;
}

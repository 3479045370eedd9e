#include "baseline.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_PAGE 1000

struct baseline_store {
    sqlite3 *database;
    sqlite3_stmt *begin, *commit, *upsert, *newest, *older, *set, *get;
    baseline_row rows[LONGEST_PAGE];
    int32_t row_count;
    void *value;
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

baseline_store *baseline_open(const char *path) {
    baseline_store *store = calloc(1, sizeof *store);
    if (!store) abort();
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    must(sqlite3_open_v2(path, &store->database, flags, NULL), store->database, path);
    sqlite3 *database = store->database;
    sqlite3_busy_timeout(database, 5000);
    run(database,
        "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -2000;"
        "CREATE TABLE IF NOT EXISTS items("
        "feed INTEGER NOT NULL, id INTEGER NOT NULL, body BLOB NOT NULL, UNIQUE(feed, id));"
        "CREATE TABLE IF NOT EXISTS entries(key TEXT NOT NULL UNIQUE, value BLOB NOT NULL)");
    store->begin = prepare(database, "BEGIN IMMEDIATE");
    store->commit = prepare(database, "COMMIT");
    store->upsert = prepare(
        database,
        "INSERT INTO items(feed, id, body) VALUES(?1, ?2, ?3) "
        "ON CONFLICT(feed, id) DO UPDATE SET body = excluded.body");
    store->newest = prepare(database, "SELECT id, body FROM items WHERE feed = ?1 ORDER BY id DESC LIMIT ?2");
    store->older = prepare(
        database, "SELECT id, body FROM items WHERE feed = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3");
    store->set = prepare(
        database,
        "INSERT INTO entries(key, value) VALUES(?1, ?2) ON CONFLICT(key) DO UPDATE SET value = excluded.value");
    store->get = prepare(database, "SELECT value FROM entries WHERE key = ?1");
    return store;
}

static void drop_results(baseline_store *store) {
    for (int32_t index = 0; index < store->row_count; index++) free(store->rows[index].body);
    store->row_count = 0;
    free(store->value);
    store->value = NULL;
}

void baseline_close(baseline_store *store) {
    drop_results(store);
    sqlite3_stmt *statements[] = {store->begin, store->commit, store->upsert, store->newest,
                                  store->older, store->set,    store->get};
    for (size_t index = 0; index < sizeof statements / sizeof *statements; index++) sqlite3_finalize(statements[index]);
    must(sqlite3_close(store->database), store->database, "close");
    free(store);
}

// Writing

static void finish(baseline_store *store, sqlite3_stmt *statement, const char *what) {
    must(sqlite3_step(statement), store->database, what);
    sqlite3_reset(statement);
}

void baseline_begin(baseline_store *store) { finish(store, store->begin, "begin"); }

void baseline_commit(baseline_store *store) { finish(store, store->commit, "commit"); }

void baseline_upsert(baseline_store *store, int64_t feed, const baseline_item *item) {
    sqlite3_bind_int64(store->upsert, 1, feed);
    sqlite3_bind_int64(store->upsert, 2, item->id);
    sqlite3_bind_blob(store->upsert, 3, item->body, item->length, SQLITE_STATIC);
    finish(store, store->upsert, "upsert");
}

void baseline_upsert_page(baseline_store *store, int64_t feed, const baseline_item *items, int32_t count) {
    baseline_begin(store);
    for (int32_t index = 0; index < count; index++) baseline_upsert(store, feed, &items[index]);
    baseline_commit(store);
}

void baseline_set(baseline_store *store, const char *key, int32_t key_length, const void *value, int32_t length) {
    sqlite3_bind_text(store->set, 1, key, key_length, SQLITE_STATIC);
    sqlite3_bind_blob(store->set, 2, value, length, SQLITE_STATIC);
    finish(store, store->set, "set");
}

// Reading

static void *copy(sqlite3_stmt *statement, int column, int32_t *length) {
    const void *bytes = sqlite3_column_blob(statement, column);
    *length = sqlite3_column_bytes(statement, column);
    void *copied = malloc((size_t)*length + 1);
    if (!copied) abort();
    memcpy(copied, bytes, (size_t)*length);
    return copied;
}

static int32_t read_rows(baseline_store *store, sqlite3_stmt *statement) {
    int result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW && store->row_count < LONGEST_PAGE) {
        baseline_row *row = &store->rows[store->row_count++];
        row->id = sqlite3_column_int64(statement, 0);
        row->body = copy(statement, 1, &row->length);
    }
    must(result, store->database, "read");
    sqlite3_reset(statement);
    return store->row_count;
}

int32_t baseline_newest(baseline_store *store, int64_t feed, int32_t limit) {
    drop_results(store);
    sqlite3_bind_int64(store->newest, 1, feed);
    sqlite3_bind_int(store->newest, 2, limit);
    return read_rows(store, store->newest);
}

int32_t baseline_older(baseline_store *store, int64_t feed, int64_t id, int32_t limit) {
    drop_results(store);
    sqlite3_bind_int64(store->older, 1, feed);
    sqlite3_bind_int64(store->older, 2, id);
    sqlite3_bind_int(store->older, 3, limit);
    return read_rows(store, store->older);
}

const baseline_row *baseline_rows(baseline_store *store) { return store->rows; }

int32_t baseline_get(baseline_store *store, const char *key, int32_t key_length) {
    drop_results(store);
    sqlite3_bind_text(store->get, 1, key, key_length, SQLITE_STATIC);
    int result = sqlite3_step(store->get);
    must(result, store->database, "get");
    int32_t length = -1;
    if (result == SQLITE_ROW) store->value = copy(store->get, 0, &length);
    sqlite3_reset(store->get);
    return length;
}

const void *baseline_value(baseline_store *store) {
    return store->value;
}

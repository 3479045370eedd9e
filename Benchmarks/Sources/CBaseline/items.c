#include "baseline.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t baseline_random(uint64_t *state) {
    uint64_t mixed = (*state += 0x9E3779B97F4A7C15u);
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
}

int64_t baseline_id(uint32_t number) {
    // 22 bits of counter and machine below milliseconds, as in snowflake ids; an item about every 40 ms.
    uint64_t state = 0x1D00 + (uint64_t)number;
    uint64_t millisecond = 270000000000u + (uint64_t)number * 40u + baseline_random(&state) % 39u;
    return (int64_t)(millisecond << 22 | (baseline_random(&state) & 0x3FFFFF));
}

// A text under way. What does not fit is dropped; the capacity asked for leaves no such case.
typedef struct {
    char *next;
    char *end;
    uint64_t state;
} writer;

static uint32_t below(writer *out, uint32_t bound) { return (uint32_t)(baseline_random(&out->state) % bound); }

static void put(writer *out, const char *text) {
    size_t length = strlen(text), room = (size_t)(out->end - out->next);
    if (length > room) length = room;
    memcpy(out->next, text, length);
    out->next += length;
}

static void number(writer *out, uint64_t value) {
    char digits[24];
    char *first = digits + sizeof digits - 1;
    *first = 0;
    do { *--first = (char)('0' + value % 10); } while (value /= 10);
    put(out, first);
}

static void field(writer *out, const char *name) {
    if (out->next[-1] != '{' && out->next[-1] != '[') put(out, ",");
    put(out, "\"");
    put(out, name);
    put(out, "\":");
}

static void number_field(writer *out, const char *name, uint64_t value) {
    field(out, name);
    number(out, value);
}

static void number_text_field(writer *out, const char *name, uint64_t value) {
    field(out, name);
    put(out, "\"");
    number(out, value);
    put(out, "\"");
}

static void flag_field(writer *out, const char *name, int value) {
    field(out, name);
    put(out, value ? "true" : "false");
}

static void text_field(writer *out, const char *name, const char *text) {
    field(out, name);
    put(out, "\"");
    put(out, text);
    put(out, "\"");
}

static const char *const vocabulary[] = {
    "a", "about", "after", "again", "all", "and", "apples", "autumn", "bakery", "because", "before", "bicycle",
    "bread", "bridge", "by", "caf\xC3\xA9", "cellar", "cheese", "cold", "corner", "evening", "first", "for", "garden",
    "harbour", "honey", "in", "is", "it", "jam", "just", "kitchen", "lamp", "late", "letter", "light", "market",
    "more", "morning", "never", "night", "of", "offline", "on", "open", "pantry", "pears", "plums", "quiet", "rain",
    "river", "said", "shelf", "shop", "\\u201cslow\\u201d", "snow", "soup", "station", "still", "street", "summer",
    "tea", "the", "to", "today", "train", "walk", "we", "winter", "with", "yesterday", "\xE5\x86\xAC", "\xF0\x9F\x8D\x9E"};

static void words(writer *out, uint32_t count) {
    for (uint32_t index = 0; index < count; index++) {
        if (index > 0) put(out, " ");
        put(out, vocabulary[below(out, sizeof vocabulary / sizeof *vocabulary)]);
    }
}

static void words_field(writer *out, const char *name, uint32_t count) {
    field(out, name);
    put(out, "\"");
    words(out, count);
    put(out, "\"");
}

static void letters(writer *out, uint32_t count) {
    static const char alphabet[] = "abcdefghijkmnpqrstuvwxyz23456789";
    char letter[2] = {0, 0};
    for (uint32_t index = 0; index < count; index++) {
        letter[0] = alphabet[below(out, 32)];
        put(out, letter);
    }
}

static void link_field(writer *out, const char *name, const char *host, uint32_t length) {
    field(out, name);
    put(out, "\"https:\\/\\/");
    put(out, host);
    put(out, "\\/");
    letters(out, length);
    put(out, "\"");
}

static void time_field(writer *out, const char *name) {
    char text[40];
    snprintf(text, sizeof text, "20%02u-%02u-%02uT%02u:%02u:%02u.%03uZ", 10 + below(out, 15), 1 + below(out, 12),
        1 + below(out, 28), below(out, 24), below(out, 60), below(out, 60), below(out, 1000));
    text_field(out, name, text);
}

static void shop(writer *out, uint32_t item) {
    put(out, "{");
    number_text_field(out, "id", (uint64_t)baseline_id(item));
    words_field(out, "name", 3);
    words_field(out, "kind", 1);
    number_field(out, "price", 5 + below(out, 90));
    text_field(out, "currency", "EUR");
    char place[80];
    snprintf(place, sizeof place, "%u.%06u", 30 + below(out, 20), below(out, 1000000));
    field(out, "latitude");
    put(out, place);
    snprintf(place, sizeof place, "%u.%06u", 1 + below(out, 20), below(out, 1000000));
    field(out, "longitude");
    put(out, place);
    link_field(out, "image", "images.example.com\\/shops", 26);
    words_field(out, "street", 4);
    flag_field(out, "open", below(out, 2));
    number_field(out, "distance", below(out, 9000));
    put(out, "}");
}

// Authors come back: one of five thousand, always with the same fields.
static void author(writer *out) {
    uint32_t which = below(out, 5000);
    uint64_t state = out->state;
    out->state = 0xA0000 + which;
    put(out, "{");
    number_text_field(out, "id", 10000000u + which * 7919u);
    words_field(out, "name", 2);
    field(out, "handle");
    put(out, "\"");
    letters(out, 10);
    put(out, "\"");
    words_field(out, "location", 1);
    words_field(out, "bio", 8);
    link_field(out, "website", "site.example", 10);
    link_field(out, "avatar", "images.example.com\\/avatars\\/large", 20);
    time_field(out, "joined_at");
    number_field(out, "followers", below(out, 90000));
    number_field(out, "following", below(out, 2000));
    number_field(out, "posts", below(out, 50000));
    flag_field(out, "verified", below(out, 9) == 0);
    flag_field(out, "locked", 0);
    put(out, "}");
    out->state = state;
}

static void attachments(writer *out) {
    field(out, "tags");
    put(out, "[");
    for (uint32_t left = below(out, 3); left > 0; left--) {
        if (out->next[-1] != '[') put(out, ",");
        put(out, "{\"name\":\"");
        letters(out, 7);
        put(out, "\",\"start\":");
        number(out, below(out, 80));
        put(out, "}");
    }
    put(out, "]");
    field(out, "links");
    put(out, "[{");
    link_field(out, "url", "short.example", 10);
    link_field(out, "expanded_url", "news.example.com\\/articles", 30);
    link_field(out, "display_url", "news.example.com", 12);
    number_field(out, "start", 80);
    put(out, "}]");
    field(out, "media");
    put(out, "[");
    if (below(out, 2)) {
        put(out, "{");
        number_text_field(out, "id", 1 + below(out, 1u << 30));
        link_field(out, "url", "images.example.com\\/media", 20);
        text_field(out, "kind", "photo");
        number_field(out, "width", 2048);
        number_field(out, "height", 600 + below(out, 900));
        words_field(out, "description", 5);
        put(out, "}");
    }
    put(out, "]");
}

static void post(writer *out, uint32_t item) {
    uint64_t id = (uint64_t)baseline_id(item);
    put(out, "{");
    number_field(out, "id", id);
    number_text_field(out, "id_str", id);
    time_field(out, "created_at");
    words_field(out, "text", 13 + below(out, 13));
    text_field(out, "language", "en");
    text_field(
        out, "source", "<a href=\\\"https:\\/\\/app.example.com\\\" rel=\\\"nofollow\\\">Post from a phone<\\/a>");
    flag_field(out, "truncated", 0);
    field(out, "reply_to");
    if (below(out, 3) == 0) {
        put(out, "\"");
        number(out, id - 123456789);
        put(out, "\"");
    } else {
        put(out, "null");
    }
    field(out, "author");
    author(out);
    number_field(out, "boosts", below(out, 500));
    number_field(out, "likes", below(out, 3000));
    number_field(out, "replies", below(out, 60));
    number_field(out, "views", below(out, 100000));
    flag_field(out, "liked", below(out, 2));
    flag_field(out, "boosted", 0);
    flag_field(out, "pinned", 0);
    flag_field(out, "sensitive", 0);
    attachments(out);
    number_text_field(out, "thread", id - 4194304);
    text_field(out, "visibility", "public");
    link_field(out, "url", "posts.example.com\\/@someone", 16);
    field(out, "place");
    put(out, "{");
    words_field(out, "name", 3);
    text_field(out, "country", "DE");
    text_field(out, "kind", "city");
    put(out, "}");
    field(out, "card");
    put(out, "{");
    words_field(out, "title", 5);
    words_field(out, "summary", 8);
    link_field(out, "image", "images.example.com\\/cards", 16);
    put(out, "}}");
}

size_t baseline_body(baseline_kind kind, uint32_t number, char *buffer, size_t capacity) {
    writer out = {buffer, buffer + capacity, 0x5EED0000u + number};
    if (kind == baseline_shop) {
        shop(&out, number);
    } else {
        post(&out, number);
    }
    return (size_t)(out.next - buffer);
}

baseline_item *baseline_items(baseline_kind kind, uint32_t first, uint32_t count) {
    const size_t longest = 4096;
    baseline_item *items = malloc(count * (sizeof *items + (kind == baseline_shop ? 512 : longest)));
    if (!items) abort();
    char *next = (char *)(items + count);
    for (uint32_t index = 0; index < count; index++) {
        size_t length = baseline_body(kind, first + index, next, kind == baseline_shop ? 512 : longest);
        items[index] = (baseline_item){baseline_id(first + index), next, (int32_t)length};
        next += length;
    }
    return items;
}

void baseline_free_items(baseline_item *items) { free(items); }

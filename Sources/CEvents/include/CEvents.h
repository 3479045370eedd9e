#ifndef LARDER_CEVENTS_H
#define LARDER_CEVENTS_H

/* What a loop over sockets needs of the system, in one form: epoll on Linux, kqueue on Apple's systems.
   Functions that return int give -1, or the negative error number where they say so. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

typedef struct {
    /* As it was given when the descriptor was watched. */
    uint64_t token;
    /* Something can be read, or an end of the stream. */
    bool readable;
    bool writable;
    /* The other side sends no more. */
    bool ended;
    /* Both directions are over, or there was an error. */
    bool closed;
} larder_event;

int larder_events_open(void);
/* Watches for both directions. Changes are told once each (edge-triggered); the watch ends when fd is closed. */
int larder_events_watch(int queue, int fd, uint64_t token);
/* Watches for something to read, told of as long as it is there (level-triggered). */
int larder_events_watch_readable(int queue, int fd, uint64_t token);
int larder_events_unwatch_readable(int queue, int fd);
/* How many events there are, after at most so many milliseconds (-1: no limit). 0 also when a signal came in. */
int larder_events_wait(int queue, larder_event *events, int capacity, int milliseconds);

/* What wakes a loop from another thread. */
typedef struct {
    int readable;
    int writable;
} larder_wakeup;

/* 0 when it was made. */
int larder_wakeup_open(larder_wakeup *wakeup);
void larder_wakeup_signal(larder_wakeup wakeup);
void larder_wakeup_clear(larder_wakeup wakeup);
void larder_wakeup_close(larder_wakeup wakeup);

/* A listening socket, non-blocking, on an address in digits, and its port; or the negative error number. */
int larder_listen(const char *address, uint16_t port, int backlog, uint16_t *bound_port);
/* A connection, non-blocking and without delay of small packets, and the peer's address as text (at least 64 bytes);
   or the negative error number. */
int larder_accept(int listener, char *peer, size_t capacity);
/* Bytes sent, or the negative error number. Never raises SIGPIPE. */
ssize_t larder_send(int fd, const struct iovec *parts, int count);
/* Bytes read, 0 at the end of the stream, or the negative error number. */
ssize_t larder_receive(int fd, void *buffer, size_t count);
/* Closes so that the other side sees an error instead of an end. */
void larder_close_hard(int fd);
/* A descriptor that does nothing but take up a place. */
int larder_spare_descriptor(void);
/* Raises the limit of open files as far as it may be raised, and says where it is then. */
long larder_raise_file_limit(void);
/* A clock that is never set, in milliseconds. */
uint64_t larder_monotonic_milliseconds(void);

#endif

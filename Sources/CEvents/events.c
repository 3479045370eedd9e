#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CEvents.h"

#include <errno.h>
#include <unistd.h>

#if defined(__linux__)

#include <sys/epoll.h>

enum { BATCH = 256 };

int larder_events_open(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

static int watch(int queue, int fd, uint64_t token, uint32_t events) {
    struct epoll_event event = {.events = events, .data = {.u64 = token}};
    return epoll_ctl(queue, EPOLL_CTL_ADD, fd, &event);
}

int larder_events_watch(int queue, int fd, uint64_t token) {
    return watch(queue, fd, token, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
}

int larder_events_watch_readable(int queue, int fd, uint64_t token) {
    return watch(queue, fd, token, EPOLLIN);
}

int larder_events_unwatch_readable(int queue, int fd) {
    return epoll_ctl(queue, EPOLL_CTL_DEL, fd, NULL);
}

int larder_events_wait(int queue, larder_event *events, int capacity, int milliseconds) {
    struct epoll_event raw[BATCH];
    int count = epoll_wait(queue, raw, capacity < BATCH ? capacity : BATCH, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -1;
    for (int i = 0; i < count; i++) {
        uint32_t flags = raw[i].events;
        events[i] = (larder_event){
            .token = raw[i].data.u64,
            .readable = flags & (EPOLLIN | EPOLLRDHUP),
            .writable = flags & EPOLLOUT,
            .ended = flags & EPOLLRDHUP,
            .closed = flags & (EPOLLHUP | EPOLLERR),
        };
    }
    return count;
}

#else

#include <sys/event.h>
#include <time.h>

enum { BATCH = 256 };

int larder_events_open(void) {
    return kqueue();
}

int larder_events_watch(int queue, int fd, uint64_t token) {
    struct kevent changes[2];
    EV_SET(&changes[0], fd, EVFILT_READ, EV_ADD | EV_CLEAR, 0, 0, (void *)(uintptr_t)token);
    EV_SET(&changes[1], fd, EVFILT_WRITE, EV_ADD | EV_CLEAR, 0, 0, (void *)(uintptr_t)token);
    return kevent(queue, changes, 2, NULL, 0, NULL);
}

int larder_events_watch_readable(int queue, int fd, uint64_t token) {
    struct kevent change;
    EV_SET(&change, fd, EVFILT_READ, EV_ADD, 0, 0, (void *)(uintptr_t)token);
    return kevent(queue, &change, 1, NULL, 0, NULL);
}

int larder_events_unwatch_readable(int queue, int fd) {
    struct kevent change;
    EV_SET(&change, fd, EVFILT_READ, EV_DELETE, 0, 0, NULL);
    return kevent(queue, &change, 1, NULL, 0, NULL);
}

int larder_events_wait(int queue, larder_event *events, int capacity, int milliseconds) {
    struct kevent raw[BATCH];
    struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = (long)(milliseconds % 1000) * 1000000};
    int count = kevent(
        queue, NULL, 0, raw, capacity < BATCH ? capacity : BATCH, milliseconds < 0 ? NULL : &time);
    if (count < 0) return errno == EINTR ? 0 : -1;
    for (int i = 0; i < count; i++) {
        bool is_read = raw[i].filter == EVFILT_READ;
        bool is_over = raw[i].flags & EV_EOF;
        events[i] = (larder_event){
            .token = (uint64_t)(uintptr_t)raw[i].udata,
            .readable = is_read,
            .writable = !is_read,
            .ended = is_read && is_over,
            /* The end of writing may be of our own making: whether it is not, the next attempt tells. */
            .closed = is_over && raw[i].fflags != 0,
        };
    }
    return count;
}

#endif

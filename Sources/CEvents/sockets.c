#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CEvents.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/eventfd.h>
#define SEND_FLAGS MSG_NOSIGNAL
#else
#include <limits.h>
#define SEND_FLAGS 0
#endif

static int set_up(int fd) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) return -1;
    return fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static int failure(int fd) {
    int code = errno;
    close(fd);
    return -code;
}

/* MARK: Waking */

int larder_wakeup_open(larder_wakeup *wakeup) {
#if defined(__linux__)
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    *wakeup = (larder_wakeup){.readable = fd, .writable = fd};
    return fd < 0 ? -1 : 0;
#else
    int ends[2];
    if (pipe(ends) != 0) return -1;
    *wakeup = (larder_wakeup){.readable = ends[0], .writable = ends[1]};
    if (set_up(ends[0]) < 0 || set_up(ends[1]) < 0) {
        larder_wakeup_close(*wakeup);
        return -1;
    }
    return 0;
#endif
}

void larder_wakeup_signal(larder_wakeup wakeup) {
    uint64_t one = 1;
    /* One that cannot be written follows others that were not read yet. */
    ssize_t written = write(wakeup.writable, &one, sizeof one);
    (void)written;
}

void larder_wakeup_clear(larder_wakeup wakeup) {
    char buffer[256];
    ssize_t count = read(wakeup.readable, buffer, sizeof buffer);
    (void)count;
}

void larder_wakeup_close(larder_wakeup wakeup) {
    close(wakeup.readable);
    if (wakeup.writable != wakeup.readable) close(wakeup.writable);
}

/* MARK: Connections */

int larder_listen(const char *address, uint16_t port, int backlog, uint16_t *bound_port) {
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_PASSIVE, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    char service[8];
    snprintf(service, sizeof service, "%u", (unsigned)port);
    if (getaddrinfo(address, service, &hints, &found) != 0 || found == NULL) return -EINVAL;
    int fd = socket(found->ai_family, SOCK_STREAM, 0);
    int one = 1;
    if (fd >= 0) {
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
        if (found->ai_family == AF_INET6) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
    }
    bool is_bound = fd >= 0 && bind(fd, found->ai_addr, found->ai_addrlen) == 0;
    int code = errno;
    freeaddrinfo(found);
    errno = code;
    if (fd < 0) return -code;
    struct sockaddr_storage bound;
    socklen_t length = sizeof bound;
    if (!is_bound || set_up(fd) < 0 || listen(fd, backlog) != 0 ||
        getsockname(fd, (struct sockaddr *)&bound, &length) != 0)
        return failure(fd);
    *bound_port = ntohs(
        bound.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&bound)->sin6_port
                                    : ((struct sockaddr_in *)&bound)->sin_port);
    return fd;
}

int larder_accept(int listener, char *peer, size_t capacity) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
#if defined(__linux__)
    int fd = accept4(listener, (struct sockaddr *)&address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return -errno;
#else
    int fd = accept(listener, (struct sockaddr *)&address, &length);
    if (fd < 0) return -errno;
    if (set_up(fd) < 0) return failure(fd);
#endif
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
#if defined(SO_NOSIGPIPE)
    setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &one, sizeof one);
#endif
    const void *host = address.ss_family == AF_INET6 ? (const void *)&((struct sockaddr_in6 *)&address)->sin6_addr
                                                     : (const void *)&((struct sockaddr_in *)&address)->sin_addr;
    if (inet_ntop(address.ss_family, host, peer, (socklen_t)capacity) == NULL) peer[0] = 0;
    return fd;
}

ssize_t larder_send(int fd, const struct iovec *parts, int count) {
    struct msghdr message = {.msg_iov = (struct iovec *)parts, .msg_iovlen = count};
    for (;;) {
        ssize_t sent = sendmsg(fd, &message, SEND_FLAGS);
        if (sent >= 0) return sent;
        if (errno != EINTR) return -errno;
    }
}

ssize_t larder_receive(int fd, void *buffer, size_t count) {
    for (;;) {
        ssize_t received = recv(fd, buffer, count, 0);
        if (received >= 0) return received;
        if (errno != EINTR) return -errno;
    }
}

void larder_close_hard(int fd) {
    struct linger now = {.l_onoff = 1, .l_linger = 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(fd);
}

/* MARK: Limits and time */

int larder_spare_descriptor(void) {
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

long larder_raise_file_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 256;
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
#if defined(__APPLE__)
    /* More is refused there, whatever the hard limit says. */
    if (limit.rlim_cur > OPEN_MAX) limit.rlim_cur = OPEN_MAX;
#endif
    if (limit.rlim_cur > before && setrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = before;
    rlim_t now = limit.rlim_cur > before ? limit.rlim_cur : before;
    return now > 1 << 20 ? 1 << 20 : (long)now;
}

uint64_t larder_monotonic_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

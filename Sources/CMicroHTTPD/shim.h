#ifndef LARDER_CMICROHTTPD_SHIM_H
#define LARDER_CMICROHTTPD_SHIM_H

#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include <microhttpd.h>

// MHD_start_daemon and others take variable arguments, which Swift cannot call.

typedef void *(*larder_mhd_target_callback)(void *context, const char *target, struct MHD_Connection *connection);

// Keeps the path as it was sent: escapes are undone by whoever knows what they stand for.
static inline size_t larder_mhd_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

// Serves on 127.0.0.1:port (0 for a free one) from the daemon's own threads. NULL, and *error set, if that fails.
//
// The Date field is the caller's: MHD's own would stand beside a stored one.
static inline struct MHD_Daemon *larder_mhd_start(
    uint16_t port, bool thread_per_connection, size_t connection_memory, unsigned int idle_seconds,
    MHD_AccessHandlerCallback answer, larder_mhd_target_callback target, MHD_RequestCompletedCallback completed,
    void *context, int *error) {
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);

    unsigned int flags = MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_SUPPRESS_DATE_NO_CLOCK;
    if (thread_per_connection) flags |= MHD_USE_THREAD_PER_CONNECTION;

    errno = 0;
    struct MHD_Daemon *daemon = MHD_start_daemon(
        flags, port, NULL, NULL, answer, context,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_URI_LOG_CALLBACK, target, context,
        MHD_OPTION_UNESCAPE_CALLBACK, larder_mhd_keep_escapes, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_END);
    *error = daemon == NULL ? errno : 0;
    return daemon;
}

// Tells a body of unknown length by the end of the connection, without chunks and without a field for them.
static inline void larder_mhd_end_by_closing(struct MHD_Response *response) {
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

// The port the daemon listens on, or 0 if it does not say.
static inline uint16_t larder_mhd_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info == NULL ? 0 : info->port;
}

#endif

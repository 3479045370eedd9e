#ifndef LARDER_CMICROHTTPD_H
#define LARDER_CMICROHTTPD_H

#include <stdbool.h>
#include <stdint.h>

#include <microhttpd.h>

// libmicrohttpd, loaded when it is first needed: most of what the tool does serves nothing. On Apple's systems it is linked.
//
// Its functions are reached through the ones below alone, and only once larder_mhd_load has succeeded. MHD_start_daemon and others take
// variable arguments, which Swift cannot call.

// Loads the library; false when it is not there or not fit for use. To be called once, on one thread.
bool larder_mhd_load(void);

typedef void *(*larder_mhd_target_callback)(void *context, const char *target, struct MHD_Connection *connection);

// Serves on 127.0.0.1:port (0 for a free one) from the daemon's own threads. NULL, and *error set, if that fails.
//
// The Date field is the caller's: MHD's own would stand beside a stored one.
struct MHD_Daemon *larder_mhd_start(
    uint16_t port, bool thread_per_connection, size_t connection_memory, unsigned int idle_seconds,
    MHD_AccessHandlerCallback answer, larder_mhd_target_callback target, MHD_RequestCompletedCallback completed,
    void *context, int *error);

void larder_mhd_stop(struct MHD_Daemon *daemon);

// The port the daemon listens on, or 0 if it does not say.
uint16_t larder_mhd_port(struct MHD_Daemon *daemon);

int larder_mhd_request_headers(struct MHD_Connection *connection, MHD_KeyValueIterator iterator, void *context);

// An answer with a copy of the bytes as its body.
struct MHD_Response *larder_mhd_response_of(const void *bytes, size_t count);

struct MHD_Response *larder_mhd_response_from(
    uint64_t size, size_t block_size, MHD_ContentReaderCallback read, void *context, MHD_ContentReaderFreeCallback release);

enum MHD_Result larder_mhd_response_add_header(struct MHD_Response *response, const char *name, const char *value);

// Tells a body of unknown length by the end of the connection, without chunks and without a field for them.
void larder_mhd_response_end_by_closing(struct MHD_Response *response);

enum MHD_Result larder_mhd_response_queue(
    struct MHD_Response *response, struct MHD_Connection *connection, unsigned int status);

void larder_mhd_response_release(struct MHD_Response *response);

#endif

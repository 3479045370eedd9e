#include "CMicroHTTPD.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#define FUNCTIONS(each) \
    each(start_daemon) each(stop_daemon) each(get_daemon_info) each(get_connection_values) \
    each(create_response_from_buffer) each(create_response_from_callback) each(add_response_header) \
    each(set_response_options) each(queue_response) each(destroy_response)

#define FIELD(name) __typeof__(&(MHD_##name)) name;
static struct { FUNCTIONS(FIELD) } library;

#ifdef __APPLE__

bool larder_mhd_load(void) {
#define TAKE(name) library.name = (MHD_##name);
    FUNCTIONS(TAKE)
    return true;
}

#else

#include <dlfcn.h>

bool larder_mhd_load(void) {
    void *handle = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return false;
#define FIND(name) \
    library.name = (__typeof__(library.name))dlsym(handle, "MHD_" #name); \
    if (library.name == NULL) return false;
    FUNCTIONS(FIND)
    return true;
}

#endif

// Keeps the path as it was sent: escapes are undone by whoever knows what they stand for.
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

struct MHD_Daemon *larder_mhd_start(
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
    struct MHD_Daemon *daemon = library.start_daemon(
        flags, port, NULL, NULL, answer, context,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_URI_LOG_CALLBACK, target, context,
        MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_END);
    *error = daemon == NULL ? errno : 0;
    return daemon;
}

void larder_mhd_stop(struct MHD_Daemon *daemon) { library.stop_daemon(daemon); }

uint16_t larder_mhd_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = library.get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info == NULL ? 0 : info->port;
}

int larder_mhd_request_headers(struct MHD_Connection *connection, MHD_KeyValueIterator iterator, void *context) {
    return library.get_connection_values(connection, MHD_HEADER_KIND, iterator, context);
}

struct MHD_Response *larder_mhd_response_of(const void *bytes, size_t count) {
    // The parameter is mutable for the sake of the other modes.
    return library.create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

struct MHD_Response *larder_mhd_response_from(
    uint64_t size, size_t block_size, MHD_ContentReaderCallback read, void *context, MHD_ContentReaderFreeCallback release) {
    return library.create_response_from_callback(size, block_size, read, context, release);
}

enum MHD_Result larder_mhd_response_add_header(struct MHD_Response *response, const char *name, const char *value) {
    return library.add_response_header(response, name, value);
}

void larder_mhd_response_end_by_closing(struct MHD_Response *response) {
    library.set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

enum MHD_Result larder_mhd_response_queue(
    struct MHD_Response *response, struct MHD_Connection *connection, unsigned int status) {
    return library.queue_response(connection, status, response);
}

void larder_mhd_response_release(struct MHD_Response *response) { library.destroy_response(response); }

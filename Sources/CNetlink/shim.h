#ifndef LARDER_CNETLINK_SHIM_H
#define LARDER_CNETLINK_SHIM_H

/* The kernel's routing tables (rtnetlink(7)). Part of Linux, no library. */

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* A socket that is told of what happens in the groups (RTMGRP_…); -1 where that is not allowed. */
static inline int larder_netlink_open(unsigned int groups) {
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (fd < 0) return -1;
    struct sockaddr_nl address;
    memset(&address, 0, sizeof address);
    address.nl_family = AF_NETLINK;
    address.nl_groups = groups;
    /* The kernel answers at once. This is for what only looks like one. */
    struct timeval patience = {.tv_sec = 1, .tv_usec = 0};
    if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0 ||
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Asks for a whole table (RTM_GETLINK, RTM_GETROUTE) of all address families; 0 when that was sent. */
static inline int larder_netlink_ask(int fd, unsigned short table, unsigned int sequence) {
    struct {
        struct nlmsghdr header;
        struct rtgenmsg family;
    } request;
    memset(&request, 0, sizeof request);
    request.header.nlmsg_len = NLMSG_LENGTH(sizeof request.family);
    request.header.nlmsg_type = table;
    request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    request.header.nlmsg_seq = sequence;
    request.family.rtgen_family = AF_UNSPEC;
    return send(fd, &request, request.header.nlmsg_len, 0) == (ssize_t)request.header.nlmsg_len ? 0 : -1;
}

#endif

// xnu: bsd/netinet/in.h, bsd/netinet6/in6.h
#pragma once
#include <sys/socket.h>

typedef uint16_t in_port_t;
typedef uint32_t in_addr_t;

#define IPPROTO_IP 0
#define IPPROTO_TCP 6
#define IPPROTO_IPV6 41
#define IP_PKTINFO 26
#define IPV6_V6ONLY 27
#define INET_ADDRSTRLEN 16
#define INET6_ADDRSTRLEN 46
#define INADDR_LOOPBACK ((uint32_t)0x7f000001)
#define INADDR_ANY ((uint32_t)0x00000000)

struct in_addr {
    in_addr_t s_addr;
};

struct sockaddr_in {
    uint8_t sin_len;
    sa_family_t sin_family;
    in_port_t sin_port;
    struct in_addr sin_addr;
    char sin_zero[8];
};

struct in6_addr {
    union {
        uint8_t __u6_addr8[16];
        uint16_t __u6_addr16[8];
        uint32_t __u6_addr32[4];
    } __u6_addr;
};

struct sockaddr_in6 {
    uint8_t sin6_len;
    sa_family_t sin6_family;
    in_port_t sin6_port;
    uint32_t sin6_flowinfo;
    struct in6_addr sin6_addr;
    uint32_t sin6_scope_id;
};

struct in_pktinfo {
    unsigned int ipi_ifindex;
    struct in_addr ipi_spec_dst;
    struct in_addr ipi_addr;
};

struct in6_pktinfo {
    struct in6_addr ipi6_addr;
    unsigned int ipi6_ifindex;
};

extern const struct in6_addr in6addr_any;
extern const struct in6_addr in6addr_loopback;
#define s6_addr __u6_addr.__u6_addr8
#define IN6_IS_ADDR_V4MAPPED(address) \
    (*(const uint32_t *)(const void *)(address) == 0 && \
     *(const uint32_t *)(const void *)((const char *)(address) + 4) == 0 && \
     *(const uint32_t *)(const void *)((const char *)(address) + 8) == ntohl(0x0000ffff))

// xnu: bsd/sys/socket.h
#pragma once
#include <sys/types.h>
#include <sys/uio.h>

typedef uint8_t sa_family_t;
typedef uint32_t socklen_t;

#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 30
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_SEQPACKET 5
#define SOL_SOCKET 0xffff
#define SO_REUSEADDR 0x0004
#define SO_KEEPALIVE 0x0008
#define SO_LINGER 0x0080
#define SO_SNDBUF 0x1001
#define SO_RCVBUF 0x1002
#define SO_SNDTIMEO 0x1005
#define SO_RCVTIMEO 0x1006
#define SO_ERROR 0x1007
#define SO_TYPE 0x1008
#define SO_NREAD 0x1020
#define SO_NOSIGPIPE 0x1022
#define SO_NWRITE 0x1024
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
#define SOMAXCONN 128
#define MSG_PEEK 0x2
#define MSG_DONTWAIT 0x80
#define MSG_NOSIGNAL 0x80000

struct sockaddr {
    uint8_t sa_len;
    sa_family_t sa_family;
    char sa_data[14];
};

struct sockaddr_storage {
    uint8_t ss_len;
    sa_family_t ss_family;
    char __ss_pad1[6];
    int64_t __ss_align;
    char __ss_pad2[112];
};

struct linger {
    int l_onoff;
    int l_linger;
};

struct msghdr {
    void *msg_name;
    socklen_t msg_namelen;
    struct iovec *msg_iov;
    int msg_iovlen;
    void *msg_control;
    socklen_t msg_controllen;
    int msg_flags;
};

struct cmsghdr {
    socklen_t cmsg_len;
    int cmsg_level;
    int cmsg_type;
};

int accept(int descriptor, struct sockaddr *address, socklen_t *size);
int bind(int descriptor, const struct sockaddr *address, socklen_t size);
int connect(int descriptor, const struct sockaddr *address, socklen_t size);
int getpeername(int descriptor, struct sockaddr *address, socklen_t *size);
int getsockname(int descriptor, struct sockaddr *address, socklen_t *size);
int getsockopt(int descriptor, int level, int option, void *value, socklen_t *size);
int listen(int descriptor, int backlog);
ssize_t recv(int descriptor, void *bytes, size_t size, int flags);
ssize_t recvmsg(int descriptor, struct msghdr *message, int flags);
ssize_t send(int descriptor, const void *bytes, size_t size, int flags);
ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags);
int setsockopt(int descriptor, int level, int option, const void *value, socklen_t size);
int shutdown(int descriptor, int how);
int socket(int domain, int type, int protocol);
int socketpair(int domain, int type, int protocol, int descriptors[2]);

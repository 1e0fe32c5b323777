// Reads the two ends of a connection from its socket.

#ifdef __linux__
#include <arpa/inet.h>
#include <string.h>

#include "socket_ends.h"

const char *wwt_write_address(const struct sockaddr_storage *address, char *text) {
    text[0] = 0;
    if (address->ss_family == AF_INET) {
        inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, text, INET6_ADDRSTRLEN);
    } else if (address->ss_family == AF_INET6) {
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)address)->sin6_addr, text, INET6_ADDRSTRLEN);
    }
    return text;
}

void wwt_append_address(uint8_t *bytes, size_t *length, const struct sockaddr_storage *address) {
    char text[INET6_ADDRSTRLEN];
    wwt_write_address(address, text);
    uint32_t count = (uint32_t)strlen(text);
    memcpy(bytes + *length, &count, sizeof count);
    memcpy(bytes + *length + sizeof count, text, count);
    *length += sizeof count + count;
}

uint32_t wwt_port_of(const struct sockaddr_storage *address) {
    // The port is at the same place in both address families.
    return ntohs(((const struct sockaddr_in *)address)->sin_port);
}

bool wwt_read_ends(int socket, struct sockaddr_storage *local, struct sockaddr_storage *remote) {
    socklen_t local_size = sizeof *local, remote_size = sizeof *remote;
    return getsockname(socket, (struct sockaddr *)local, &local_size) == 0
        && getpeername(socket, (struct sockaddr *)remote, &remote_size) == 0
        && (local->ss_family == AF_INET || local->ss_family == AF_INET6);
}

uint32_t wwt_local_port(int socket) {
    struct sockaddr_storage local = {0};
    socklen_t size = sizeof local;
    return getsockname(socket, (struct sockaddr *)&local, &size) == 0 ? wwt_port_of(&local) : 0;
}

#endif

// The two ends of a connection, as its socket names them.
#ifndef WWT_SOCKET_ENDS_H
#define WWT_SOCKET_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/// Writes the address into `text`, of at least `INET6_ADDRSTRLEN` bytes.
const char *wwt_write_address(const struct sockaddr_storage *address, char *text);
/// Appends the address to a frame as a text.
void wwt_append_address(uint8_t *bytes, size_t *length, const struct sockaddr_storage *address);
uint32_t wwt_port_of(const struct sockaddr_storage *address);
/// False if it is not, or no longer, a connection over IPv4 or IPv6.
bool wwt_read_ends(int socket, struct sockaddr_storage *local, struct sockaddr_storage *remote);
/// The local port of a connection; 0 if the socket has none.
uint32_t wwt_local_port(int socket);

#endif

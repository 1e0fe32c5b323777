// Reports of the kernel's counts of connections.
#ifndef WWT_SOCKET_REPORTS_H
#define WWT_SOCKET_REPORTS_H

#include "handles.h"

/// The function that closes sockets for a transfer, with its client: it reports the kernel's last count, then calls the
/// program's own function. NULL if there are too many pairs to remember.
void *wwt_closer_for(wwt_closes closes);
int wwt_close_socket(void *closer, int socket);
/// Reports the kernel's count of each connection that is still open, as the program ends.
void wwt_report_left_sockets(void);
/// Sends the kernel's count of an open connection, unless another thread is using its counters.
void wwt_socket_report(int socket);
/// Call when bytes that belong to no request, such as a close_notify, have gone over a socket. Sends the kernel's count
/// if the program is already ending.
void wwt_socket_said_farewell(int socket);

/// A fork holds the lock while it happens.
void wwt_lock_closers(void);
void wwt_unlock_closers(void);

#endif

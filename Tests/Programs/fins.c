// Changes the kernel's account of a connection whose peer has closed it. FIN says how: 'hidden' answers once for each
// socket as if the FIN were just arriving, counted but not shown; 'reset' sends a byte first, to which the peer answers with a reset.
#include <dlfcn.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ESTABLISHED = 1, CLOSE_WAIT = 8 };

typedef int (*get_function)(int, int, int, void *, socklen_t *);

int getsockopt(int socket, int level, int name, void *value, socklen_t *size) {
    static get_function next;
    static bool seen[1024];
    if (!next) next = (get_function)dlsym(RTLD_NEXT, "getsockopt");
    socklen_t room = *size;
    int code = next(socket, level, name, value, size);
    struct tcp_info *info = value;
    const char *how = getenv("FIN");
    if (code || !how || level != IPPROTO_TCP || name != TCP_INFO || info->tcpi_state != CLOSE_WAIT) return code;
    if (socket < 0 || socket >= 1024 || seen[socket]) return code;
    seen[socket] = true;
    if (strcmp(how, "hidden") == 0) {
        info->tcpi_state = ESTABLISHED;
        return code;
    }
    send(socket, "x", 1, MSG_NOSIGNAL);
    usleep(20000);
    *size = room;
    return next(socket, level, name, value, size);
}

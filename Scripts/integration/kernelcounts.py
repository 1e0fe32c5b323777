"""The kernel's counts for programs in an emulator that does not pass on TCP_INFO: see Tests/Programs/counts.c."""

import os
import socket
import threading

# struct tcp_info is no longer than that, and the same on x86-64 and arm64.
MOST = 512


class KernelCounts:
    """Asks the kernel about descriptors that others send to an abstract Unix socket, `name`."""

    def __init__(self):
        self.name = f"kernel-counts-{os.getpid()}"
        self.asked = 0
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.listener.bind("\0" + self.name)
        self.listener.listen(256)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            asking, _ = self.listener.accept()
            with asking:
                try:
                    _, descriptors, _, _ = socket.recv_fds(asking, 1, 1)
                    with socket.socket(fileno=descriptors[0]) as one:
                        asking.send(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, MOST))
                    self.asked += 1
                except (OSError, IndexError):
                    # No socket of TCP: who asks then finds no answer.
                    pass

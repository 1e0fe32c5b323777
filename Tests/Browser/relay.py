"""A relay in front of a server, which can be cut."""

import contextlib
import socket
import threading


class Relay:
    """Listens on `port` and leads to another port of this machine; cut, it ends its connections and refuses others."""

    def __init__(self, to):
        self.to, self.is_cut, self.sockets, self.lock = to, False, [], threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                far = socket.create_connection(("127.0.0.1", self.to))
                with self.lock:
                    self.sockets += [near, far]
                    if self.is_cut:
                        self.end()
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self.pump, args=(source, target), daemon=True).start()

    def pump(self, source, target):
        with contextlib.suppress(OSError):
            while piece := source.recv(1 << 16):
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)

    def end(self):
        for one in self.sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self.sockets.clear()

    def cut(self):
        with self.lock:
            self.is_cut = True
            self.end()

    def mend(self):
        with self.lock:
            self.is_cut = False

    def close(self):
        self.cut()
        self.listener.close()

"""A thread that accepts connections, and gives each a thread of its own."""

import contextlib
import socket
import threading


class Acceptor:
    """Serves what connects to `listener`, until its end: `take(socket, peer)`, in order, makes what its thread runs."""

    def __init__(self, listener, take):
        self.listener, self.take, self.threads, self.last = listener, take, [], None
        self.thread = threading.Thread(target=self.accept, daemon=True)
        self.thread.start()

    def accept(self):
        while True:
            try:
                sock, peer = self.listener.accept()
            except OSError:
                # A server may leave by itself, and then nothing connects to it any more.
                return
            if peer == self.last:
                return sock.close()
            thread = threading.Thread(target=self.take(sock, peer), daemon=True)
            thread.start()
            self.threads.append(thread)

    def end(self, wait):
        """Serves what has connected so far, and no more; false if one takes longer than `wait` seconds."""
        # Connections are accepted in the order in which they came, so this one is the last.
        with socket.socket() as last:
            last.bind(("127.0.0.1", 0))
            self.last = last.getsockname()
            with contextlib.suppress(ConnectionRefusedError):
                last.connect(self.listener.getsockname())
            self.thread.join()
        self.listener.close()
        for thread in self.threads:
            thread.join(wait)
        return not any(thread.is_alive() for thread in self.threads)

"""Takes what taps send, as the command does, and drops it: listener.py SOCKET."""

import selectors
import socket
import sys

listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
listener.bind(sys.argv[1])
listener.listen(100)
watched = selectors.DefaultSelector()
watched.register(listener, selectors.EVENT_READ)
while True:
    for key, _ in watched.select():
        if key.fileobj is listener:
            watched.register(listener.accept()[0], selectors.EVENT_READ)
        elif not key.fileobj.recv(1 << 20):
            watched.unregister(key.fileobj)
            key.fileobj.close()

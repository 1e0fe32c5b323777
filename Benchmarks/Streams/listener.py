"""Takes what taps put into their rings or send, as the command does, and drops it: listener.py SOCKET."""

import mmap
import pathlib
import selectors
import socket
import struct
import sys

# The layout of Sources/CCurlTap/shared_ring.c: two counts, and the records after a page.
RESERVED, TAKEN, BYTES, ROOM = 0, 64, 4096, 1 << 20
# How often rings are looked at, in seconds.
INTERVAL = 0.005


class Ring:
    def __init__(self, memory):
        self.shared, self.taken = mmap.mmap(memory, BYTES + ROOM), 0

    def drop(self):
        (reserved,) = struct.unpack_from("Q", self.shared, RESERVED)
        while self.taken < reserved:
            at = self.taken % ROOM
            size = min(reserved - self.taken, ROOM - at)
            self.shared[BYTES + at : BYTES + at + size] = bytes(size)
            self.taken += size
        struct.pack_into("Q", self.shared, TAKEN, self.taken)


listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
# With this file beside the socket, programs have rings.
pathlib.Path(sys.argv[1] + ".losses").write_bytes(bytes(8))
listener.bind(sys.argv[1])
listener.listen(100)
watched = selectors.DefaultSelector()
watched.register(listener, selectors.EVENT_READ)
rings = {}
while True:
    for key, _ in watched.select(INTERVAL):
        if key.fileobj is listener:
            watched.register(listener.accept()[0], selectors.EVENT_READ)
            continue
        message, descriptors, _, _ = socket.recv_fds(key.fileobj, 1 << 20, 1)
        if descriptors:
            rings[key.fd] = Ring(descriptors[0])
        if not message:
            watched.unregister(key.fileobj)
            key.fileobj.close()
            rings.pop(key.fd, None)
    for ring in rings.values():
        ring.drop()

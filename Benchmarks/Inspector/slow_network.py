"""A relay that is as far away and as narrow as a phone's network: handshakes cost a round trip, and all connections share the rate."""

import asyncio
import threading
import time


class SlowNetwork:
    """Listens on `port`, and leads to another port of this machine."""

    def __init__(self, to, round_trip=0.4, rate=50_000):
        self.to, self.round_trip, self.rate = to, round_trip, rate
        self.free, self.bytes, self.connections = 0.0, 0, 0
        ready = threading.Event()

        async def listen():
            server = await asyncio.start_server(self.relay, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            ready.set()
            await server.serve_forever()

        threading.Thread(target=lambda: asyncio.run(listen()), daemon=True).start()
        ready.wait()

    async def relay(self, reader, writer):
        self.connections += 1
        # The handshake: loopback's own is done at once.
        await asyncio.sleep(self.round_trip)
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.to)
        await asyncio.gather(self.pump(reader, far_writer, False), self.pump(far_reader, writer, True), return_exceptions=True)

    async def pump(self, reader, writer, is_down):
        under_way = asyncio.Queue()

        async def deliver():
            while True:
                moment, piece = await under_way.get()
                await asyncio.sleep(max(0.0, moment - time.monotonic()))
                if piece is None:
                    return writer.close()
                writer.write(piece)
                await writer.drain()

        delivering = asyncio.ensure_future(deliver())
        while True:
            try:
                piece = await reader.read(1_400)
            except OSError:
                piece = b""
            moment = time.monotonic()
            if is_down and piece:
                self.bytes += len(piece)
                moment = self.free = max(moment, self.free) + len(piece) / self.rate
            await under_way.put((moment + self.round_trip / 2, piece or None))
            if not piece:
                return await delivering
            # What the other side sends ahead is bounded, as a window would bound it.
            if (ahead := self.free - time.monotonic()) > 0.5:
                await asyncio.sleep(ahead - 0.4)

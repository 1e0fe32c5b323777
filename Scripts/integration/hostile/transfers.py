"""A pycurl program that knows nothing of the meter: makes the transfers of a case, prints what came of each.

usage: transfers.py JSON
"""

import hashlib
import json
import re
import socket
import sys
import time

import pycurl

case = json.loads(sys.argv[1])
SSL_IN, SSL_OUT = 5, 6


class Gone(Exception):
    """Ends a transfer from within."""


class Transfer:
    """One easy handle and what it got."""

    def __init__(self, each, handle=None):
        self.handle, self.received, self.sha = handle or pycurl.Curl(), 0, hashlib.sha1()
        self.stop_at = each.get("stopAt")
        self.removed_at = each.get("removedAt")
        self.left = each.get("body") or 0
        self.head = 0
        self.begun = time.monotonic()
        self.body = self.left
        self.shown = []
        if each.get("verbose"):
            self.handle.setopt(pycurl.VERBOSE, 1)
        if each.get("verbose") == "debug":
            self.handle.setopt(pycurl.DEBUGFUNCTION, self.debug)
        for name, value in each["options"].items():
            self.handle.setopt(getattr(pycurl, name), value)
        self.handle.setopt(pycurl.WRITEFUNCTION, self.write)
        self.handle.setopt(pycurl.HEADERFUNCTION, self.header)
        if each.get("body") is not None:
            self.handle.setopt(pycurl.READFUNCTION, self.read)
            self.handle.setopt(pycurl.SEEKFUNCTION, self.seek)

    def header(self, line):
        self.head += len(line)

    def debug(self, kind, data):
        # Handshakes are random, and when all is sent hangs on who is faster.
        if kind in (SSL_IN, SSL_OUT) or kind == pycurl.INFOTYPE_TEXT and b" completely " in data:
            return
        if kind == pycurl.INFOTYPE_TEXT:
            data = re.sub(rb"\b0x[0-9a-f]+|\d+", b"N", data)
        if not self.shown or self.shown[-1][0] != kind:
            self.shown.append((kind, bytearray()))
        self.shown[-1][1].extend(data)

    def show(self):
        """What the debug function was called with."""
        for kind, data in self.shown:
            is_content = kind in (pycurl.INFOTYPE_DATA_IN, pycurl.INFOTYPE_DATA_OUT)
            text = f"{len(data)} {hashlib.sha1(data).hexdigest()[:10]}" if is_content else bytes(data)
            print(kind, text, file=sys.stderr, flush=True)
        self.shown = []

    def write(self, data):
        self.received += len(data)
        self.sha.update(data)
        if self.stop_at is not None and self.received >= self.stop_at:
            return 0
        return None

    def read(self, size):
        count = min(size, self.left)
        self.left -= count
        return b"u" * count

    def seek(self, offset, _):
        self.left = self.body - offset
        return 0

    def told(self, result):
        self.show()
        status = self.handle.getinfo(pycurl.RESPONSE_CODE)
        print(result, status, self.received, self.head, self.sha.hexdigest()[:10], flush=True)


def easy(each):
    """One after another, with one handle, which keeps its connections."""
    handle = pycurl.Curl()
    for one in each:
        handle.reset()
        transfer = Transfer(one, handle)
        try:
            handle.perform()
            transfer.told(0)
        except pycurl.error as error:
            transfer.told(error.args[0])
    handle.close()


def multi(transfers, asks):
    """All on one multi handle, in turn; with or without asking for results."""
    multi_handle = pycurl.CurlMulti()
    for transfer in transfers:
        transfer.begun = time.monotonic()
        multi_handle.add_handle(transfer.handle)
        running, result = 1, None
        while running:
            _, running = multi_handle.perform()
            if (
                transfer.removed_at is not None
                and transfer.received >= transfer.removed_at[0]
                and time.monotonic() - transfer.begun >= transfer.removed_at[1]
            ):
                result = "removed"
                break
            if running:
                multi_handle.select(0.05)
        if asks and result is None:
            while True:
                left, good, bad = multi_handle.info_read()
                for one in good:
                    result = 0 if one is transfer.handle else result
                for one, code, _ in bad:
                    result = code if one is transfer.handle else result
                if not left:
                    break
        if case["mode"] == "multi-silent":
            result = "silent"
        status = transfer.handle.getinfo(pycurl.RESPONSE_CODE)
        multi_handle.remove_handle(transfer.handle)
        transfer.show()
        print(result, status, transfer.received, transfer.head, transfer.sha.hexdigest()[:10], flush=True)
    multi_handle.close()


def queue(transfers):
    """All at once over one connection, so that libcurl begins each before the program asks how the last one ended."""
    multi_handle = pycurl.CurlMulti()
    multi_handle.setopt(pycurl.M_MAX_HOST_CONNECTIONS, 1)
    for transfer in transfers:
        multi_handle.add_handle(transfer.handle)
    running = 1
    while running:
        _, running = multi_handle.perform()
        if running:
            multi_handle.select(0.05)
    results = {}
    while True:
        left, good, bad = multi_handle.info_read()
        results |= {one: 0 for one in good} | {one: code for one, code, _ in bad}
        if not left:
            break
    for transfer in transfers:
        multi_handle.remove_handle(transfer.handle)
        transfer.told(results.get(transfer.handle))
    multi_handle.close()


def connect_only(transfers):
    """libcurl connects, the program speaks."""
    for transfer in transfers:
        transfer.handle.setopt(pycurl.CONNECT_ONLY, 1)
        transfer.handle.perform()
        descriptor = transfer.handle.getinfo(pycurl.ACTIVESOCKET)
        connection = socket.socket(fileno=socket.dup(descriptor))
        connection.setblocking(True)
        connection.sendall(b"GET /own HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        got = b""
        while data := connection.recv(4_096):
            got += data
        connection.close()
        print(len(got), hashlib.sha1(got).hexdigest()[:10], flush=True)
        transfer.handle.close()


def websocket(transfers):
    """libcurl agrees on WebSocket, the program sends and receives frames."""
    for transfer in transfers:
        handle = transfer.handle
        handle.setopt(pycurl.CONNECT_ONLY, 2)
        handle.perform()
        for size in (5, 1_000, 70_000):
            data = b"w" * size
            while data:
                try:
                    data = data[handle.ws_send(data, pycurl.WS_BINARY) :]
                except BlockingIOError:
                    time.sleep(0.01)
            left = size
            while left:
                try:
                    left -= len(handle.ws_recv(65_536)[0])
                except BlockingIOError:
                    time.sleep(0.01)
        handle.ws_send(b"\x03\xe8", pycurl.WS_CLOSE)
        while True:
            try:
                handle.ws_recv(65_536)
            except BlockingIOError:
                time.sleep(0.01)
            except pycurl.error as error:
                if error.args[0] != pycurl.E_AGAIN:
                    break
                time.sleep(0.01)
        print("echoed", flush=True)
        handle.close()


def main():
    mode = case["mode"]
    if mode == "easy":
        easy(case["transfers"])
    elif mode in ("multi", "multi-silent"):
        multi([Transfer(each) for each in case["transfers"]], mode == "multi")
    elif mode == "queue":
        queue([Transfer(each) for each in case["transfers"]])
    elif mode == "connect-only":
        connect_only([Transfer(each) for each in case["transfers"]])
    elif mode == "websocket":
        websocket([Transfer(each) for each in case["transfers"]])


main()

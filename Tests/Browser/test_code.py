"""The code that `wireweight inspect` draws on a terminal leads a browser to the page."""

import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import tempfile
import termios
import unittest

import seeded
from browser import STORES, BrowserTest, expect

LINE = re.compile("\x1b\\[30;107m([ ▀▄█]+)\x1b\\[0m")


def own_address():
    """An address under which this machine can be reached, if it has one beside loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: the system only chooses the address that it would send from.
            probe.connect(("203.0.113.1", 9))
        except OSError:
            return None
        return probe.getsockname()[0]


class Inspecting:
    """`wireweight inspect` on a terminal."""

    def __init__(self, columns=80, **environment):
        self.master, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        self.process = subprocess.Popen(
            [seeded.COMMAND, "inspect", STORES.get("seeded"), "--address", own_address()], stdin=terminal,
            stdout=terminal, stderr=terminal, env=os.environ | {"TERM": "xterm", "NO_COLOR": ""} | environment)
        os.close(terminal)
        self.said = ""

    def hear(self):
        """Takes more of what is said; whether there was more."""
        if not select.select([self.master], [], [], 60)[0]:
            self.process.kill()
            raise TimeoutError(f"for a minute nothing after {self.said!r}")
        try:
            piece = os.read(self.master, 65_536)
        except OSError:
            return False
        self.said += piece.decode(errors="replace")
        return piece != b""

    def end(self):
        """All that was said: the code is drawn before an interrupt is looked at."""
        while "Ctrl-C ends it" not in self.said and self.hear():
            pass
        self.process.send_signal(signal.SIGINT)
        while self.hear():
            pass
        self.process.wait(30)
        os.close(self.master)
        return self.said


@unittest.skipUnless(own_address(), "no address beside loopback")
class CodeTests(BrowserTest):
    def test_a_camera_reads_the_address_and_the_page_opens(self):
        inspecting = Inspecting()
        self.addCleanup(inspecting.end)
        lines = []
        while not lines or 2 * len(lines) < len(lines[0]):
            self.assertTrue(inspecting.hear(), inspecting.said)
            lines = LINE.findall(inspecting.said)
        rows = [[character in half for character in line] for line in lines for half in ("▀█", "▄█")]
        pixels = b"".join(bytes(0 if dark else 255 for dark in row for _ in range(4)) * 4 for row in rows)
        with tempfile.TemporaryDirectory() as folder:
            image = pathlib.Path(folder, "code.pgm")
            image.write_bytes(b"P5 %d %d 255\n" % (4 * len(rows[0]), 4 * len(rows)) + pixels)
            read = subprocess.run(["zbarimg", "--quiet", "--raw", image], capture_output=True, text=True, check=True).stdout.strip()
        self.assertEqual(read, re.search(r"open (\S+) in a browser", inspecting.said)[1])
        self.assertRegex(read, rf"^http://{re.escape(own_address())}:\d+/\?token=\S+$")
        # Chromium trusts only loopback without TLS.
        self.allowed = ("Cross-Origin-Opener-Policy",)
        page = self.open(read)
        expect(page.locator(".f-requests dd")).to_have_text(re.compile("^[1-9]"))

    def test_there_is_none_without_colours_or_room(self):
        self.assertNotIn("\x1b", Inspecting(NO_COLOR="1").end())
        self.assertNotIn("\x1b", Inspecting(columns=40).end())

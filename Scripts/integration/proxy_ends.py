"""When the proxy ends: with its terminal, with its command, and with the first signal.

usage: proxy_ends.py COMMAND FOLDER
"""

import contextlib
import os
import pathlib
import pty
import signal
import socket
import subprocess
import sys
import time

from proxy import COMMAND, FAILED, FOLDER, Proxy, expect, free_ports


def ends_soon(pid, name):
    """Whether a process is gone within some seconds."""
    for _ in range(200):
        with contextlib.suppress(OSError):
            if ") Z " not in pathlib.Path(f"/proc/{pid}/stat").read_text():
                time.sleep(0.05)
                continue
        return
    expect(False, name, "has not ended")
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)


def first_signal():
    """A signal that comes just after the first line counts."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP) * 2:
        expect(Proxy(name="first").stop(number) == 0, number, "gave another status")


def killed():
    """A command that is killed leaves no proxy, and its program gets a hang-up."""
    proxy = Proxy(name="killed")
    pid = proxy.pid
    proxy.process.kill()
    proxy.process.communicate(timeout=30)
    ends_soon(pid, "the proxy of a killed command")
    mark = FOLDER / "hangup"
    script = f"trap 'echo hup > {mark}; exit' HUP; echo ready; while :; do sleep 0.05; done"
    with subprocess.Popen(
        [COMMAND, "proxy", "--db", str(FOLDER / "killed.db"), "--", "sh", "-c", script], stdout=subprocess.PIPE, text=True,
        stderr=subprocess.DEVNULL,
    ) as command:
        command.stdout.readline()
        child = int(pathlib.Path(f"/proc/{command.pid}/task/{command.pid}/children").read_text().split()[0])
        command.kill()
    ends_soon(child, "the proxy of a program whose command was killed")
    expect(mark.exists(), "the program got no hang-up")


def terminal():
    """A terminal that is closed ends the proxy."""
    port = free_ports(1)[0]
    pid, master = pty.fork()
    if pid == 0:
        os.execv(COMMAND, [COMMAND, "proxy", "--db", str(FOLDER / "terminal.db"), "--listen", str(port)])
    said = b""
    while b"try: curl" not in said:
        said += os.read(master, 4096)
    proxy = int(pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])
    with socket.create_connection(("127.0.0.1", port), 5):
        os.close(master)
        ends_soon(proxy, "the proxy of a closed terminal")
    ends_soon(pid, "the command of a closed terminal")
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def main():
    # Under nohup a hang-up is ignored, and so it would be by everything that is started here.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    first_signal()
    killed()
    terminal()
    print(f"the proxy's end: signals, a killed command, a closed terminal; {len(FAILED)} failed")
    if FAILED:
        sys.exit(1)


if __name__ == "__main__":
    main()

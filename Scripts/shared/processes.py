"""The command as others start it, and what the kernel says of a process."""

import contextlib
import pathlib
import random
import re
import signal
import socket
import subprocess
import tempfile
import time


@contextlib.contextmanager
def serving(*words, **options):
    """The command until the end of the block: its process, and the address that it printed.

    The options are those of `Popen`."""
    with tempfile.NamedTemporaryFile("w+") as output:
        process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=output, stderr=output, **options)
        try:
            deadline = time.monotonic() + 30
            while not (found := re.search(r"http://[\w.:\[\]]+/\S*", said := pathlib.Path(output.name).read_text())):
                if time.monotonic() > deadline or process.poll() is not None:
                    raise RuntimeError(f"'{' '.join(map(str, words))}' printed no address: {said}")
                time.sleep(0.002)
            yield process, found[0]
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def free_ports(count):
    """Ports on loopback on which no server listens, and which the system gives to no client meanwhile."""
    least = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    ports = []
    while len(ports) < count:
        port = random.randrange(min(20_000, least // 2), least)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            if port not in ports:
                ports.append(port)
    return ports


def processor(process):
    """The seconds that it has computed, threads that are over among them: its own clock, as clock_getcpuclockid(3) names it."""
    return time.clock_gettime(~process.pid << 3 | 2)


def memory(process, most=False):
    """What is resident of it in MiB, or the most that ever was."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    found = re.search(rf"{'VmHWM' if most else 'VmRSS'}:\s+(\d+)", status)
    return int(found[1]) / 1024 if found else 0

"""A packet capture on loopback, by dumpcap."""

import contextlib
import signal
import subprocess
import time


@contextlib.contextmanager
def captured(file, *ports):
    """Captures what goes over these TCP ports on loopback, or over all, while the block runs, to the last packet."""
    wanted = " or ".join(f"tcp port {port}" for port in ports) or "tcp"
    words = ["dumpcap", "-q", "-i", "lo", "-B", "128", "-f", wanted, "-w", str(file)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as capture:
        try:
            said = ""
            while "File:" not in said:
                line = capture.stderr.readline()
                assert line, f"no packets can be captured on lo, run this as root or as a member of wireshark: {said}"
                said += line
            yield
            # It ends when the file has not grown for a while.
            before = -1
            while before != file.stat().st_size:
                before = file.stat().st_size
                time.sleep(1.5)
        finally:
            capture.send_signal(signal.SIGINT)

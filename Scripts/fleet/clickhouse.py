"""A ClickHouse server on loopback, in a folder of its own, with the programs of Debian's packages."""

import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "shared"))
import processes  # noqa: E402

# Seconds until a server responds, at most. On two processors that build meanwhile, ZooKeeper has taken 42.
START = 240

# What the packages configure is for a machine of its own: /var/lib, all addresses, ten gigabytes of caches.
CONFIGURATION = """<yandex>
  <logger><level>warning</level><log>{folder}/server.log</log><errorlog>{folder}/errors.log</errorlog></logger>
  <http_port>{http}</http_port>
  <tcp_port>{tcp}</tcp_port>
  <listen_host>127.0.0.1</listen_host>
  <path>{folder}/data/</path>
  <tmp_path>{folder}/tmp/</tmp_path>
  <users_config>{folder}/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <timezone>UTC</timezone>
  <mark_cache_size>67108864</mark_cache_size>
  <max_concurrent_queries>64</max_concurrent_queries>
  {more}
</yandex>
"""

USERS = """<yandex>
  <profiles><default><max_threads>2</max_threads><max_memory_usage>2000000000</max_memory_usage>{profile}</default>
    <reading><readonly>1</readonly></reading></profiles>
  <quotas><default/></quotas>
  <users>
    <default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile>
      <quota>default</quota></default>
    <reader><password>it's &lt;secret&gt;</password><networks><ip>127.0.0.1</ip></networks><profile>reading</profile>
      <quota>default</quota></reader>
  </users>
</yandex>
"""


class Server:
    """A server that runs: its port, its folder, and its process if it has one of its own."""

    def __init__(self, folder, port, process=None):
        self.folder = folder
        self.process = process
        self.port = port

    def start(self):
        """Starts it, and waits until it responds."""
        self.process = subprocess.Popen(
            ["clickhouse-server", f"--config-file={self.folder}/config.xml"], cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + START
        while True:
            try:
                self.ask("SELECT 1")
                return
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    log = self.folder / "errors.log"
                    said = log.read_text()[-2_000:] if log.exists() else ""
                    raise RuntimeError(f"clickhouse-server does not respond: {said}") from None
                time.sleep(0.05)

    def stop(self):
        """Ends it, if it runs."""
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def url(self, database):
        """The address of a database as `wireweight` takes it."""
        return f"clickhouse://127.0.0.1:{self.port}/{database}"

    def labels(self):
        """The settings by which columns can be LowCardinality: servers of 2018 need one, which today's do not know."""
        is_old = self.ask("SELECT version() FORMAT TSV").startswith("18.")
        return {"allow_experimental_low_cardinality_type": 1} if is_old else {}

    def ask(self, sql, database="default", **settings):
        """The response to a statement, as text."""
        query = urllib.parse.urlencode({"database": database} | settings)
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/?{query}", data=sql.encode())
        try:
            with urllib.request.urlopen(request, timeout=600) as response:
                return response.read().decode()
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{error.code} to '{sql[:200]}': {error.read().decode()[:500]}") from None


def configure(folder, http, tcp, more="", profile=""):
    """Writes what a server in that folder needs; `more` and `profile` are added to what it and its users have."""
    (folder / "config.xml").write_text(CONFIGURATION.format(folder=folder, http=http, tcp=tcp, more=more))
    (folder / "users.xml").write_text(USERS.format(profile=profile))
    return Server(folder, http)


@contextlib.contextmanager
def serving():
    """A server until the end of the block."""
    with tempfile.TemporaryDirectory(prefix="clickhouse-") as name:
        server = configure(pathlib.Path(name), *processes.free_ports(2))
        try:
            server.start()
            yield server
        finally:
            server.stop()

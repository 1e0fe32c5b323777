"""A cluster of ClickHouse on loopback: two shards of two replicas, and ZooKeeper, which knows what each of them has."""

import contextlib
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

import clickhouse
import processes

NAME = "traffic"
LAYOUT = [(1, "a"), (1, "b"), (2, "a"), (2, "b")]
JARS = ":".join(
    f"/usr/share/java/{name}.jar"
    for name in (
        "zookeeper", "zookeeper-jute", "slf4j-api", "slf4j-nop", "netty-all", "commons-cli", "metrics-core", "snappy-java"))

# What docs/fleet.md says a cluster's users need.
PROFILE = (
    "<insert_distributed_sync>1</insert_distributed_sync><distributed_product_mode>local</distributed_product_mode>"
    "<allow_experimental_low_cardinality_type>1</allow_experimental_low_cardinality_type>")

WITHOUT = (
    "<insert_distributed_sync>0</insert_distributed_sync><distributed_product_mode>deny</distributed_product_mode>")

SERVER = """
  <interserver_http_port>{between}</interserver_http_port>
  <interserver_http_host>127.0.0.1</interserver_http_host>
  <remote_servers><{name}>{shards}</{name}></remote_servers>
  <zookeeper>
    <node index="1"><host>127.0.0.1</host><port>{keeper}</port></node>
    <session_timeout_ms>{patience}</session_timeout_ms>
    <operation_timeout_ms>{patience}</operation_timeout_ms>
  </zookeeper>
  <macros><shard>{shard}</shard><replica>{replica}</replica></macros>
  <distributed_ddl><path>/clickhouse/ddl</path></distributed_ddl>
"""

# On a busy machine a server or ZooKeeper may get no turn for seconds; a session that ends then fails what it was about to do.
# It is also how long a server that was killed keeps its place.
PATIENCE = 30_000


class Cluster:
    """Servers in the order of `LAYOUT`."""

    def __init__(self, folder, profile):
        self.folder = folder
        (self.keeper_port, *ports) = processes.free_ports(1 + 3 * len(LAYOUT))
        self.keeper = None
        places = [ports[3 * place:3 * place + 3] for place in range(len(LAYOUT))]
        shards = ""
        for number in sorted({shard for shard, _ in LAYOUT}):
            replicas = "".join(
                f"<replica><host>127.0.0.1</host><port>{tcp}</port></replica>"
                for (shard, _), (_, tcp, _) in zip(LAYOUT, places) if shard == number)
            shards += f"<shard><internal_replication>true</internal_replication>{replicas}</shard>"
        self.servers = []
        for (shard, replica), (http, tcp, between) in zip(LAYOUT, places):
            own = folder / f"{shard}{replica}"
            own.mkdir()
            more = SERVER.format(
                between=between, name=NAME, shards=shards, keeper=self.keeper_port, shard=shard, replica=replica,
                patience=PATIENCE)
            self.servers.append(clickhouse.configure(own, http, tcp, more, PROFILE + profile))
            # The user 'reader' has none of them.
            users = own / "users.xml"
            users.write_text(users.read_text().replace("<readonly>1</readonly>", WITHOUT + "<readonly>1</readonly>"))

    def start(self):
        settings = self.folder / "zoo.cfg"
        settings.write_text(
            f"tickTime=2000\ndataDir={self.folder}/keeper\nclientPort={self.keeper_port}\n"
            "clientPortAddress=127.0.0.1\nadmin.enableServer=false\n")
        self.keeper = subprocess.Popen(
            ["java", "-Xmx128m", "-cp", JARS, "org.apache.zookeeper.server.quorum.QuorumPeerMain", settings],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._wait_for(self._keeper_serves, "ZooKeeper")
        for server in self.servers:
            server.start()
        # 18.16 ends with a null pointer (DDLWorker::enqueueQuery) if a statement ON CLUSTER comes before its own thread for
        # them has a session of ZooKeeper. That thread is the first that watches something there.
        watches = "SELECT value FROM system.metrics WHERE metric = 'ZooKeeperWatch'"
        for server in self.servers:
            self._wait_for(lambda server=server: int(server.ask(watches)) > 0, f"ZooKeeper's session of {server.folder.name}")

    def _keeper_serves(self):
        """Whether ZooKeeper responds: it accepts connections before it does."""
        if self.keeper.poll() is not None:
            raise RuntimeError(f"ZooKeeper ended with {self.keeper.returncode}")
        try:
            with socket.create_connection(("127.0.0.1", self.keeper_port), timeout=5) as connection:
                connection.sendall(b"srvr")
                return b"Mode: " in connection.makefile("rb").read()
        except OSError:
            return False

    @staticmethod
    def _wait_for(condition, name):
        deadline = time.monotonic() + clickhouse.START
        while not condition():
            if time.monotonic() > deadline:
                raise RuntimeError(f"{name} is not there after {clickhouse.START} s")
            time.sleep(0.05)

    def stop(self):
        for server in self.servers:
            server.stop()
        if self.keeper:
            self.keeper.kill()
            self.keeper.wait()

    def lose(self, server, database, tables):
        """A server that was killed loses its disk, and the others forget what it had, as SYSTEM DROP REPLICA does it today."""
        shutil.rmtree(server.folder / "data")
        shard, replica = LAYOUT[self.servers.index(server)]
        self._forget(f"/wireweight/{database}/{table}/{shard}/replicas/{replica}" for table in tables)

    def give_up_waiting(self, server, database, tables):
        """A write that waited for its quorum when a disk was lost waits no longer; until then 18.16 takes no other."""
        shard, _ = LAYOUT[self.servers.index(server)]
        self._forget(f"/wireweight/{database}/{table}/{shard}/quorum/status" for table in tables)

    def _forget(self, paths):
        commands = "".join(f"deleteall {path}\n" for path in paths)
        subprocess.run(
            ["java", "-cp", JARS, "org.apache.zookeeper.ZooKeeperMain", "-server", f"127.0.0.1:{self.keeper_port}"],
            input=commands, text=True, capture_output=True, timeout=120, check=False)


@contextlib.contextmanager
def serving(profile=""):
    """A cluster until the end of the block; `profile` is added to the settings of its users."""
    with tempfile.TemporaryDirectory(prefix="cluster-") as name:
        cluster = Cluster(pathlib.Path(name), profile)
        try:
            cluster.start()
            yield cluster
        finally:
            cluster.stop()

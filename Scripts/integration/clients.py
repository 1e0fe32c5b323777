"""Real clients through the proxy: curl, URLSession, Java, Node and Chromium, over HTTP/1.1, TLS that is opened, and HTTP/2 in it.

Each runs directly and through the proxy. It must print the same, the origin must get the same, and what the proxy has of its
own side must be, part by part, what the origin's log of every byte has.

usage: clients.py COMMAND FOLDER [NAME…]
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "hostile"))
import h2  # noqa: E402 pylint: disable=wrong-import-position
import wire  # noqa: E402 pylint: disable=wrong-import-position

COMMAND, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
CERTIFICATE, KEY, DATA = FOLDER / "certificate.pem", FOLDER / "key.pem", FOLDER / "data of clients"
BUNDLE = "/etc/ssl/certs/ca-certificates.crt"
# Debian's Chromium, driven as by Tests/Browser.
BROWSER = HERE.parents[1] / ".build/browser-tools/bin/python"
PATHS = ("length", "chunked", "none", "large", "length")
FAILED = []

JAVA = """
import java.net.URI;
import java.net.http.*;
public class Client {
    public static void main(String[] words) throws Exception {
        var client = HttpClient.newBuilder().version(HttpClient.Version.valueOf(words[1])).build();
        for (int i = 2; i < words.length; i++) {
            var answer = client.send(HttpRequest.newBuilder(URI.create(words[0] + "/" + words[i])).build(), HttpResponse.BodyHandlers.ofByteArray());
            System.out.println(answer.version() + " " + answer.statusCode());
        }
        var posted = HttpRequest.newBuilder(URI.create(words[0] + "/post")).POST(HttpRequest.BodyPublishers.ofByteArray(new byte[20_000])).build();
        System.out.println(client.send(posted, HttpResponse.BodyHandlers.ofString()).body());
    }
}
"""
# Node 20 knows no proxy, so the script asks it for the tunnel.
NODE = """
const http = require("http"), https = require("https"), http2 = require("http2"), tls = require("tls");
const [base, kind, ...paths] = process.argv.slice(1), origin = new URL(base);
const proxy = process.env.https_proxy && new URL(process.env.https_proxy);
const place = {host: origin.hostname, port: origin.port, servername: origin.hostname, ALPNProtocols: [kind == "h2" ? "h2" : "http/1.1"]};
function tunnel() {
  return new Promise((done, failed) => {
    if (!proxy) { const socket = tls.connect(place, () => done(socket)).on("error", failed); return; }
    http.request({host: proxy.hostname, port: proxy.port, method: "CONNECT", path: origin.host}).on("connect", (answer, below) => {
      const socket = tls.connect({...place, socket: below}, () => done(socket)).on("error", failed);
    }).on("error", failed).end();
  });
}
function ended(stream, status) {
  return new Promise((done, failed) => stream.on("data", () => {}).on("end", () => done(status())).on("error", failed));
}
(async () => {
  const asked = [...paths.map(path => ["GET", "/" + path]), ["POST", "/post", "p".repeat(20000)]];
  if (kind == "h2") {
    const socket = await tunnel(), session = http2.connect(base, {createConnection: () => socket});
    for (const [method, path, body] of asked) {
      const stream = session.request({":method": method, ":path": path}, {endStream: !body});
      let status;
      stream.on("response", head => status = head[":status"]);
      if (body) stream.end(body);
      console.log(await ended(stream, () => status));
    }
    return session.close();
  }
  const agent = new http.Agent({keepAlive: true, maxSockets: 1});
  if (kind == "https") { const socket = await tunnel(); agent.createConnection = () => socket; agent.protocol = "https:"; }
  for (const [method, path, body] of asked) {
    const through = kind == "http" && proxy ? {host: proxy.hostname, port: proxy.port, path: base + path} : {host: origin.hostname, port: origin.port, path};
    const request = (kind == "https" ? https : http).request({...through, method, agent, headers: {Host: origin.host}});
    const answer = new Promise((done, failed) => request.on("response", done).on("error", failed));
    request.end(body);
    const response = await answer;
    console.log(await ended(response, () => response.statusCode));
  }
  agent.destroy();
})().catch(error => { console.log(String(error)); process.exit(1); });
"""
# A site of sixty resources, at once.
CHROMIUM = """
import os, sys
from playwright.sync_api import sync_playwright
base, proxy = sys.argv[1], os.environ.get("http_proxy")
with sync_playwright() as playwright:
    through = {"proxy": {"server": proxy, "bypass": "<-loopback>"}} if proxy else {}
    args = ["--no-sandbox", "--ignore-certificate-errors", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=args, **through)
    page = browser.new_page()
    print(page.goto(base + "/length").status)
    one = "async (path, options) => { const answer = await fetch(path, options); await answer.text(); return answer.status; }"
    print(page.evaluate(f"Promise.all([...Array(60).keys()].map(number => ({one})('/' + ['length', 'large', 'chunked'][number % 3] + '?' + number)))"))
    print(page.evaluate(f"({one})('/post', {{method: 'POST', body: 'p'.repeat(20000)}})"))
    browser.close()
"""


def origin(connection):
    """HTTP/1.1."""
    while (message := connection.request()) is not None:
        path = message.target.split("?")[0]
        if path == "/chunked":
            connection.head(message, "200 OK", "Transfer-Encoding: chunked", "Content-Type: text/plain")
            connection.chunks(message, b"a", b"b" * 300)
        elif path == "/none":
            connection.head(message, "204 No Content")
        else:
            connection.answer(message, "200 OK", "Content-Type: text/html", body=b"0123456789" * (30_000 if path == "/large" else 1))


def secure(connection):
    connection.tls(("http/1.1",))
    origin(connection)


def streams(connection):
    """HTTP/2, where each stream is answered by its number."""
    connection.tls(("h2",))
    session = h2.Session(connection, (3, 100), (6, 1 << 20))
    answered = set()
    while True:
        ready = [each for each in session.streams.values() if each.is_whole and each.number not in answered]
        if ready:
            answered.add(ready[-1].number)
            session.head(ready[-1], 200, ("content-type", "text/html"))
            session.flow(ready[-1], b"0123456789" * (10_000 if ready[-1].number % 4 == 1 else 1), end=True)
        elif session.frame() is None:
            return


ROLES = {"http": origin, "https": secure, "h2": streams}


class Run:
    """One run of a client, and what the origin saw."""

    def __init__(self, words, kind, through=None):
        server = wire.Server({kind: ROLES[kind]}, str(CERTIFICATE), str(KEY))
        base = f"{'http' if kind == 'http' else 'https'}://localhost:{server.address(kind).split(':')[1]}"
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(FOLDER), "XDG_DATA_HOME": str(DATA)}
        bundle = str(FOLDER / "bundle.pem")
        if not through:
            environment |= {name: bundle for name in ("SSL_CERT_FILE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")}
            environment["JAVA_TOOL_OPTIONS"] = f"-Djavax.net.ssl.trustStore={FOLDER}/trusted.jks -Djavax.net.ssl.trustStorePassword=changeit"
        ended = subprocess.run(
            [*(through or ()), *(word.replace("{base}", base) for word in words)], cwd=FOLDER, env=environment,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180, check=False)
        server.stop()
        self.status, self.output, self.errors = ended.returncode, ended.stdout, ended.stderr
        self.messages = [message for connection in server.connections for message in connection.messages]
        self.has_parts = kind == "https"

    @property
    def course(self):
        """What must be the same without the proxy; to a proxy, clients of http:// send other fields."""
        asked = sorted((one.method, one.target, one.up["body"], one.total("up") if self.has_parts else 0) for one in self.messages)
        return [self.status, *self.output.splitlines(), *map(str, asked)]


def rows(store, verb):
    text = subprocess.check_output([COMMAND, verb, str(store), "--format", "ndjson"], text=True)
    return [json.loads(line) for line in text.splitlines()]


def compare(run, recorded):
    """The differences between the origin's log and the proxy's side of it."""
    logged = [(dict(one.up), dict(one.down), one.late) for one in run.messages]
    found = []
    for row in recorded:
        leg = row["serverLeg"]
        found.append(tuple({part: (leg[name] or {}).get(part, 0) for part in wire.PARTS} for name in ("request", "response")))
    left = []
    for up, down, late in logged:
        # Frames that a client sends for a stream after the end of its exchange are the connection's own.
        matches = (
            one for one in found
            if one[1] == down and all(one[0][part] == up[part] for part in wire.PARTS if part != "framing")
            and 0 <= up["framing"] - one[0]["framing"] <= late)
        match = next(matches, None)
        if match is None:
            left.append((up, down))
        else:
            found.remove(match)
    return left, found


def judge(name, words, kind):
    """The problems of one client over one protocol, and the run through the proxy."""
    store = FOLDER / f"client-{name}-{kind}.db"
    for file in FOLDER.glob(f"{store.name}*"):
        file.unlink()
    direct = Run(words, kind)
    proxied = Run(words, kind, [COMMAND, "proxy", "--db", str(store), "--open-tls", "--upstream-ca", str(CERTIFICATE), "--"])
    problems = []
    if proxied.course != direct.course:
        course = collections.Counter(proxied.course), collections.Counter(direct.course)
        problems.append(f"through it {course[0] - course[1]}, directly {course[1] - course[0]}; it said {proxied.errors}")
    if not proxied.messages or proxied.status:
        problems.append(f"it gave {proxied.status} {proxied.output} {proxied.errors}")
    # A browser asks its maker's servers, too.
    recorded = [row for row in rows(store, "exchanges") if row["host"] == "localhost" and row["method"] != "CONNECT"]
    if any("serverLeg" not in row for row in recorded):
        problems.append(f"no server's leg: {[row['url'] for row in recorded if 'serverLeg' not in row]}")
    else:
        left, found = compare(proxied, recorded)
        if left or found:
            problems.append(f"the origin has {left}, and the proxy {found}")
    if "refused our certificate" in proxied.errors:
        problems.append(f"it said {proxied.errors}")
    for one in rows(store, "connections"):
        if one["exchanges"] and one["unaccounted"] != {"up": 0, "down": 0}:
            problems.append(f"the ledger of connection {one['connection']} has {one['unaccounted']}")
    return problems, proxied


def clients(kind):
    """Each client's name and words."""
    urls = ["{base}/" + path for path in PATHS]
    yield "curl", ["curl", "-sS", "--http2" if kind == "h2" else "--http1.1", "-w", "%{http_code} %{http_version} %{size_download}\n",
                   *urls, "-d", "p" * 200]
    transfers = json.dumps([*({"url": url} for url in urls), {"url": "{base}/post", "method": "POST", "body": 20_000}])
    trusting = 'mount --bind "$SSL_CERT_FILE" ' + BUNDLE + ' && exec "$@"'
    yield "URLSession", ["unshare", "-rm", "sh", "-c", trusting, "sh", str(FOLDER / "sessions"), transfers]
    yield "java", ["java", str(FOLDER / "Client.java"), "{base}", "HTTP_2" if kind == "h2" else "HTTP_1_1", *PATHS]
    yield "node", ["node", "-e", NODE, "{base}", kind, *PATHS]
    yield "chromium", [str(BROWSER), "-c", CHROMIUM, "{base}"]


def prepare():
    (FOLDER / "Client.java").write_text(JAVA)
    (FOLDER / "bundle.pem").write_text(pathlib.Path(BUNDLE).read_text() + CERTIFICATE.read_text())
    (FOLDER / "trusted.jks").unlink(missing_ok=True)
    keytool = ["keytool", "-importcert", "-noprompt", "-storepass", "changeit", "-keystore", str(FOLDER / "trusted.jks"), "-file", str(CERTIFICATE)]
    subprocess.run(keytool, check=True, capture_output=True)


def main():
    prepare()
    exchanges = 0
    for kind in ROLES:
        for name, words in clients(kind):
            if sys.argv[3:] and name not in sys.argv[3:]:
                continue
            begin = time.monotonic()
            problems, run = judge(name, words, kind)
            for problem in problems:
                print(f"FAILED: {name} {kind}: {problem[:3000]}", flush=True)
                FAILED.append((name, kind))
            exchanges += len(run.messages)
            print(f"{name} {kind}: {len(run.messages)} exchanges, {time.monotonic() - begin:.1f} s", flush=True)
    print(f"clients through the proxy: {exchanges} exchanges; {len(FAILED)} failed")
    if FAILED:
        sys.exit(1)


if __name__ == "__main__":
    main()

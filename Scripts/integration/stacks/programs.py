"""The programs of stacks.py: clients of HTTP libraries in several languages."""

import pathlib
import shutil
import subprocess

try:
    import hpack
except ImportError:
    hpack = None

GETS = "length chunked none redirect close old early large cut".split()
# Over HTTP/2; the last one ends the connection.
STREAMS = "length none same early long padded trailers empty large refused stopped bye".split()

# The words of each program, where {base} is the server's address.
PYTHON = """
import sys, urllib.request
def get(path, **more):
    try:
        request = urllib.request.Request(sys.argv[1] + path, **more)
        print(path, len(urllib.request.urlopen(request, timeout=20).read()))
    except Exception as error: print(path, type(error).__name__)
for path in sys.argv[2:]: get("/" + path)
get("/length", method="HEAD"); get("/echo", data=b"q" * 3000); get("/echo", data=b"p" * 200000, method="PUT")
get("/echo", data=iter([b"a" * 10, b"b" * 5000]), method="POST")
"""
KEPT = """
import sys, http.client, urllib.parse
base = urllib.parse.urlsplit(sys.argv[1])
kind = http.client.HTTPSConnection if base.scheme == "https" else http.client.HTTPConnection
one = kind(base.netloc, timeout=20)
for method, path, body in [("GET", "/length", None), ("HEAD", "/length", None), ("GET", "/chunked", None), ("GET", "/none", None),
                           ("POST", "/echo", b"x" * 70000), ("GET", "/same", None), ("GET", "/length", None)]:
    one.request(method, path, body); answer = one.getresponse(); print(path, answer.status, len(answer.read()))
"""
REQUESTS = """
import sys, requests
session = requests.Session()
def ask(method, path, **more):
    try: answer = session.request(method, sys.argv[1] + path, timeout=20, **more); print(path, answer.status_code, len(answer.content))
    except Exception as error: print(path, type(error).__name__)
for path in sys.argv[2:]: ask("GET", "/" + path)
ask("HEAD", "/length"); ask("POST", "/echo", data=b"x" * 3000); ask("PUT", "/echo", data=iter([b"a" * 10, b"b" * 9000]))
"""
ASYNCIO = """
import asyncio, ssl, sys, urllib.parse
base = urllib.parse.urlsplit(sys.argv[1])
async def one(number):
    context = ssl._create_unverified_context() if base.scheme == "https" else None
    reader, writer = await asyncio.open_connection(base.hostname, base.port, ssl=context)
    for path in ("/length", "/large"):
        writer.write(f"GET {path} HTTP/1.1\\r\\nHost: {base.netloc}\\r\\n\\r\\n".encode())
        head = await reader.readuntil(b"\\r\\n\\r\\n")
        size = int(head.lower().split(b"content-length: ")[1].split(b"\\r\\n")[0])
        await reader.readexactly(size)
    writer.transport.abort()
async def main(): await asyncio.gather(*(one(number) for number in range(8)))
asyncio.run(main())
print("done")
"""
TINY = """
use HTTP::Tiny; my $base = shift; my $one = HTTP::Tiny->new(keep_alive => 1, verify_SSL => 0, timeout => 20);
for my $path (@ARGV) { my $r = $one->get("$base/$path"); print "$path $r->{status}\\n"; }
print $one->head("$base/length")->{status}, $one->post("$base/echo", {content => "q" x 3000})->{status}, "\\n";
my $n = 0; print $one->put("$base/echo", {content => sub { $n++ < 3 ? "z" x 4000 : undef }})->{status}, "\\n";
"""
LWP = """
use LWP::UserAgent; my $base = shift; my $one = LWP::UserAgent->new(keep_alive => 4, timeout => 20, ssl_opts => {verify_hostname => 0, SSL_verify_mode => 0});
for my $path (@ARGV) { my $r = $one->get("$base/$path"); print "$path ", $r->code, "\\n"; }
print $one->head("$base/length")->code, $one->post("$base/echo", Content => "q" x 3000)->code, "\\n";
"""
RUBY = """
require "net/http"; require "openssl"
base = URI(ARGV.shift)
Net::HTTP.start(base.host, base.port, use_ssl: base.scheme == "https", verify_mode: OpenSSL::SSL::VERIFY_NONE) do |http|
  ARGV.each { |path| begin; answer = http.get("/" + path); puts "#{path} #{answer.code} #{answer.body.to_s.size}"; rescue => error; puts "#{path} #{error.class}"; end }
  puts http.head("/length").code, http.post("/echo", "q" * 3000).code
  request = Net::HTTP::Put.new("/echo"); request.body = "p" * 200000; request["Expect"] = "100-continue"; puts http.request(request).code
end
"""
PHP = """
$base = $argv[1]; $tls = ["verify_peer" => false, "verify_peer_name" => false];
foreach (array_slice($argv, 2) as $path) { $text = @file_get_contents("$base/$path", false, stream_context_create(["ssl" => $tls])); echo $path, " ", strlen((string)$text), "\\n"; }
$post = ["method" => "POST", "header" => "Content-Type: text/plain", "content" => str_repeat("q", 3000), "protocol_version" => "1.1"];
echo strlen(file_get_contents("$base/echo", false, stream_context_create(["ssl" => $tls, "http" => $post]))), "\\n";
"""
NODE = """
const base = process.argv[1], paths = process.argv.slice(2);
const kit = require(base.startsWith("https") ? "https" : "http");
const agent = new kit.Agent({keepAlive: true, maxSockets: 1, rejectUnauthorized: false});
function ask(method, path, body, more = {}) {
  return new Promise(done => {
    const request = kit.request(base + path, {method, agent, ...more}, answer => {
      let size = 0;
      answer.on("data", data => size += data.length);
      answer.on("end", () => done(`${path} ${answer.statusCode} ${size}`));
      answer.on("error", error => done(`${path} ${error.code}`));
    });
    request.on("error", error => done(`${path} ${error.code}`));
    if (body) for (const piece of body) request.write(piece);
    request.end();
  });
}
(async () => {
  for (const path of paths) console.log(await ask("GET", "/" + path));
  console.log(await ask("HEAD", "/length"));
  console.log(await ask("POST", "/echo", ["q".repeat(3000)], {headers: {"Content-Length": 3000}}));
  console.log(await ask("PUT", "/echo", ["a".repeat(10), "b".repeat(9000)]));
  console.log(await ask("PUT", "/echo", ["p".repeat(200000)], {headers: {"Expect": "100-continue", "Content-Length": 200000}}));
  console.log((await Promise.all([1, 2, 3, 4].map(() => fetch(base + "/large").then(a => a.arrayBuffer()).then(b => b.byteLength)))).join());
  agent.destroy();
})();
"""
STREAMED = """
import sys, httpx
with httpx.Client(http2=True, http1=False, verify=False, timeout=20) as one:
    def ask(method, path, **more):
        try: answer = one.request(method, sys.argv[1] + path, **more); print(path, answer.http_version, answer.status_code, len(answer.content))
        except Exception as error: print(path, type(error).__name__)
    ask("HEAD", "/length"); ask("POST", "/echo", content=b"q" * 3000); ask("PUT", "/echo", content=b"p" * 200000)
    ask("POST", "/echo", content=iter([b"a" * 10, b"b" * 5000])); ask("GET", "/length", headers={"X-Long": "y" * 20000, "Cookie": "a=b; c=d"})
    with one.stream("GET", sys.argv[1] + "/endless") as answer: print(len(next(answer.iter_raw())) > 0)
    for path in sys.argv[2:]: ask("GET", "/" + path)
"""
STREAMED_ASYNC = """
import asyncio, sys, httpx
async def main():
    async with httpx.AsyncClient(http2=True, http1=False, verify=False, timeout=20) as one:
        async def ask(method, path, **more):
            answer = await one.request(method, sys.argv[1] + path, **more)
            return path, answer.http_version, answer.status_code, len(answer.content)
        async def leave():
            async with one.stream("GET", sys.argv[1] + "/endless") as answer:
                async for _ in answer.aiter_raw(): return "left"
        print(await ask("GET", "/length"))
        many = [ask("GET", path) for path in ("/length", "/large", "/early", "/trailers", "/none") for _ in range(8)]
        for line in await asyncio.gather(*many, leave(), *(ask("POST", "/echo", content=b"x" * 30000) for _ in range(4)), leave()): print(line)
asyncio.run(main())
"""
AIOHTTP = """
import aiohttp, asyncio, sys, ssl
base = sys.argv[1]
async def main():
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=False)) as session:
        async def ask(method, path, **more):
            try:
                async with session.request(method, base + path, **more) as answer: return f"{path} {answer.status} {len(await answer.read())}"
            except Exception as error: return f"{path} {type(error).__name__}"
        for path in sys.argv[2:]: print(await ask("GET", "/" + path))
        print(sorted(await asyncio.gather(*(ask("GET", "/large") for each in range(12)))))
        async def content():
            yield b"a" * 100
            yield b"b" * 2000
        print(await ask("HEAD", "/length"), await ask("POST", "/echo", data=b"x" * 5000), await ask("POST", "/echo", data=content()))
        print(await ask("PUT", "/echo", data=b"z" * 200000, expect100=True))
asyncio.run(main())
"""
HTTPX = """
import httpx, sys, asyncio
base = sys.argv[1]
with httpx.Client(verify=False, follow_redirects=True) as one:
    def ask(method, path, **more):
        try: answer = one.request(method, base + path, **more); print(path, answer.status_code, len(answer.content))
        except Exception as error: print(path, type(error).__name__)
    for path in sys.argv[2:]: ask("GET", "/" + path)
    ask("HEAD", "/length"); ask("POST", "/echo", content=b"x" * 5000); ask("PUT", "/echo", content=iter([b"a" * 10, b"b" * 9000]))
async def main():
    async with httpx.AsyncClient(verify=False) as many:
        answers = await asyncio.gather(*(many.get(base + "/large") for each in range(12)))
        print([len(each.content) for each in answers])
asyncio.run(main())
"""
# The four kinds of calls, with bytes in the place of messages.
GRPC = """
import grpc, sys, urllib.parse
base = urllib.parse.urlsplit(sys.argv[1])
if base.scheme == "https":
    with open(sys.argv[2], "rb") as file: trusted = grpc.ssl_channel_credentials(file.read())
    channel = grpc.secure_channel(base.netloc, trusted)
else: channel = grpc.insecure_channel(base.netloc)
def call(path, begin):
    try: print(path, *[len(each) for each in begin()])
    except grpc.RpcError as error: print(path, error.code().name)
with channel:
    for path in ("unary", "large", "fails", "unary"):
        call(path, lambda: [channel.unary_unary("/made.Calls/" + path)(b"q" * 70, timeout=20)])
    call("several", lambda: channel.unary_stream("/made.Calls/several")(b"q", timeout=20))
    call("upload", lambda: [channel.stream_unary("/made.Calls/unary")(iter([b"u" * 20_000] * 4), timeout=20)])
    call("both", lambda: channel.stream_stream("/made.Calls/several")(iter([b"a", b"b" * 3_000]), timeout=20))
"""
SOUP = """
import gi, sys
gi.require_version("Soup", "3.0")
from gi.repository import Soup, Gio, GLib
session = Soup.Session()
base = sys.argv[1]
def ask(method, path):
    message = Soup.Message.new(method, base + path)
    message.connect("accept-certificate", lambda *a: True)
    try: data = session.send_and_read(message, None); print(path, message.get_status(), data.get_size())
    except GLib.Error as error: print(path, error.code)
for path in sys.argv[2:]: ask("GET", "/" + path)
ask("HEAD", "/length")
"""
NODE_STREAMS = """
const client = require("http2").connect(process.argv[1], {rejectUnauthorized: false});
function ask(method, path, body) {
  return new Promise(done => {
    const stream = client.request({":path": path, ":method": method}, {endStream: !body});
    let size = 0, status;
    stream.on("response", head => status = head[":status"]);
    stream.on("data", data => { size += data.length; if (path == "/endless") stream.close(8); });
    stream.on("error", error => status = error.code);
    stream.on("close", () => done(`${path} ${status} ${path == "/endless" || size}`));
    if (body) stream.end(body);
  });
}
(async () => {
  for (const path of process.argv.slice(2)) console.log(await ask("GET", "/" + path));
  console.log(await ask("HEAD", "/length"), await ask("POST", "/echo", Buffer.alloc(200000, "p")), await ask("GET", "/endless"));
  console.log(await Promise.all(Array(20).fill("/large").map(path => ask("GET", path))));
  client.close();
})();
"""


# Its TLS is used by a BIO.
TCL = """
package require http
package require tls
http::register https 443 [list ::tls::socket -autoservername true -require 0]
proc ask {path args} {
    if {[catch {http::geturl [lindex $::argv 0]/$path -timeout 3000 -binary 1 {*}$args} token]} { return "$path failed" }
    set answer "$path [http::ncode $token] [string length [http::data $token]]"
    http::cleanup $token
    return $answer
}
foreach path [lrange $argv 1 end] { puts [ask $path] }
puts [ask length -validate 1]
puts [ask echo -type application/octet-stream -query [string repeat q 200000]]
"""


# What shows that a program's library is there.
NEEDS = {
    "LWP": ["perl", "-MLWP::Protocol::https", "-e", "1"],
    "HTTP::Tiny": ["perl", "-MIO::Socket::SSL", "-e", "1"],
    "Tcl": ["sh", "-c", "echo 'exit [catch {package require tls}]' | tclsh"],
    "libsoup": ["/usr/bin/python3", "-c", "import gi; gi.require_version('Soup', '3.0')"],
}
# Their TLS is a library's own that has no names.
UNSEEN = ("h2 grpc",)
# Of programs that meter themselves, the words in place of the first one: {store} is the file.
WITHIN = {}


def toolchain(name):
    """The program that rustup's program of that name starts, which does not find it with another home."""
    if shutil.which("rustup") is None:
        return name
    return subprocess.run(["rustup", "which", name], capture_output=True, text=True, check=False).stdout.strip() or name


# As programs on .NET or Qt do it: they open OpenSSL and look its functions up.
OPENED = """
import ctypes, socket, sys, urllib.parse
base = urllib.parse.urlsplit(sys.argv[1])
for library in sys.argv[2:]: tls = ctypes.CDLL(library)
for name in ("TLS_client_method", "SSL_CTX_new", "SSL_new"): getattr(tls, name).restype = ctypes.c_void_p
context = ctypes.c_void_p(tls.SSL_CTX_new(ctypes.c_void_p(tls.TLS_client_method())))
for path in ("/length", "/large", "/none"):
    connection = socket.create_connection((base.hostname, base.port))
    session = ctypes.c_void_p(tls.SSL_new(context))
    tls.SSL_set_fd(session, connection.fileno())
    assert tls.SSL_connect(session) == 1
    words = f"GET {path} HTTP/1.1\\r\\nHost: {base.netloc}\\r\\nConnection: close\\r\\n\\r\\n".encode()
    written = ctypes.c_size_t()
    assert tls.SSL_write_ex(session, words, ctypes.c_size_t(len(words)), ctypes.byref(written)) == 1
    bytes, count, more = ctypes.create_string_buffer(10_000), 0, 1
    while (more := tls.SSL_read(session, bytes, 10_000)) > 0: count += more
    print(path, count)
    tls.SSL_shutdown(session); tls.SSL_free(session); connection.close()
# The same by a BIO.
tls.BIO_new_ssl_connect.restype = ctypes.c_void_p
for path in ("/length", "/large"):
    chain = ctypes.c_void_p(tls.BIO_new_ssl_connect(context))
    tls.BIO_ctrl(chain, 100, ctypes.c_long(0), base.netloc.encode())
    assert tls.BIO_puts(chain, f"GET {path} HTTP/1.1\\r\\nHost: {base.netloc}\\r\\nConnection: close\\r\\n\\r\\n".encode()) > 0
    count = 0
    while (more := tls.BIO_read(chain, bytes, 10_000)) > 0: count += more
    print(path, count)
    tls.BIO_free_all(chain)
"""

# NSS's own client, which takes a request from a file.
TSTCLNT = """
[ -e cert9.db ] || certutil -N -d sql:. --empty-password
printf 'GET /large HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >request
tstclnt -h 127.0.0.1 -a localhost -p "${1##*:}" -d sql:. -o -A request 2>/dev/null | wc -c
"""


def compiled(folder, name, libraries):
    """The program of Tests/Programs, built; what there is none of if this machine does not have its libraries."""
    source = pathlib.Path(f"Tests/Programs/{name}.c").resolve()
    words = ["cc", "-std=gnu11", "-O1", source, "-o", folder / name, *(f"-l:{library}" for library in libraries)]
    return str(folder / name) if subprocess.run(words, capture_output=True, check=False).returncode == 0 else f"no-{name}"


def each(folder):
    """Each program's name and words; those that this machine does not have are left out, and said to be."""
    python = "/usr/bin/python3"
    venv = folder / "venv" / "bin" / "python3"
    # The library that the other one needs is opened before it.
    old = [next((folder / "openssl-1.1").rglob(f"{name}-*"), None) for name in ("libcrypto", "libssl")]
    script = str(folder / "get.tcl")
    (folder / "get.tcl").write_text(TCL)
    wget = ["--tries=1", "--no-check-certificate", "--timeout=3", "-q", "-O", "/dev/null"]
    found = [
        ("urllib", [python, "-c", PYTHON, "{base}", *GETS]),
        ("http.client", [python, "-c", KEPT, "{base}"]),
        ("asyncio", [python, "-c", ASYNCIO, "{base}"]),
        ("requests", [str(venv), "-c", REQUESTS, "{base}", *GETS]),
        ("aiohttp", [str(venv), "-c", AIOHTTP, "{base}", *GETS]),
        ("httpx", [str(venv), "-c", HTTPX, "{base}", *GETS]),
        ("libsoup", [python, "-c", SOUP, "{base}", *GETS]),
        ("aria2", ["aria2c", "-q", "--check-certificate=false", "--allow-overwrite=true", "--max-tries=1", "-Z",
                   *["{base}/" + path for path in GETS if path not in ("cut", "none")]]),
        ("lynx", ["lynx", "-source", "{base}/large"]),
        ("w3m", ["w3m", "-o", "ssl_verify_server=0", "-dump_source", "{base}/large"]),
        ("links", ["links", "-ssl.certificates", "0", "-source", "{base}/chunked"]),
        ("HTTP::Tiny", ["perl", "-e", TINY, "{base}", *GETS]),
        # It takes 103 as final and what follows as the next response, if that has come by then.
        ("LWP", ["perl", "-e", LWP, "{base}", *(path for path in GETS if path != "early")]),
        ("node", ["node", "-e", NODE, "{base}", *GETS]),
        ("ruby", ["ruby", "-e", RUBY, "{base}", *GETS]),
        ("php", ["php", "-r", PHP, "{base}", *GETS]),
        ("wget", ["wget", *wget, *["{base}/" + path for path in GETS]]),
        ("wget2", ["wget2", "--no-http2", *wget, *["{base}/" + path for path in GETS]]),
        ("Tcl", ["tclsh", script, "{base}", *GETS]),
        ("opened OpenSSL", [python, "-c", OPENED, "{base}", "libssl.so.3"]),
        ("opened OpenSSL 1.1", [python if all(old) else "no OpenSSL 1.1", "-c", OPENED, "{base}", *map(str, old)]),
        ("nss", [compiled(folder, "nss", ["libssl3.so", "libnss3.so", "libnspr4.so"]), "{base}"]),
        ("tstclnt", [*(["sh", "-c", TSTCLNT, "sh"] if shutil.which("tstclnt") else ["tstclnt"]), "{base}"]),
    ]
    # What they get is no package: they ask, and say so.
    certificate = str(folder / "certificate.pem")
    found += [
        ("apt", ["/usr/lib/apt/apt-helper", "-qq", "-o", "Acquire::https::Verify-Peer=false", "-o", "Acquire::Retries=0", "-o",
                 "APT::Sandbox::User=root", "download-file", "{base}/large", "apt-large"]),
        ("pip", ["python3", "-m", "pip", "-q", "--disable-pip-version-check", "--no-cache-dir", "--retries=0", "download",
                 "--no-deps", "--cert", certificate, "{base}/made-1.0-py3-none-any.whl"]),
        ("cargo", [toolchain("cargo"), "-q", "search", "made", "--registry=own", "--config", "net.retry=0", "--config",
                   f'http.cainfo="{certificate}"', "--config", 'registries.own.index="sparse+{base}/index/"']),
    ]
    # HTTP/2 by prior knowledge, and by ALPN.
    (folder / "upload").write_bytes(b"u" * 70_000)
    over = ["{base}/" + path for path in ("length", "large", "none", "early", "trailers", "padded", "long", "empty", "length")]
    found += [
        ("h2 httpx", [str(venv), "-c", STREAMED, "{base}", *STREAMS]),
        ("h2 httpx async", [str(venv), "-c", STREAMED_ASYNC, "{base}"]),
        ("h2 node", ["node", "-e", NODE_STREAMS, "{base}", *(path for path in STREAMS if path != "bye")]),
        ("h2 grpc", [str(venv), "-c", GRPC, "{base}", certificate]),
        ("h2 nghttp", ["nghttp", "-n", "--no-verify-peer", *over]),
        ("h2 nghttp upload", ["nghttp", "-n", "--no-verify-peer", "-d", "upload", "--trailer=x-sum: 1", "{base}/echo"]),
        ("h2 wget2", ["wget2", "--http2", *wget, *over]),
    ]
    # `make integration-programs` builds them. Alone, too, they wait forever for a response with 30 kB of fields over HTTP/2, and what
    # becomes of the request after a GOAWAY is chance.
    built = pathlib.Path(".build/nioprograms/debug").resolve()
    own, monitored = shutil.which(str(built / "Client")), str(built / "Monitored")
    if own:
        streams = [path for path in STREAMS if path not in ("long", "bye")]
        found += [("AsyncHTTPClient", [own, "{base}", *GETS]), ("h2 AsyncHTTPClient", [own, "{base}", *streams])]
        # The same, beside a program that is not run by the meter, but starts it.
        for when in ("early", "late"):
            for prefix, paths in (("", GETS), ("h2 ", streams)):
                name = f"{prefix}AsyncHTTPClient {when}"
                WITHIN[name] = [monitored, "{store}", when]
                found.append((name, [own, "{base}", *paths]))
    for name, words in found:
        there = shutil.which(words[0]) is not None and (hpack or not name.startswith("h2 "))
        if there and name in NEEDS:
            there = subprocess.run(NEEDS[name], capture_output=True, check=False).returncode == 0
        if there:
            yield name, words
        else:
            print(f"{name}: left out, this machine does not have it")

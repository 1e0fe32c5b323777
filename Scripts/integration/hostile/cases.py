"""The cases: what each server does, and what is asked of it. What a case does not say is judged as in judge.py."""

import base64
import socket
import time

import h2
import roles
from case import Transfer as T
from case import case
from judge import expect

BODY = bytes(range(256)) * 40


def serve(c, *fields, body=b"ok\n", status="200 OK"):
    """An origin that answers whatever comes."""
    while message := c.request():
        c.answer(message, status, *fields, body=body)


def serve_chunks(c):
    while message := c.request():
        c.head(message, "200 OK", "Transfer-Encoding: chunked")
        c.chunks(message, BODY, b"more")


# Forward proxies; NTLM by curl alone, which the wheel cannot do


@case(
    "proxy-forward",
    T(url="http://a.test/one"),
    T(url="http://a.test/two?x=1"),
    curl=("-x", "http://{origin}"),
    easy={"PROXY": "http://{origin}"},
    environment={"http_proxy": "http://{origin}"},
)
def _(c):
    serve(c, body=BODY)


@case(
    "proxy-forward-upload",
    T(url="http://a.test/up", method="POST", body=70_000),
    curl=("-x", "http://{origin}"),
    easy={"PROXY": "http://{origin}"},
    environment={"http_proxy": "http://{origin}"},
)
def _(c):
    serve(c, body=BODY)


def guarded(challenge, accepts, field="Authorization", closes=False):
    """An origin or proxy that asks who is there; `accepts` looks at the answer and gives the next challenge or None."""

    def script(c):
        status = "407 Proxy Authentication Required" if field.startswith("Proxy") else "401 Unauthorized"
        name = "Proxy-Authenticate" if field.startswith("Proxy") else "WWW-Authenticate"
        while message := c.request():
            again = accepts(message.value(field) or "") if message.value(field) else challenge
            if again is None:
                if message.method == "CONNECT":
                    c.head(message, "200 Connection established")
                    serve(c)
                    return
                c.answer(message, body=b"welcome\n")
            else:
                c.challenge(message, status, f"{name}: {again}", body=b"who is there?\n")

    return script


def basic(value):
    return None if value == "Basic " + base64.b64encode(b"user:pass").decode() else 'Basic realm="x"'


def digest(value):
    return None if value.startswith("Digest ") else roles.DIGEST


def ntlm(value):
    kind = base64.b64decode(value.removeprefix("NTLM "))[8:9]
    return None if kind == b"\x03" else roles.NTLM


PROXY_LOGIN = ("-x", "http://{origin}", "-U", "user:pass")
EASY_LOGIN = {"PROXY": "http://{origin}", "PROXYUSERPWD": "user:pass"}

case(
    "proxy-basic",
    T(url="http://a.test/one"),
    T(url="http://a.test/two"),
    clients="cp",
    curl=(*PROXY_LOGIN, "--proxy-anyauth"),
    easy={**EASY_LOGIN, "PROXYAUTH": 0xFFFF_FFEF},
)(guarded('Basic realm="x"', basic, "Proxy-Authorization"))
case(
    "proxy-digest",
    T(url="http://a.test/one"),
    T(url="http://a.test/two"),
    clients="cp",
    curl=(*PROXY_LOGIN, "--proxy-digest"),
    easy={**EASY_LOGIN, "PROXYAUTH": 2},
)(guarded(roles.DIGEST, digest, "Proxy-Authorization"))
case(
    "proxy-ntlm",
    T(url="http://a.test/one"),
    clients="c",
    curl=(*PROXY_LOGIN, "--proxy-ntlm"),
)(guarded("NTLM", ntlm, "Proxy-Authorization"))
case(
    "connect-basic",
    T(),
    T(path="/two"),
    clients="cp",
    curl=("-p", *PROXY_LOGIN, "--proxy-anyauth"),
    easy={**EASY_LOGIN, "PROXYAUTH": 0xFFFF_FFEF, "HTTPPROXYTUNNEL": 1},
)(guarded('Basic realm="x"', basic, "Proxy-Authorization"))
case(
    "connect-digest",
    T(),
    clients="cp",
    curl=("-p", *PROXY_LOGIN, "--proxy-digest"),
    easy={**EASY_LOGIN, "PROXYAUTH": 2, "HTTPPROXYTUNNEL": 1},
)(guarded(roles.DIGEST, digest, "Proxy-Authorization"))
case(
    "connect-ntlm",
    T(),
    clients="c",
    curl=("-p", *PROXY_LOGIN, "--proxy-ntlm"),
)(guarded("NTLM", ntlm, "Proxy-Authorization"))
case("basic", T(user="user"), clients="cps", curl=("--anyauth",), easy={"HTTPAUTH": 0xFFFF_FFEF})(
    guarded('Basic realm="x"', basic)
)
case("basic-refused", T(headers={"Authorization": "Basic bm8="}), clients="cp")(guarded('Basic realm="x"', basic))
case("digest", T(user="user"), T(user="user", path="/two"), clients="cp", curl=("--digest",), easy={"HTTPAUTH": 2})(
    guarded(roles.DIGEST, digest)
)
case(
    "digest-upload", T(user="user", method="POST", body=5_000), clients="cp", curl=("--digest",), easy={"HTTPAUTH": 2}
)(guarded(roles.DIGEST, digest))
case(
    "digest-put-chunked",
    T(user="user", method="PUT", body=5_000, is_chunked=True),
    clients="cp",
    curl=("--anyauth",),
    easy={"HTTPAUTH": 0xFFFF_FFEF},
)(guarded(roles.DIGEST, digest))
case("ntlm", T(user="user"), T(user="user", path="/two"), clients="c", curl=("--ntlm",), easy={"HTTPAUTH": 8})(
    guarded("NTLM", ntlm)
)
case("ntlm-upload", T(user="user", method="POST", body=5_000), clients="c", curl=("--ntlm",), easy={"HTTPAUTH": 8})(
    guarded("NTLM", ntlm)
)
case(
    "proxy-and-origin-login",
    T(url="http://a.test/one", user="user"),
    clients="cp",
    curl=(*PROXY_LOGIN, "--digest"),
    easy={**EASY_LOGIN, "HTTPAUTH": 2},
)(guarded(roles.DIGEST, digest))


@case(
    "proxy-refuses",
    T(url="http://a.test/one"),
    curl=("-x", "http://{origin}"),
    easy={"PROXY": "http://{origin}"},
    environment={"http_proxy": "http://{origin}"},
)
def _(c):
    serve(c, status="403 Forbidden", body=b"no\n")


case(
    "proxy-down",
    T(url="http://a.test/one"),
    curl=("-x", "http://{origin}"),
    easy={"PROXY": "http://{origin}"},
    environment={"http_proxy": "http://{origin}"},
    unseen=1,
    outcomes=["failed"],
)(None)
case("refused", T(), T(method="POST", body=10, path="/two"), unseen=2, outcomes=["failed", "failed"])(None)
case("unknown-host", T(url="http://nowhere.invalid/"), unseen=1, outcomes=["failed"])(None)

TUNNEL = {
    "curl": ("-p", "-x", "http://{origin}"),
    "easy": {"PROXY": "http://{origin}", "HTTPPROXYTUNNEL": 1},
    "clients": "cp",
}


@case("connect-plain", T(url="http://a.test/one"), T(url="http://a.test/two"), **TUNNEL)
def _(c):
    roles.tunnel(c)
    serve(c, body=BODY)


@case("connect-fields", T(url="http://a.test/one"), **TUNNEL)
def _(c):
    roles.tunnel(c, "Proxy-Agent: hostile", "X-Long: " + "x" * 3_000)
    serve(c)


@case("connect-http10", T(url="http://a.test/one"), **TUNNEL)
def _(c):
    message = c.request(role="proxy")
    c.head(message, "200 Connection established", version="HTTP/1.0")
    serve(c)


@case("connect-refused", T(url="http://a.test/one"), outcomes=["failed"], leaves_early=True, **TUNNEL)
def _(c):
    message = c.request(role="proxy")
    c.answer(message, "403 Forbidden", "Connection: close", body=b"no tunnels here\n")


@case("connect-refused-chunked", T(url="http://a.test/one"), outcomes=["failed"], leaves_early=True, **TUNNEL)
def _(c):
    message = c.request(role="proxy")
    c.head(message, "502 Bad Gateway", "Transfer-Encoding: chunked")
    c.chunks(message, b"no ", b"tunnels here\n")


@case("connect-dropped", T(url="http://a.test/one"), outcomes=["failed"], **TUNNEL)
def _(c):
    c.request(role="proxy")


@case("connect-then-dropped", T(url="http://a.test/one"), outcomes=["completed", "failed"], **TUNNEL)
def _(c):
    roles.tunnel(c)
    c.request()


@case(
    "connect-tls",
    T(scheme="https"),
    T(scheme="https", path="/two"),
    curl=("-x", "http://{origin}"),
    easy={"PROXY": "http://{origin}"},
    environment={"https_proxy": "http://{origin}"},
)
def _(c):
    roles.tunnel(c, inner_tls=True)
    serve(c, body=BODY)


@case(
    "connect-tls-h2",
    T(scheme="https"),
    T(scheme="https", path="/two"),
    curl=("-x", "http://{origin}"),
    easy={"PROXY": "http://{origin}"},
    clients="cp",
)
def _(c):
    roles.tunnel(c, inner_tls=True, alpn=("h2",))
    h2_serve(h2.Session(c))


HTTPS_PROXY = {
    "curl": ("-x", "https://{origin-local}", "--proxy-cacert", "{certificate}"),
    "clients": "cpg",
    "git": ("-c", "http.proxy=https://{origin-local}"),
    "easy": {"PROXY": "https://{origin-local}", "PROXY_CAINFO": "{certificate}"},
}


@case("https-proxy-forward", T(url="http://a.test/one"), T(url="http://a.test/two"), **HTTPS_PROXY)
def _(c):
    c.tls(is_proxys=True)
    serve(c, body=BODY)


@case(
    "https-proxy-connect",
    T(url="http://a.test/one"),
    clients="cp",
    curl=(*HTTPS_PROXY["curl"], "-p"),
    easy={**HTTPS_PROXY["easy"], "HTTPPROXYTUNNEL": 1},
)
def _(c):
    c.tls(is_proxys=True)
    roles.tunnel(c)
    serve(c, body=BODY)


# It ends without close_notify, which some clients treat as an error.
@case(
    "https-proxy-until-close",
    T(url="http://a.test/one"),
    outcomes={"p": ["failed"], "g": ["failed"]},
    **HTTPS_PROXY,
)
def _(c):
    c.tls(is_proxys=True)
    message = c.request()
    c.head(message, "200 OK", "Connection: close")
    c.send(message, "body", BODY)


@case("https-proxy-refuses", T(scheme="https"), outcomes=["failed"], leaves_early=True, **HTTPS_PROXY)
def _(c):
    c.tls(is_proxys=True)
    c.answer(c.request(role="proxy"), "403 Forbidden", "Connection: close", body=b"no\n")


@case("tls-in-tls", T(scheme="https"), T(scheme="https", path="/two"), **HTTPS_PROXY)
def _(c):
    c.tls(is_proxys=True)
    roles.tunnel(c, inner_tls=True)
    serve(c, body=BODY)


@case("tls-in-tls-h2", T(scheme="https"), T(scheme="https", path="/two"), **HTTPS_PROXY | {"clients": "cp"})
def _(c):
    c.tls(is_proxys=True)
    roles.tunnel(c, inner_tls=True, alpn=("h2",))
    h2_serve(h2.Session(c))


@case("tls-in-tls-upload", T(scheme="https", method="POST", body=100_000), **HTTPS_PROXY | {"clients": "cp"})
def _(c):
    c.tls(is_proxys=True)
    roles.tunnel(c, inner_tls=True)
    serve(c, body=BODY)


@case(
    "tls-in-tls-socks",
    T(scheme="https"),
    clients="c",
    curl=(*HTTPS_PROXY["curl"], "--preproxy", "socks5h://{origin}"),
)
def _(c):
    roles.socks5(c)
    c.tls(is_proxys=True)
    roles.tunnel(c, inner_tls=True)
    serve(c, body=BODY)


@case("tls-in-tls-handshake-fails", T(scheme="https"), outcomes=["failed"], **HTTPS_PROXY)
def _(c):
    c.tls(is_proxys=True)
    roles.tunnel(c)
    c.name("tls", up=len(c.take(5)))
    c.extra("tls", b"no TL")
    c.rest("tls")


@case("https-proxy-handshake-fails", T(url="http://a.test/one"), outcomes=["failed"], unseen=1, foreign=("origin",), **HTTPS_PROXY)
def _(c):
    c.name("proxyTLS", up=len(c.take(5)))
    c.extra("proxyTLS", b"this is no TLS\r\n")
    c.rest("proxyTLS")


# SOCKS and the line of HAProxy's protocol


def socks(scheme, kind, url="http://127.0.0.1:80/one", clients="cp", login="", **more):
    """A case of one SOCKS dialect, two requests on one connection."""
    proxy = f"{scheme}://{login}{{origin}}"
    return case(
        f"{scheme}{'-login' if login else ''}{'-tls' if url.startswith('https') else ''}",
        T(url=url),
        T(url=url.replace("one", "two")),
        clients=clients,
        curl=("-x", proxy),
        easy={"PROXY": proxy},
        environment={"all_proxy": proxy},
        **more,
    )(kind)


def after(handshake, tls=False, **more):
    def script(c):
        handshake(c, **more)
        if tls:
            c.tls()
        serve(c, body=BODY)

    return script


socks("socks4", after(roles.socks4), clients="cps")
socks("socks4a", after(roles.socks4), url="http://a.test/one", clients="cps")
socks("socks5", after(roles.socks5), clients="cps")
socks("socks5h", after(roles.socks5), url="http://a.test/one", clients="cps")
socks("socks5h", after(roles.socks5, user="user"), url="http://a.test/one", login="user:pass@")
socks("socks5", after(roles.socks5, tls=True), url="https://127.0.0.1:80/one", clients="cps")


@case(
    "socks5-refused",
    T(url="http://127.0.0.1:80/one"),
    curl=("-x", "socks5://{origin}"),
    easy={"PROXY": "socks5://{origin}"},
    clients="cp",
    leaves_early=True,
    unseen=1,
    outcomes=["failed"],
)
def _(c):
    head = c.take(2)
    c.name("socks", up=2 + len(c.take(head[1])))
    c.extra("socks", b"\x05\0")
    c.name("socks", up=len(c.take(10)))
    c.extra("socks", b"\x05\x05\0\x01\0\0\0\0\0\0")


@case(
    "socks5-http-proxy",
    T(url="http://a.test/one"),
    clients="cp",
    curl=("--preproxy", "socks5h://{origin}", "-x", "http://b.test:1"),
    easy={"PRE_PROXY": "socks5h://{origin}", "PROXY": "http://b.test:1"},
)
def _(c):
    roles.socks5(c)
    serve(c)


@case("proxy-line", T(), T(path="/two"), clients="cp", curl=("--haproxy-protocol",), easy={"HAPROXYPROTOCOL": 1})
def _(c):
    roles.proxy_line(c)
    serve(c)


@case("proxy-line-tls", T(scheme="https"), clients="cp", curl=("--haproxy-protocol",), easy={"HAPROXYPROTOCOL": 1})
def _(c):
    roles.proxy_line(c)
    c.tls()
    serve(c)


# What should have no content and has, and what follows a message


def with_surplus(status, *fields, closes, size=1_800, method=""):
    def script(c):
        while message := c.request():
            c.head(message, status, *fields)
            c.extra("surplus", b"s" * size)
            if closes:
                return

    return script


HIDDEN = {"may_be_in_message": ("surplus",)}
case("head-with-content-closed", T(method="HEAD"), **HIDDEN)(
    with_surplus("200 OK", "Content-Length: 1800", closes=True)
)
case("head-with-content", T(method="HEAD"), **HIDDEN)(
    with_surplus("200 OK", "Content-Length: 50000", closes=False, size=50_000)
)
case("head-chunked", T(method="HEAD"))(
    lambda c: [c.head(m, "200 OK", "Transfer-Encoding: chunked") for m in iter(c.request, None)]
)
case("204-with-content", T(), **HIDDEN)(with_surplus("204 No Content", closes=False))
case("204-with-content-closed", T(), **HIDDEN)(with_surplus("204 No Content", closes=True))
case("204-with-length", T(), **HIDDEN)(with_surplus("204 No Content", "Content-Length: 1800", closes=False))
case("304-with-content", T(headers={"If-None-Match": '"x"'}), **HIDDEN)(
    with_surplus("304 Not Modified", 'ETag: "x"', closes=False)
)
case("304-with-length", T(headers={"If-None-Match": '"x"'}))(
    lambda c: [c.head(m, "304 Not Modified", "Content-Length: 5000") for m in iter(c.request, None)]
)
case("surplus-after-length", T(), T(path="/two"), **HIDDEN)(
    lambda c: [
        (c.answer(m, "200 OK", "Connection: close", body=b"12345"), c.extra("surplus", b"678")) for m in [c.request()]
    ]
)
case("surplus-after-length-kept", T(), **HIDDEN)(
    lambda c: [(c.answer(m, body=b"12345"), c.extra("surplus", b"678")) for m in iter(c.request, None)]
)


@case("surplus-after-chunks", T(), **HIDDEN)
def _(c):
    message = c.request()
    c.head(message, "200 OK", "Transfer-Encoding: chunked")
    c.chunks(message, b"12345")
    c.extra("surplus", b"678")
    c.rest()


def resumed(name, *fields, chunked=False):
    @case(name, T(), clients="cp", curl=("-C", "5000"), easy={"RESUME_FROM": 5_000})
    def _(c):
        while message := c.request():
            if chunked:
                c.head(message, "416 Range Not Satisfiable", "Transfer-Encoding: chunked", *fields)
                c.chunks(message, b"x" * 3_000, b"y" * 2_000)
            else:
                c.answer(message, "416 Range Not Satisfiable", *fields, body=b"x" * 5_000)


resumed("resumed-416", "Content-Range: bytes */5000")
resumed("resumed-416-chunked", "Content-Range: bytes */5000", chunked=True)
resumed("resumed-416-no-range")


@case("resumed-206", T(), clients="cp", curl=("-C", "100"), easy={"RESUME_FROM": 100})
def _(c):
    while message := c.request():
        c.answer(message, "206 Partial Content", "Content-Range: bytes 100-5099/5100", body=b"x" * 5_000)


# Redirects


def redirects(target, *, chunked=False, body=b"moved\n", status="302 Found", fields=()):
    def script(c):
        while message := c.request():
            if message.target.startswith("/item"):
                to = target(c)
                if chunked:
                    c.head(message, status, f"Location: {to}", "Transfer-Encoding: chunked", *fields)
                    c.chunks(message, body, body)
                else:
                    c.answer(message, status, f"Location: {to}", *fields, body=body)
            else:
                c.answer(message, body=b"arrived\n")

    return script


FOLLOW = {"curl": ("-L",), "easy": {"FOLLOWLOCATION": 1}}
case("redirect", T(), **FOLLOW)(redirects(lambda c: "/next", body=BODY))
case("redirect-chunked", T(), **FOLLOW)(redirects(lambda c: "/next", chunked=True, body=BODY))
case("redirect-elsewhere", T(), roles={"other": serve}, **FOLLOW)(
    redirects(lambda c: f"http://{c.server.address('other')}/next", body=BODY)
)
case("redirect-elsewhere-chunked", T(), roles={"other": serve}, **FOLLOW)(
    redirects(lambda c: f"http://{c.server.address('other')}/next", chunked=True, body=BODY)
)
case("redirect-to-tls", T(), roles={"other": lambda c: (c.tls(), serve(c))}, **FOLLOW)(
    redirects(lambda c: f"https://{c.server.address('other')}/next", body=BODY)
)
case("redirect-to-nowhere", T(), roles={"other": None}, unseen=1, outcomes=["completed", "failed"], **FOLLOW)(
    redirects(lambda c: f"http://{c.server.address('other')}/next", body=BODY)
)
case("redirect-to-no-name", T(), unseen=1, outcomes=["completed", "failed"], **FOLLOW)(
    # A name that fails without a lookup: its label is too long (RFC 1035, section 2.3.4).
    redirects(lambda c: f"http://{'x' * 64}.test/next", chunked=True, body=BODY)
)
case(
    "redirect-upload-to-nowhere",
    T(method="POST", body=3_000),
    roles={"other": None},
    unseen=1,
    clients="c",
    outcomes=["completed", "failed"],
    special=lambda judge: expect([row["method"] for row in judge.rows] == ["POST", "GET"], judge.rows),
    **FOLLOW,
)(
    redirects(lambda c: f"http://{c.server.address('other')}/next", body=BODY)
)
case(
    "redirect-to-tls-of-another",
    T(),
    clients="cp",
    roles={"other": lambda c: (c.tls(), serve(c))},
    unseen=1,
    leaves_early=True,
    outcomes=["completed", "failed"],
    curl=("-L", "--resolve", "other.test:{other-port}:127.0.0.1"),
    easy={"FOLLOWLOCATION": 1, "RESOLVE": ["other.test:{other-port}:127.0.0.1"]},
)(redirects(lambda c: f"https://other.test:{c.server.address('other').split(':')[1]}/next", body=BODY))
case(
    "redirect-to-silent-tls",
    T(seconds=1),
    clients="cp",
    roles={"other": lambda c: c.rest("tls")},
    unseen=1,
    outcomes=["completed", "timedOut"],
    **FOLLOW,
)(redirects(lambda c: f"https://{c.server.address('other')}/next", body=BODY))
case(
    "redirect-to-silent-tls-removed",
    T(removed_at=(0, 0.5)),
    clients="p",
    mode="multi",
    roles={"other": lambda c: c.rest("tls")},
    unseen=1,
    outcomes=["completed", "cancelled"],
    **FOLLOW,
)(redirects(lambda c: f"https://{c.server.address('other')}/next", body=BODY))
case(
    "redirect-to-closed-proxy",
    T(),
    clients="cp",
    roles={"proxy": None},
    environment={"https_proxy": "http://{proxy}"},
    unseen=1,
    outcomes=["completed", "failed"],
    **FOLLOW,
)(redirects(lambda c: "https://a.test/next", body=BODY))
case(
    "redirect-to-refusing-proxy",
    T(),
    clients="cp",
    roles={"proxy": lambda c: [c.answer(m, "403 Forbidden", "Connection: close") for m in [c.request(role="proxy")]]},
    environment={"https_proxy": "http://{proxy}"},
    outcomes=["completed", "failed"],
    leaves_early=True,
    **FOLLOW,
)(redirects(lambda c: "https://a.test/next", body=BODY))
case("redirect-not-followed", T(), roles={"other": None}, clients="cp")(
    redirects(lambda c: f"http://{c.server.address('other')}/next", body=BODY)
)
case(
    "redirect-too-often",
    T(),
    clients="cp",
    outcomes=["completed", "completed", "failed"],
    curl=("-L", "--max-redirs", "2"),
    easy={"FOLLOWLOCATION": 1, "MAXREDIRS": 2},
)(redirects(lambda c: "/item/again", body=BODY))
case("redirect-to-no-protocol", T(), clients="cp", outcomes=["failed"], **FOLLOW)(
    redirects(lambda c: "nothing://a.test/next", body=BODY)
)
case(
    "redirect-not-allowed",
    T(),
    clients="cp",
    outcomes=["failed"],
    curl=("-L", "--proto-redir", "=https"),
    easy={"FOLLOWLOCATION": 1, "REDIR_PROTOCOLS": 2},
)(redirects(lambda c: "http://a.test/next", body=BODY))
case("redirect-to-no-ftp", T(), roles={"other": None}, clients="cp", **FOLLOW)(
    redirects(lambda c: f"ftp://{c.server.address('other')}/next", body=BODY)
)
case("redirect-upload-307", T(method="POST", body=3_000), **FOLLOW)(
    redirects(lambda c: "/next", status="307 Temporary Redirect", body=BODY)
)
case("redirect-upload-303", T(method="POST", body=3_000), **FOLLOW)(
    redirects(lambda c: "/next", status="303 See Other", body=BODY)
)
case(
    "redirect-to-ftp",
    T(),
    clients="cp",
    foreign=("ftp",),
    roles={"ftp": roles.ftp},
    curl=("-L",),
    easy={"FOLLOWLOCATION": 1},
)(redirects(lambda c: f"ftp://{c.server.address('ftp')}/f", body=BODY))
case(
    "redirect-to-ftp-that-talks",
    T(),
    clients="cp",
    foreign=("ftp",),
    curl=("-L",),
    easy={"FOLLOWLOCATION": 1},
    roles={
        "ftp": lambda c: roles.ftp(c, b"".join(b"220-%03d %s\r\n" % (i, b"x" * 90) for i in range(10)) + b"220 hi\r\n")
    },
)(redirects(lambda c: f"ftp://{c.server.address('ftp')}/f", body=b""))
case(
    "ftp-through-proxy",
    T(url="ftp://f.test/f"),
    clients="cp",
    curl=("-x", "http://{origin}"),
    easy={"PROXY": "http://{origin}"},
)(lambda c: serve(c, body=BODY))
case("ftp-connect", T(url="ftp://f.test/f"), outcomes=["failed"], leaves_early=True, **TUNNEL)(
    lambda c: [c.answer(m, "403 Forbidden", "Connection: close") for m in [c.request()]]
)
case("imap-connect", T(url="imap://f.test/"), outcomes=["failed"], leaves_early=True, **TUNNEL)(
    lambda c: [c.answer(m, "403 Forbidden", "Connection: close") for m in [c.request()]]
)


# Answers before the request has ended


EXPECT = {"Expect": "100-continue"}


@case("expect-honoured", T(method="POST", body=200_000, headers=EXPECT))
def _(c):
    while message := c.request(content=False):
        c.interim(message, "100 Continue")
        c.content(message)
        c.answer(message)


# Now and then libcurl has begun with the content, and opens another connection, metered or not.
@case(
    "expect-417",
    T(method="POST", body=2_000_000),
    clients="cp",
    is_racing=True,
    outcomes=["completed", "completed"],
)
def _(c):
    while message := c.request(content=False):
        if message.value("Expect"):
            c.answer(message, "417 Expectation Failed")
        else:
            c.content(message)
            c.answer(message)


@case("expect-413", T(method="POST", body=200_000, headers=EXPECT), clients="cp")
def _(c):
    while message := c.request(content=False):
        c.answer(message, "413 Content Too Large", "Connection: close", body=b"too much\n")
        c.later_content(message)


@case(
    "expect-401",
    T(method="POST", body=200_000, headers=EXPECT, user="user"),
    clients="cp",
    curl=("--anyauth",),
    easy={"HTTPAUTH": 0xFFFF_FFEF},
)
def _(c):
    while message := c.request(content=False):
        if (message.value("Authorization") or "").startswith("Basic"):
            c.interim(message, "100 Continue")
            c.content(message)
            c.answer(message)
            continue
        c.challenge(message, "401 Unauthorized", 'WWW-Authenticate: Basic realm="x"', body=b"who?\n")
        if message.value("Content-Length") != "0" and c.is_waiting(0.3):
            c.content(message)


@case("early-413", T(method="POST", body=3_000_000, headers={"Expect": ""}), is_racing=True, clients="cp")
def _(c):
    message = c.request(content=False)
    c.content(message, limit=10_000)
    c.answer(message, "413 Content Too Large", "Connection: close", body=b"too much\n")
    c.later_content(message)


@case("early-413-kept", T(method="POST", body=3_000_000, headers={"Expect": ""}), is_racing=True, clients="cp")
def _(c):
    message = c.request(content=False)
    c.content(message, limit=10_000)
    c.answer(message, "413 Content Too Large", body=b"too much\n")
    c.later_content(message)


@case("early-200", T(method="PUT", body=3_000_000, headers={"Expect": ""}), clients="cp")
def _(c):
    message = c.request(content=False)
    c.content(message, limit=10_000)
    c.answer(message)
    c.later_content(message)


@case(
    "early-413-chunked",
    T(method="PUT", body=3_000_000, is_chunked=True, headers={"Expect": ""}),
    is_racing=True,
    clients="cp",
)
def _(c):
    message = c.request(content=False)
    c.answer(message, "413 Content Too Large", "Connection: close", body=b"too much\n")
    try:
        c.content(message)
    except ValueError:
        pass
    c.rest()


@case("interim-103", T())
def _(c):
    while message := c.request():
        for number in range(3):
            c.interim(message, "103 Early Hints", f"Link: </style-{number}.css>; rel=preload")
        c.answer(message)


@case("interim-100-unasked", T())
def _(c):
    while message := c.request():
        c.interim(message, "100 Continue")
        c.interim(message, "102 Processing")
        c.answer(message)


# Old and odd


@case("http09", T(), clients="cp", curl=("--http0.9",), easy={"HTTP09_ALLOWED": 1})
def _(c):
    message = c.request()
    c.send(message, "body", b"no head, only this content\n")


@case("http09-refused", T(), clients="cp", outcomes=["failed"])
def _(c):
    message = c.request()
    c.send(message, "body", b"no head, only this content\n")


@case("http10", T(), T(path="/two"))
def _(c):
    message = c.request()
    c.head(message, "200 OK", version="HTTP/1.0")
    c.send(message, "body", BODY)


@case("http10-asked", T(), clients="cp", curl=("--http1.0",), easy={"HTTP_VERSION": 1})
def _(c):
    message = c.request()
    c.head(message, "200 OK", version="HTTP/1.0")
    c.send(message, "body", BODY)


@case("http10-kept", T(), T(path="/two"))
def _(c):
    while message := c.request():
        c.head(message, "200 OK", "Connection: keep-alive", f"Content-Length: {len(BODY)}", version="HTTP/1.0")
        c.send(message, "body", BODY)


case("options-star", T(method="OPTIONS"), clients="cp", curl=("--request-target", "*"), easy={"REQUEST_TARGET": "*"})(
    serve
)
case(
    "target-absolute",
    T(),
    clients="cp",
    curl=("--request-target", "http://other.test/x?y=z"),
    easy={"REQUEST_TARGET": "http://other.test/x?y=z"},
)(serve)
case("method-of-its-own", T(method="PROPFIND"), T(method="X-Y.Z", path="/two"), clients="cp")(serve)


@case("trailers", T(), T(path="/two"), clients="cp")
def _(c):
    while message := c.request():
        c.head(message, "200 OK", "Transfer-Encoding: chunked", "Trailer: X-Sum")
        c.chunks(message, BODY, b"!", trailers=("X-Sum: 12345", "X-Two: abc"))


@case("large-head", T(), T(path="/two"))
def _(c):
    while message := c.request():
        c.answer(message, "200 OK", *(f"X-{number}: {'x' * 900}" for number in range(90)))


@case("line-ends-alone", T(), clients="cp")
def _(c):
    message = c.request()
    message.status = 200
    c.send(message, "startLine", "HTTP/1.1 200 OK\n")
    c.send(message, "fields", "Content-Length: 3\n\n")
    c.send(message, "body", "ok\n")
    c.rest()


@case("no-space-after-status", T(), clients="cp")
def _(c):
    message = c.request()
    message.status = 200
    c.send(message, "startLine", "HTTP/1.1 200\r\n")
    c.send(message, "fields", "Content-Length: 3\r\n\r\n")
    c.send(message, "body", "ok\n")
    c.rest()


@case("upgrade-ignored", T(headers={"Connection": "Upgrade", "Upgrade": "other"}))
def _(c):
    serve(c, "Upgrade: other")


@case(
    "too-large",
    T(),
    clients="cp",
    curl=("--max-filesize", "1000"),
    easy={"MAXFILESIZE": 1_000},
    outcomes=["failed"],
    leaves_early=True,
)
def _(c):
    message = c.request()
    c.answer(message, body=b"x" * 1_000_000)


@case("truncated", T(), outcomes=["failed"])
def _(c):
    message = c.request()
    c.head(message, "200 OK", "Content-Length: 20000")
    c.send(message, "body", BODY)


@case("truncated-chunk", T(), outcomes=["failed"])
def _(c):
    message = c.request()
    c.head(message, "200 OK", "Transfer-Encoding: chunked")
    c.send(message, "framing", "64\r\n")
    c.send(message, "body", "half")


@case("no-answer", T(), outcomes=["failed"], clients="cp")
def _(c):
    c.request()


# Connections that are dead when they are used again


def dies(after_requests, resets=False):
    def script(c):
        if c.number > 1:
            serve(c)
            return
        for _ in range(after_requests):
            c.answer(c.request())
        c.request()
        if resets:
            c.reset()

    return script


case("dead-on-second", T(), T(path="/two"), outcomes=["completed", "failed", "completed"])(dies(1))
case(
    "dead-on-second-upload",
    T(),
    T(path="/two", method="POST", body=3_000),
    outcomes=["completed", "failed", "completed"],
    clients="cp",
)(dies(1))


def leaves(c):
    """No server listens any more."""
    c.server.listeners["origin"].shutdown(socket.SHUT_RDWR)


@case(
    "gone-on-second", T(), T(path="/two"), outcomes=["completed", "failed", "failed"], unseen=1, clients="cp"
)
def _(c):
    c.answer(c.request())
    c.request()
    leaves(c)


@case(
    "gone-after-challenge",
    T(user="user"),
    clients="cp",
    outcomes=["completed", "failed"],
    unseen=1,
    curl=("--digest",),
    easy={"HTTPAUTH": 2},
    # Whether the content of the challenge is read before the connection is given up, is up to libcurl's reads.
    leaves_early=True,
)
def _(c):
    message = c.request()
    leaves(c)
    c.answer(message, "401 Unauthorized", f"WWW-Authenticate: {roles.DIGEST}", "Connection: close", body=BODY)


@case(
    "proxy-gone-after-challenge",
    T(),
    clients="cp",
    outcomes=["completed", "failed"],
    unseen=1,
    curl=("-p", *PROXY_LOGIN, "--proxy-anyauth"),
    easy={**EASY_LOGIN, "PROXYAUTH": 0xFFFF_FFEF, "HTTPPROXYTUNNEL": 1},
)
def _(c):
    message = c.request()
    leaves(c)
    c.answer(
        message, "407 Proxy Authentication Required", 'Proxy-Authenticate: Basic realm="x"', "Connection: close"
    )


case("reset-on-second", T(), T(path="/two"), outcomes=["completed", "failed", "completed"], clients="cp")(
    dies(1, resets=True)
)


# Timeouts and cancels


def hold(c):
    c.request()
    c.rest()


case("timeout", T(seconds=1), outcomes=["timedOut"])(hold)
case("timeout-reused", T(), T(path="/two", seconds=1), outcomes=["completed", "timedOut"])(
    lambda c: (c.answer(c.request()), hold(c))
)


def half(c):
    message = c.request()
    c.head(message, "200 OK", "Content-Length: 20000")
    c.send(message, "body", b"h" * 10_000)
    c.rest()


case("timeout-in-content", T(seconds=1), outcomes=["timedOut"])(half)
case("timeout-in-content-reused", T(), T(path="/two", seconds=1), outcomes=["completed", "timedOut"])(
    lambda c: (c.answer(c.request()), half(c))
)
case("timeout-in-tls", T(scheme="https", seconds=1), unseen=1, outcomes=["timedOut"], clients="cp")(
    lambda c: c.rest("tls")
)
case(
    "removed-in-tls",
    T(scheme="https", removed_at=(0, 0.5)),
    unseen=1,
    outcomes=["cancelled"],
    clients="p",
    mode="multi",
)(lambda c: c.rest("tls"))
case("timeout-in-connect", T(url="http://a.test/", seconds=1), outcomes=["timedOut"], **TUNNEL)(hold)


@case(
    "timeout-in-upload",
    T(method="POST", body=30_000_000, seconds=1, headers={"Expect": ""}),
    outcomes=["timedOut"],
    clients="cp",
    is_racing=True,
)
def _(c):
    message = c.request(content=False)
    c.content(message, limit=10_000)
    time.sleep(1.5)
    c.later_content(message)


case(
    "stopped-in-content",
    T(stop_at=5_000),
    clients="ps",
    outcomes={"p": ["failed"], "s": ["cancelled"]},
    leaves_early=True,
)(half)
case(
    "removed-in-content", T(removed_at=(5_000, 0)), clients="p", mode="multi", outcomes=["cancelled"], leaves_early=True
)(half)
case("removed-before-head", T(removed_at=(0, 0.2)), clients="ps", mode="multi", outcomes=["cancelled"])(hold)
case(
    "removed-before-head-reused",
    T(),
    T(path="/two", removed_at=(0, 0.2)),
    clients="ps",
    mode="multi",
    outcomes=["completed", "cancelled"],
)(lambda c: (c.answer(c.request()), hold(c)))


@case(
    "removed-in-upload",
    T(method="POST", body=30_000_000, removed_at=(0, 0.3), headers={"Expect": ""}),
    clients="p",
    mode="multi",
    outcomes=["cancelled"],
    is_racing=True,
)
def _(c):
    message = c.request(content=False)
    c.content(message, limit=10_000)
    time.sleep(0.6)
    c.later_content(message)


# Programs that do not ask, or speak themselves

case("multi", *(T(path=f"/{number}") for number in range(5)), clients="p", mode="multi")(lambda c: serve(c, body=BODY))
case("never-asks", *(T(path=f"/{number}") for number in range(5)), clients="p", mode="multi-silent")(
    lambda c: serve(c, body=BODY)
)
case("multi-queue", *(T(path=f"/{number}") for number in range(4)), clients="p", mode="queue")(serve_chunks)
case("multi-queue-tls", *(T(scheme="https", path=f"/{number}") for number in range(4)), clients="p", mode="queue")(
    lambda c: (c.tls(), serve_chunks(c))
)
case(
    "never-asks-tls", *(T(scheme="https", path=f"/{number}") for number in range(3)), clients="p", mode="multi-silent"
)(lambda c: (c.tls(), serve(c, body=BODY)))
case("never-asks-until-close", T(), clients="p", mode="multi-silent")(
    lambda c: [(c.head(m, "200 OK", "Connection: close"), c.send(m, "body", BODY)) for m in [c.request()]]
)
case("never-asks-upload", T(method="POST", body=30_000), clients="p", mode="multi-silent")(serve)


@case("connect-only", T(), clients="p", mode="connect-only")
def _(c):
    message = c.request()
    c.messages.remove(message)
    c.name("upgraded", up=message.total("up"))
    c.extra("upgraded", b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n")


# WebSockets


def switch(c):
    """Takes the request for a WebSocket and agrees."""
    message = c.request()
    c.head(
        message,
        "101 Switching Protocols",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Accept: {roles.keys(message)}",
    )


def websocket(c):
    """Every length of a frame's length, a message in fragments with a ping between them, a close."""
    switch(c)
    for payload in (b"hello", b"x" * 1_000, b"y" * 70_000, b""):
        roles.say(c, 2, payload)
    roles.say(c, 2, b"in ", fin=False)
    roles.say(c, 10, b"unasked")
    roles.say(c, 0, b"pieces")
    roles.say(c, 8, b"\x03\xe8")


def answering(c):
    """Sends back what it gets, until the client says that it is enough."""
    switch(c)
    while heard := roles.hear(c):
        opcode, payload = heard
        if opcode == 8:
            roles.say(c, 8, payload)
            return
        if opcode < 8:
            roles.say(c, opcode, payload)


def in_one_write(c):
    """The 101 and the frames that follow it, in one segment."""
    message = c.request()
    head = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {roles.keys(message)}\r\n\r\n"
    line, frames = "HTTP/1.1 101 Switching Protocols\r\n", roles.frame(2, b"hello") + roles.frame(8, b"\x03\xe8")
    message.status = 101
    c.top.write((line + head).encode() + frames)
    message.down["startLine"], message.down["fields"] = len(line), len(head)
    c.name("websocketOverhead", down=4)
    c.name("websocketPayload", down=7)
    for opcode in (2, 8):
        roles.count(c, 1, opcode, True)


def in_bytes(c):
    """Each byte by itself."""
    switch(c)
    for byte in roles.frame(2, b"z" * 200):
        c.extra("websocketPayload", bytes([byte]))
    c.name("websocketPayload", down=-4)
    c.name("websocketOverhead", down=4)
    roles.count(c, 1, 2, True)


def malformed(c):
    """A frame, and then what is none."""
    switch(c)
    roles.say(c, 2, b"hello")
    c.extra("upgraded", b"HTTP/1.1 200 OK\r\n\r\n")


BY_HAND = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "aG9zdGlsZWhvc3RpbGVob3M=",
}

for prefix, begin in (("ws", lambda c: None), ("wss", lambda c: c.tls())):
    driven = {"clients": "p", "mode": "websocket"}
    for name, script, more in (
        ("", websocket, {"clients": "p"}),
        ("-driven", answering, driven),
        ("-in-one-write", in_one_write, {"clients": "p"}),
        ("-in-bytes", in_bytes, {"clients": "p"}),
    ):
        case(prefix + name, T(scheme=prefix), **more)(lambda c, begin=begin, script=script: (begin(c), script(c)))
    # The program has asked for it by fields of its own: what comes is content to libcurl.
    for name, script in (
        ("-by-hand", websocket),
        ("-by-hand-in-one-write", in_one_write),
        ("-by-hand-in-bytes", in_bytes),
        ("-by-hand-malformed", malformed),
    ):
        case(
            prefix + name,
            T(scheme="https" if prefix == "wss" else "http", headers=BY_HAND),
            clients="cg",
            curl=("-N", "-o", "/dev/null"),
        )(lambda c, begin=begin, script=script: (begin(c), script(c)))


@case("wss-through-https-proxy", T(scheme="https", headers=BY_HAND), **HTTPS_PROXY | {"clients": "cg"})
def _(c):
    c.tls(is_proxys=True)
    roles.tunnel(c, inner_tls=True)
    websocket(c)


@case("ws-other-protocol", T(headers=BY_HAND), clients="c", curl=("-N", "-o", "/dev/null"))
def _(c):
    message = c.request()
    c.head(message, "101 Switching Protocols", "Upgrade: chat", "Connection: Upgrade")
    c.extra("upgraded", roles.frame(2, b"looks like a frame"))


case("ws-refused", T(scheme="ws"), clients="p", outcomes=["failed"], leaves_early=True)(
    lambda c: serve(c, status="403 Forbidden", body=b"no\n")
)
case("ws-by-hand-refused", T(headers=BY_HAND), clients="c", outcomes=["completed"])(
    lambda c: serve(c, status="400 Bad Request", body=b"no\n")
)

# DNS over HTTPS

DOH = {
    "clients": "cp",
    "curl": ("--doh-url", "https://{doh}/dns-query", "--doh-insecure"),
    "roles": {"doh": roles.resolve},
    "easy": {"DOH_URL": "https://{doh}/dns-query"},
}
TWO_NAMES = tuple(T(url="http://hostile.test:{origin-port}/" + path) for path in ("one", "two"))
case("doh", *TWO_NAMES, **DOH)(serve)
case("doh-tls", T(url="https://hostile.test:{origin-port}/one"), **DOH)(lambda c: (c.tls(), serve(c)))

# Verbose mode, which the tap also sets, turned on by the program itself. One question at a time: two take turns by chance.

ONE_QUESTION = DOH | {"clients": "p", "easy": DOH["easy"] | {"IPRESOLVE": 1}}
for verbose in ("log", "debug"):
    for mode in ("easy", "multi"):
        case(
            f"verbose-{mode}-{verbose}", T(), T(method="POST", path="/two", body=3_000), clients="p", mode=mode,
            verbose=verbose,
        )(lambda c: serve(c, body=BODY))
        case(f"verbose-doh-{mode}-{verbose}", *TWO_NAMES, **ONE_QUESTION | {"mode": mode, "verbose": verbose})(serve)

# Kept bodies

for count in (0, 1, 999, 1_000, 1_001):
    case(f"kept-{count}", T(), T(method="POST", path="/two", body=count), keeps_bodies=1_000)(
        lambda c, count=count: serve(c, body=b"k" * count)
    )
case("kept-chunked", T(), clients="cp", keeps_bodies=1_000)(
    lambda c: [
        (c.head(m, "200 OK", "Transfer-Encoding: chunked"), c.chunks(m, *[b"k" * 300] * 20))
        for m in iter(c.request, None)
    ]
)
case("kept-20-million", T(), T(path="/two"), clients="cp", curl=("-o", "/dev/null"), keeps_bodies=30_000_000)(
    lambda c: serve(c, body=b"k" * 20_000_000)
)
case(
    "kept-8-million-thrice",
    T(),
    T(path="/two"),
    T(path="/three"),
    clients="cps",
    curl=("-o", "/dev/null"),
    keeps_bodies=20_000_000,
)(lambda c: serve(c, body=b"k" * 8_000_000))
case(
    "kept-20-million-up",
    T(method="POST", body=20_000_000, headers={"Expect": ""}),
    clients="cp",
    keeps_bodies=30_000_000,
)(serve)


# HTTP/2


def h2_serve(session, body=b"ok\n"):
    while stream := session.request():
        session.answer(stream, 200, body)


H2_CLEAR = {"curl": ("--http2-prior-knowledge",), "easy": {"HTTP_VERSION": 5}, "clients": "cp"}


def h2_case(name, *transfers, clear=True, tls=True, **more):
    """The same over TLS, by ALPN, and in the clear, by prior knowledge."""

    def make(script):
        if clear:
            case(f"{name}-clear", *transfers, **{**H2_CLEAR, **more})(lambda c: script(h2.Session(c)))
        if tls:
            over = tuple(T(**{**one.__dict__, "scheme": "https"}) for one in transfers or (T(),))
            case(name, *over, **{"clients": "cp", **more})(lambda c: (c.tls(("h2",)), script(h2.Session(c))))
        return script

    return make


@h2_case("h2", T(), T(path="/two"), T(path="/three"), clear=False, clients="cps")
def _(s):
    h2_serve(s, BODY)


@h2_case("h2-one")
def _(s):
    h2_serve(s, BODY)


for verbose in ("log", "debug"):
    for mode in ("easy", "multi"):
        h2_case(
            f"verbose-h2-{mode}-{verbose}", T(), T(method="POST", path="/two", body=3_000), clear=False, clients="p",
            mode=mode, verbose=verbose,
        )(lambda s: h2_serve(s, BODY))


@h2_case("h2-upload", T(method="POST", body=100_000))
def _(s):
    h2_serve(s, BODY)


@h2_case("h2-rst-before-head", outcomes=["failed"])
def _(s):
    s.rst(s.request(), h2.INTERNAL_ERROR)
    s.rest()


@h2_case("h2-rst-after-head", outcomes=["failed"])
def _(s):
    stream = s.request()
    s.head(stream, 200)
    time.sleep(0.1)
    s.rst(stream, h2.INTERNAL_ERROR)
    s.rest()


@h2_case("h2-rst-in-content", outcomes=["failed"])
def _(s):
    stream = s.request()
    s.head(stream, 200)
    s.data(stream, BODY)
    time.sleep(0.1)
    s.rst(stream, h2.CANCEL)
    s.rest()


# Where all comes at once, it is up to libcurl's reads what the program sees of it.
@h2_case("h2-rst-with-content", outcomes=["failed"], is_racing=True, hides_head=True)
def _(s):
    stream = s.request()
    s.head(stream, 200)
    s.data(stream, BODY)
    s.rst(stream, h2.CANCEL)
    s.rest()


@h2_case(
    "h2-rst-no-error-after-end",
    T(method="POST", body=2_000_000, headers={"Expect": ""}),
    hides_head=True,
    is_racing=True,
    leaves_early=True,
)
def _(s):
    stream = s.request(whole=False)
    s.answer(stream, 200)
    s.rst(stream, h2.NO_ERROR)
    # The client has left before the server reads on: whether it may still be written to must not matter.
    time.sleep(0.1)
    s.rest()


@h2_case("h2-rst-after-end", leaves_early=True)
def _(s):
    stream = s.request()
    s.answer(stream, 200)
    s.rst(stream, h2.NO_ERROR)
    s.rest()


def refused(s):
    while stream := s.request():
        s.rst(stream, h2.REFUSED)


@h2_case("h2-refused-once", outcomes=["failed", "completed"])
def _(s):
    if s.c.number == 1:
        refused(s)
    else:
        h2_serve(s)


@h2_case("h2-refused-second-stream", T(), T(path="/two"), clear=False, outcomes=["completed", "failed", "completed"])
def _(s):
    if s.c.number == 1:
        s.answer(s.request(), 200)
        refused(s)
    else:
        h2_serve(s)


@h2_case("h2-goaway-before-answer", outcomes={"c": ["failed"], "p": ["failed", "completed"]})
def _(s):
    if s.c.number == 1:
        s.request()
        s.goaway(0)
    else:
        h2_serve(s)


@h2_case("h2-goaway-in-content", outcomes=["completed"])
def _(s):
    stream = s.request()
    s.head(stream, 200)
    s.data(stream, BODY)
    s.goaway(1)
    s.data(stream, BODY, end=True)
    s.rest()


# A client that still has an acknowledgement to send when the connection ends may fail at sending or at receiving.
@h2_case("h2-closed-in-content", outcomes=["failed"])
def _(s):
    stream = s.request()
    s.head(stream, 200)
    s.data(stream, BODY)
    s.settle()


@h2_case("h2-trailers")
def _(s):
    while stream := s.request():
        s.head(stream, 200)
        s.data(stream, BODY)
        s.trailers(stream, ("x-sum", "12345"))


@h2_case("h2-interim")
def _(s):
    while stream := s.request():
        s.interim(stream, 103, ("link", "</s.css>"))
        s.answer(stream, 200)


@h2_case("h2-continuation")
def _(s):
    while stream := s.request():
        s.head(stream, 200, ("x-long", "x" * 100), cut=30)
        s.data(stream, BODY, end=True)


@h2_case("h2-padded")
def _(s):
    while stream := s.request():
        s.head(stream, 200)
        s.data(stream, BODY, padding=50)
        s.data(stream, b"!", end=True, padding=0)


@h2_case("h2-204")
def _(s):
    while stream := s.request():
        s.head(stream, 204, end=True)


@h2_case("h2-head", T(method="HEAD"))
def _(s):
    while stream := s.request():
        s.head(stream, 200, ("content-length", "5000"), end=True)


@h2_case("h2-pings")
def _(s):
    while stream := s.request():
        s.send(h2.PING, 0, 0, b"12345678")
        s.head(stream, 200)
        s.send(h2.PING, 0, 0, b"12345678")
        s.data(stream, BODY, end=True)


@h2_case("h2-timeout", T(seconds=1), outcomes=["timedOut"])
def _(s):
    s.request()
    s.rest()


@h2_case("h2-timeout-in-content", T(seconds=1), outcomes=["timedOut"])
def _(s):
    stream = s.request()
    s.head(stream, 200)
    s.data(stream, BODY)
    s.rest()


@h2_case("h2-removed-in-content", T(removed_at=(5_000, 0)), clients="p", mode="multi", outcomes=["cancelled"])
def _(s):
    stream = s.request()
    s.head(stream, 200)
    s.data(stream, BODY)
    s.rest()


@h2_case("h2-never-asks", T(), clients="p", mode="multi-silent")
def _(s):
    h2_serve(s, BODY)


@h2_case("h2-never-asks-upload", T(method="POST", body=30_000), clients="p", mode="multi-silent")
def _(s):
    h2_serve(s, BODY)


@h2_case("h2-never-asks-trailers", T(), clients="p", mode="multi-silent")
def _(s):
    while stream := s.request():
        s.head(stream, 200)
        s.data(stream, BODY)
        s.trailers(stream, ("x-sum", "12345"))


@h2_case("h2-never-asks-goaway", T(), clients="p", mode="multi-silent")
def _(s):
    stream = s.request()
    s.head(stream, 200)
    s.data(stream, BODY)
    s.goaway(1)
    s.data(stream, BODY, end=True)
    s.rest()


@h2_case("h2-never-asks-reset", T(), clients="p", mode="multi-silent", outcomes=["cancelled"])
def _(s):
    stream = s.request()
    s.head(stream, 200)
    s.data(stream, BODY)
    time.sleep(0.1)
    s.rst(stream, h2.CANCEL)
    s.rest()


@h2_case("h2-never-asks-timeout", T(seconds=1), clients="p", mode="multi-silent", outcomes=["cancelled"])
def _(s):
    stream = s.request()
    s.head(stream, 200)
    s.data(stream, BODY)
    s.rest()


# TLS by itself


@case(
    "tls", T(scheme="https"), T(scheme="https", path="/two"), T(scheme="https", path="/up", method="POST", body=50_000)
)
def _(c):
    c.tls()
    serve(c, body=BODY)


@case(
    "tls-of-another",
    T(url="https://other.test:{origin-port}/"),
    clients="cp",
    curl=("--resolve", "other.test:{origin-port}:127.0.0.1"),
    leaves_early=True,
    easy={"RESOLVE": ["other.test:{origin-port}:127.0.0.1"]},
    unseen=1,
    outcomes=["failed"],
)
def _(c):
    c.tls()
    serve(c)


@case("tls-head-with-content", T(scheme="https", method="HEAD"), leaves_early=True, may_be_in_message=("surplus",))
def _(c):
    c.tls()
    message = c.request()
    c.head(message, "200 OK", "Content-Length: 1800")
    c.extra("surplus", b"s" * 1_800)
    c.rest()

"""Transfers by pycurl, one after the other or side by side: transfers.py easy|multi ADDRESS CERTIFICATE."""

import hashlib
import io
import sys

import pycurl

WAY, ADDRESS, CERTIFICATE = sys.argv[1:]


def handle(path, method="GET", body=None, sized=True, version=pycurl.CURL_HTTP_VERSION_1_1):
    """A handle that is ready to go, and what it will have received."""
    curl, received = pycurl.Curl(), io.BytesIO()
    curl.setopt(pycurl.URL, ADDRESS + path)
    curl.setopt(pycurl.CAINFO, CERTIFICATE)
    curl.setopt(pycurl.HTTP_VERSION, version)
    curl.setopt(pycurl.WRITEDATA, received)
    curl.setopt(pycurl.ACCEPT_ENCODING, "gzip")
    if method == "HEAD":
        curl.setopt(pycurl.NOBODY, True)
    if method in ("POST", "PUT"):
        curl.setopt(pycurl.POST if method == "POST" else pycurl.UPLOAD, True)
        curl.setopt(pycurl.READFUNCTION, io.BytesIO(body).read)
        if sized:
            curl.setopt(pycurl.POSTFIELDSIZE if method == "POST" else pycurl.INFILESIZE, len(body))
        else:
            # Without a length it goes in chunks, and libcurl 7 asks for leave first.
            curl.setopt(pycurl.HTTPHEADER, ["Transfer-Encoding: chunked"])
    if path in ("/redirect", "/moved"):
        curl.setopt(pycurl.FOLLOWLOCATION, True)
    if path.startswith("/private"):
        curl.setopt(pycurl.HTTPAUTH, pycurl.HTTPAUTH_ANY)
        curl.setopt(pycurl.USERPWD, "ada:lovelace")
    return curl, received


def handles():
    """Each kind of transfer: 33 to 37 exchanges in 29 to 31 transfers."""
    pattern = bytes(range(256)) * 1_000
    for path in ("/files/small.txt", "/files/large.bin", "/files/list.json", "/files/none") * 3:
        yield handle(path)
    for _ in range(2):
        yield handle("/redirect")
        # In between, its connection may carry another transfer: then it is unknown what was not shown.
        if WAY == "easy":
            yield handle("/moved")
        yield handle("/private/secret.txt")
        yield handle("/files/list.json", "HEAD")
        yield handle("/count", "POST", b"a=1&b=2")
        yield handle("/count", "POST", pattern)
        yield handle("/count", "POST", pattern, sized=False)
        yield handle("/count", "PUT", pattern[:70_000], sized=False)
        yield handle("/count", "PUT", b"")
    yield handle("/files/small.txt", version=pycurl.CURL_HTTP_VERSION_1_0)


def tell(curl, received):
    body = received.getvalue()
    print(curl.getinfo(pycurl.EFFECTIVE_URL).removeprefix(ADDRESS), curl.getinfo(pycurl.RESPONSE_CODE), len(body),
          hashlib.sha256(body).hexdigest(), curl.getinfo(pycurl.SIZE_UPLOAD), curl.getinfo(pycurl.REDIRECT_COUNT))


def easy():
    """One handle after the other, on the connections of a share, so that they are used again."""
    share = pycurl.CurlShare()
    share.setopt(pycurl.SH_SHARE, pycurl.LOCK_DATA_COOKIE)
    for curl, received in handles():
        curl.setopt(pycurl.SHARE, share)
        curl.perform()
        tell(curl, received)
        # The same handle once more finds its connection open.
        if curl.getinfo(pycurl.EFFECTIVE_URL).endswith(".json"):
            curl.setopt(pycurl.RANGE, "0-99")
            curl.perform()
            tell(curl, received)
        curl.close()


def multi():
    """All at once, at most six connections, in the order of the arguments."""
    multi, running = pycurl.CurlMulti(), []
    multi.setopt(pycurl.M_MAX_TOTAL_CONNECTIONS, 6)
    for curl, received in handles():
        running.append((curl, received))
        multi.add_handle(curl)
    left = len(running)
    while left:
        _, left = multi.perform()
        multi.select(1.0)
    multi.info_read()
    for curl, received in running:
        tell(curl, received)
        multi.remove_handle(curl)
        curl.close()
    multi.close()


easy() if WAY == "easy" else multi()

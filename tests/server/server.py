#!/usr/bin/env python3
"""Loopback server that misbehaves on request, for tests of downloading.

The first part of the path says how to behave, the last which file of --root it is about:
/ok/NAME, /truncated/1000/NAME, … (see the methods mode_*). Every request is appended to --log as
one line: METHOD, PATH, Range, If-Range, User-Agent, separated by tabs, "-" when absent.
The port is written to --port-file once the server listens.
"""

import argparse
import email.utils
import hashlib
import http.server
import os
import socket
import ssl
import struct
import sys
import threading
import time

PAGE = b"<!DOCTYPE html>\n<html><head><title>Please log in</title></head><body>" + b"x" * 2000


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    counts = {}
    lock = threading.Lock()

    def log_message(self, format, *args):
        pass

    def note(self):
        fields = [self.command, self.path]
        fields += [self.headers.get(name, "-") for name in ("Range", "If-Range", "User-Agent")]
        with self.lock, open(self.server.options.log, "a", encoding="utf-8") as log:
            log.write("\t".join(fields) + "\n")

    def do_CONNECT(self):
        self.note()
        if self.server.options.proxy == "407":
            self.refuse_proxy()
        else:
            self.text(403, b"no tunnels here")

    def refuse_proxy(self):
        body = b"who are you?"
        self.send_response(407)
        self.send_header("Proxy-Authenticate", 'Basic realm="test"')
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def do_GET(self):
        self.note()
        path = self.path
        if "://" in path.split("?")[0]:
            if self.server.options.proxy == "407":
                self.refuse_proxy()
                return
            path = "/" + path.split("/", 3)[3]
        parts = path.lstrip("/").split("/")
        mode = getattr(self, "mode_" + parts[0].replace("-", "_"), None)
        if mode is None:
            self.mode_404()
            return
        mode(*parts[1:])

    # answers

    def text(self, status, body, kind="text/plain", **headers):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def content(self, name):
        with open(os.path.join(self.server.options.root, name), "rb") as file:
            return file.read()

    def validators(self, data):
        stamp = email.utils.formatdate(1700000000, usegmt=True)
        return {"ETag": '"%s"' % hashlib.sha256(data).hexdigest()[:16], "Last_Modified": stamp}

    def head(self, status, length, headers):
        self.send_response(status)
        self.send_header("Content-Type", "application/octet-stream")
        if length is not None:
            self.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def wanted_range(self, data, headers):
        """First byte wanted; 0 when the whole is to be sent (RFC 9110, 14.2 and 13.1.5)."""
        value = self.headers.get("Range", "")
        condition = self.headers.get("If-Range")
        if condition and condition not in (headers["ETag"], headers["Last_Modified"]):
            return 0
        if value.startswith("bytes=") and value.endswith("-"):
            return int(value[6:-1])
        return 0

    def serve(self, data, limit=None, headers=None, ranges=True):
        """The data, as a good server would; with limit the connection ends after that much."""
        headers = headers or self.validators(data)
        start = self.wanted_range(data, headers) if ranges else 0
        if start >= len(data) > 0:
            self.text(416, b"", Content_Range="bytes */%d" % len(data))
            return
        if start:
            headers = dict(headers)
            headers["Content_Range"] = "bytes %d-%d/%d" % (start, len(data) - 1, len(data))
        self.head(206 if start else 200, len(data) - start, headers)
        body = data[start:]
        if limit is not None and limit < len(body):
            body = body[:limit]
            self.close_connection = True
        self.wfile.write(body)

    def count(self, key):
        with self.lock:
            self.counts[key] = self.counts.get(key, 0) + 1
            return self.counts[key]

    # ways to behave

    def mode_ok(self, *rest):
        try:
            self.serve(self.content("/".join(rest)))
        except (FileNotFoundError, IsADirectoryError):
            self.mode_404()

    def mode_html200(self, *_):
        self.text(200, PAGE, "text/html")

    def mode_truncated(self, limit, name):
        self.serve(self.content(name), int(limit), ranges=False)

    def mode_flaky(self, limit, name):
        """Each connection ends after that many bytes; ranges are honoured."""
        self.serve(self.content(name), int(limit))

    def mode_flaky_novalidator(self, limit, name):
        data = self.content(name)
        start = self.wanted_range(data, {"ETag": "", "Last_Modified": ""})
        headers = {}
        if start:
            headers["Content_Range"] = "bytes %d-%d/%d" % (start, len(data) - 1, len(data))
        self.head(206 if start else 200, len(data) - start, headers)
        self.wfile.write(data[start : start + int(limit)])
        self.close_connection = True

    def mode_once_cut(self, limit, name):
        """The first connection ends early, and the file is another one afterwards."""
        data = self.content(name)
        if self.count(self.path) == 1:
            other = bytes(255 - b for b in data)
            self.serve(other, int(limit))
        else:
            self.serve(data)

    def mode_once_cut_liar(self, limit, name):
        """The same, but the server does not look at If-Range."""
        data = self.content(name)
        if self.count(self.path) == 1:
            self.serve(bytes(255 - b for b in data), int(limit))
        else:
            del self.headers["If-Range"]
            self.serve(data)

    def mode_norange(self, limit, name):
        """Cut once, and Range is ignored."""
        first = self.count(self.path) == 1
        self.serve(self.content(name), int(limit) if first else None, ranges=False)

    def mode_badrange(self, limit, name):
        """Cut once; a Range is answered with another one."""
        data = self.content(name)
        if self.count(self.path) == 1:
            self.serve(data, int(limit))
        elif "Range" in self.headers:
            headers = {"Content_Range": "bytes 1-%d/%d" % (len(data) - 1, len(data))}
            self.head(206, len(data) - 1, headers)
            self.wfile.write(data[1:])
        else:
            self.serve(data)

    def mode_416(self, limit, name):
        """Cut once; any Range is refused."""
        data = self.content(name)
        if "Range" in self.headers:
            self.text(416, b"", Content_Range="bytes */%d" % len(data))
        else:
            first = self.count(self.path) == 1
            self.serve(data, int(limit) if first else None, ranges=False)

    def mode_nolength(self, name):
        self.head(200, None, {"Connection": "close"})
        self.wfile.write(self.content(name))
        self.close_connection = True

    def mode_nolength_cut(self, limit, name):
        self.head(200, None, {"Connection": "close"})
        self.wfile.write(self.content(name)[: int(limit)])
        self.close_connection = True

    def mode_endless(self, *_):
        self.head(200, None, {"Connection": "close"})
        try:
            while True:
                self.wfile.write(b"x" * 65536)
        except OSError:
            pass
        self.close_connection = True

    def mode_404(self, *_):
        self.text(404, b"<html><title>404</title>nothing here</html>" * 20, "text/html")

    def mode_status(self, status, *_):
        self.text(int(status), b"no")

    def mode_redirect(self, left, name):
        left = int(left)
        to = "/redirect/%d/%s" % (left - 1, name) if left > 1 else "/ok/" + name
        self.text(302, b"<html>moved</html>", "text/html", Location=to)

    def mode_loop(self, *_):
        self.text(302, b"", Location=self.path)

    def mode_nowhere(self, *_):
        self.text(302, b"")

    def mode_other(self, *rest):
        """To the server that --other names, whatever its scheme."""
        self.text(302, b"", Location=self.server.options.other + "/" + "/".join(rest))

    def mode_fails(self, status, times, name):
        """That status so many times, then the file."""
        if self.count(self.path) <= int(times):
            self.text(int(status), b"come back later")
        else:
            self.serve(self.content(name))

    def mode_stall(self, limit, name):
        data = self.content(name)
        self.head(200, len(data), self.validators(data))
        self.wfile.write(data[: int(limit)])
        self.wfile.flush()
        self.server.stopping.wait(60)
        self.close_connection = True

    def mode_silent(self, *_):
        self.server.stopping.wait(60)
        self.close_connection = True

    def mode_reset(self, limit, name):
        data = self.content(name)
        self.head(200, len(data), self.validators(data))
        self.wfile.write(data[: int(limit)])
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def mode_badhash(self, name):
        self.serve(bytes(255 - b for b in self.content(name)))

    def mode_short(self, name):
        self.serve(self.content(name)[:-1])

    def mode_long(self, name):
        self.serve(self.content(name) + b"x")

    def mode_empty(self, *_):
        self.serve(b"")

    def mode_slow(self, name):
        data = self.content(name)
        self.head(200, len(data), self.validators(data))
        for at in range(0, len(data), 4096):
            self.wfile.write(data[at : at + 4096])
            self.wfile.flush()
            time.sleep(0.01)

    def mode_ua(self, name):
        """A page for robots, the file for an honest name."""
        if self.headers.get("User-Agent", "").startswith("eprefix"):
            self.serve(self.content(name))
        else:
            self.text(200, PAGE, "text/html")


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address, options):
        super().__init__(address, Handler)
        self.options = options
        self.stopping = threading.Event()

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], (OSError, ValueError)):
            super().handle_error(request, client_address)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", required=True, help="directory of the files")
    parser.add_argument("--log", required=True)
    parser.add_argument("--port-file", required=True)
    parser.add_argument("--tls", nargs=2, metavar=("CERT", "KEY"))
    parser.add_argument("--proxy", default="", help="407: refuse to be a proxy")
    parser.add_argument("--other", default="", help="base URL that /other/ redirects to")
    options = parser.parse_args()
    server = Server(("127.0.0.1", 0), options)
    if options.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*options.tls)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    with open(options.port_file + ".new", "w", encoding="ascii") as file:
        file.write("%d\n" % server.server_address[1])
    os.rename(options.port_file + ".new", options.port_file)
    server.serve_forever()


if __name__ == "__main__":
    main()

"""Who asks: an HTTP server on a socket of this machine, which gives each request one whole answer."""

import errno
import ipaddress
import socket
import socketserver
import sys
from http.server import BaseHTTPRequestHandler
from typing import Final

from sitegen import __version__
from sitegen.preview.answer import PLAIN, Answer, Answers

DEFAULT_PORT: Final = 8000
_NEXT_PORTS: Final = 100
_METHODS: Final = ("GET", "HEAD")
_IDLE_S: Final = 60.0


class PreviewError(Exception):
    """The preview cannot begin. Its text is one line for the user."""


class Server(socketserver.ThreadingMixIn, socketserver.TCPServer):
    """Listens from when it is made; what comes before it serves waits for it.

    `moved_from` is the port that was taken, where another one was chosen instead; None where none was.
    """

    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, host: str, port: int | None) -> None:
        """Listen on `port`, 0 for any that is free, None for the usual one or the next that is free.

        Raises `PreviewError` where the host or the port cannot be had.
        """
        self.address_family, address = _resolved(host)
        self.asked_host = host
        self.moved_from: int | None = None
        self.answers: Answers
        ports = range(DEFAULT_PORT, DEFAULT_PORT + _NEXT_PORTS) if port is None else (port,)
        for candidate in ports:
            try:
                super().__init__((address, candidate), _Handler)
            except OSError as error:
                if port is None and error.errno in {errno.EADDRINUSE, errno.EACCES}:
                    continue
                raise PreviewError(_refusal(host, candidate, error)) from error
            if port is None and candidate != DEFAULT_PORT:
                self.moved_from = DEFAULT_PORT
            return
        raise PreviewError(f"Ports {ports[0]} to {ports[-1]} are all in use. Name a free one with --port.")

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self.server_address[1])

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return ipaddress.ip_address(str(self.server_address[0]).partition("%")[0]).is_loopback

    @property
    def origin(self) -> str:
        """Where a browser on this machine finds it: `http://127.0.0.1:8000`."""
        host = str(self.server_address[0])
        if ipaddress.ip_address(host.partition("%")[0]).is_unspecified:
            host = "::1" if ":" in host else "127.0.0.1"
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    def answers_to(self, header: str) -> bool:
        """Whether a `Host` header names this server.

        A page of somebody else's, under a name that it has made lead here, would otherwise read the site: so any other
        name is refused. An address in numbers cannot be such a name.
        """
        name = _host_name(header)
        try:
            number = ipaddress.ip_address(name)
        except ValueError:
            known = {"localhost", self.asked_host.lower()}
            if not self.loopback:
                known.add(socket.gethostname().lower())
            return name in known
        return number.is_loopback or not self.loopback or name == self.asked_host

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a browser that has gone away; anything else is our bug, and is shown."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)  # type: ignore[arg-type] # passed on as it came


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = _IDLE_S
    # An answer goes out in one piece: in two, the second would wait for the first to be acknowledged.
    wbufsize = 2**16
    disable_nagle_algorithm = True
    server: Server

    def parse_request(self) -> bool:
        """Refuse every method but two as soon as the request has been read."""
        if not super().parse_request():
            return False
        if self.command in _METHODS:
            return True
        self.close_connection = True  # what a body holds is not read
        self._send(_line(405, f"Only {' and '.join(_METHODS)} are answered."), ("Allow", ", ".join(_METHODS)))
        return False

    def do_GET(self) -> None:
        """Answer, wholly."""
        hosts = self.headers.get_all("Host", [])
        if len(hosts) != 1 or not self.server.answers_to(hosts[0]):
            self.close_connection = True
            self._send(_line(403, "This preview answers only to the address that it printed when it began."))
            return
        target = self.path
        try:
            answer = self.server.answers.answer(target, wait=self.command == "GET")
        except Exception:
            self.close_connection = True
            self._send(_line(500, "The preview has failed: the terminal says where. This is a bug of sitegen."))
            raise
        self._send(answer)

    def do_HEAD(self) -> None:
        """Answer with what GET would be, without the body."""
        self.do_GET()

    def _send(self, answer: Answer, *more: tuple[str, str]) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.type)
        self.send_header("Content-Length", str(len(answer.body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        if answer.location:
            self.send_header("Location", answer.location)
        for name, value in more:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002 - as in the base
        """Answer in one plain line what is not HTTP."""
        self.close_connection = True
        self.command = getattr(self, "command", None) or "GET"
        self._send(_line(code, f"{message or self.responses[code][0]}."))

    def version_string(self) -> str:
        """What the answers say of the program."""
        return f"sitegen/{__version__}"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as in the base
        """Say nothing: the terminal is for what changes."""


def _line(status: int, text: str) -> Answer:
    return Answer(status, PLAIN, f"{text}\n".encode(errors="backslashreplace"))


def _resolved(host: str) -> tuple[socket.AddressFamily, str]:
    """The family and the number of the address that a host has on this machine."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except OSError as error:
        raise PreviewError(f"{host}: no such host: {error.strerror}. Give an address of this machine.") from error
    return family, str(address[0])


def _refusal(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use. Choose another with --port, or leave it out."
    return f"Cannot listen on {host}, port {port}: {error.strerror}."


def _host_name(header: str) -> str:
    """The name in a `Host` header, without its port and brackets, in lower case."""
    name = header.strip().lower()
    if name.startswith("["):
        return name[1:].partition("]")[0]
    return name.partition(":")[0].removesuffix(".")

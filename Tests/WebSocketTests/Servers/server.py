"""WebSocket servers for the tests: prints one line "name=port ..." and runs until its input ends.

usage: server.py DIRECTORY   (holds ca.pem, server.pem, server.key, wrong.pem, wrong.key; removed at the end)

Paths of the ws and wss servers choose the behaviour; see `handle` and `answer`.
"""

import asyncio
import base64
import hashlib
import http
import os
import shutil
import ssl
import sys
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

DIRECTORY = sys.argv[1]


async def handle(connection):
    url = urlsplit(connection.request.path)
    query = {name: values[0] for name, values in parse_qs(url.query).items()}
    try:
        if url.path == "/echo":
            async for message in connection:
                await connection.send(message)
        elif url.path == "/fragments":
            async for message in connection:
                size = max(1, len(message) // 7)
                await connection.send([message[i : i + size] for i in range(0, len(message), size)])
        elif url.path == "/count":
            for number in range(int(query["messages"])):
                await connection.send('{"n":%d}' % number)
        elif url.path == "/big":
            await connection.send(b"x" * int(query["size"]))
            await connection.wait_closed()
        elif url.path == "/headers":
            headers = connection.request.headers
            await connection.send("\n".join(f"{name}: {value}" for name, value in headers.raw_items()))
        elif url.path == "/close":
            await connection.close(int(query["code"]), query.get("reason", ""))
        elif url.path == "/drop":
            connection.transport.write(b"\x82\x7e\x10\x00half of it")
            await asyncio.sleep(0)
            connection.transport.close()
        elif url.path == "/idle":
            # Reads nothing: the client's messages pile up.
            await asyncio.sleep(3600)
        elif url.path == "/closes":
            # Tells how each earlier connection of the given name was closed.
            await connection.send(" ".join(CLOSES.pop(query["name"], [])))
    except ConnectionClosed:
        pass
    CLOSES.setdefault(query.get("name"), []).append(f"{connection.close_code}:{connection.close_reason}")


CLOSES = {}


def answer(connection, request):
    url = urlsplit(request.path)
    if url.path == "/401":
        return connection.respond(http.HTTPStatus.UNAUTHORIZED, "who are you?\n")
    if url.path == "/429":
        response = connection.respond(http.HTTPStatus.TOO_MANY_REQUESTS, "slow down\n")
        response.headers["Retry-After"] = "30"
        return response
    if url.path in ("/redirect", "/circle"):
        response = connection.respond(http.HTTPStatus.FOUND, "")
        response.headers["Location"] = parse_qs(url.query).get("to", ["/circle"])[0]
        return response
    return None


def choose(connection, offered):
    return next((name for name in offered if name == "v1"), None)


async def upgrade_by_hand(reader, writer):
    """Accepts the upgrade, then neither reads nor answers: no pongs."""
    head = await reader.readuntil(b"\r\n\r\n")
    key = next(l.split(b": ", 1)[1] for l in head.split(b"\r\n") if l.lower().startswith(b"sec-websocket-key"))
    digest = hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()
    writer.write(
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: " + base64.b64encode(digest) + b"\r\n\r\n"
    )
    await asyncio.sleep(3600)


async def proxy(reader, writer):
    """An HTTP proxy that knows CONNECT and wants the user ann with the password secret."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    method, target, _ = head.split("\r\n")[0].split(" ")
    if "Basic " + base64.b64encode(b"ann:secret").decode() not in head:
        writer.write(b"HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n")
        writer.close()
        return
    if method != "CONNECT":
        writer.write(b"HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n")
        writer.close()
        return
    host, port = target.rsplit(":", 1)
    other_reader, other_writer = await asyncio.open_connection(host, int(port))
    writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")

    async def pump(source, sink):
        try:
            while data := await source.read(65536):
                sink.write(data)
                await sink.drain()
        except ConnectionError:
            pass
        sink.close()

    await asyncio.gather(pump(reader, other_writer), pump(other_reader, writer))


def context(name, wants_client=False):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(f"{DIRECTORY}/{name}.pem", f"{DIRECTORY}/{name}.key")
    if wants_client:
        made.verify_mode = ssl.CERT_REQUIRED
        made.load_verify_locations(f"{DIRECTORY}/ca.pem")
    return made


async def main():
    options = dict(
        process_request=answer, subprotocols=["v1"], select_subprotocol=choose, max_size=None, ping_interval=None, close_timeout=2
    )
    ports = {}

    async def websocket(name, tls=None):
        server = await serve(handle, "127.0.0.1", 0, ssl=tls, **options)
        ports[name] = server.sockets[0].getsockname()[1]
        return server

    async def plain(name, handler):
        server = await asyncio.start_server(handler, "127.0.0.1", 0)
        ports[name] = server.sockets[0].getsockname()[1]
        return server

    servers = [  # kept alive
        await websocket("ws"),
        await websocket("wss", context("server")),
        await websocket("wrong", context("wrong")),
        await websocket("client", context("server", wants_client=True)),
        await plain("mute", upgrade_by_hand),
        await plain("proxy", proxy),
    ]
    print(" ".join(f"{name}={port}" for name, port in ports.items()), flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    # The tests are over: whatever is still open may break.
    shutil.rmtree(DIRECTORY)
    os._exit(0)


asyncio.run(main())

"""WebSocket servers for the tests: prints one line "name=port ..." and runs until its input ends.

usage: server.py DIRECTORY   (holds ca.pem, server.pem, server.key, wrong.pem, wrong.key; removed at the end)

Paths of the ws and wss servers choose the behaviour; see `handle` and `answer`. Servers of other makes, and proxies,
that are not installed are left out of the line: see `programs`.
"""

import asyncio
import base64
import ctypes
import hashlib
import http
import os
import pathlib
import shutil
import signal
import socket
import ssl
import struct
import sys
from urllib.parse import parse_qs, urlsplit

import aiohttp
import aiohttp.web
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

DIRECTORY = sys.argv[1]
HERE = pathlib.Path(__file__).parent


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
        elif url.path == "/abort":
            # A whole compressed message, half of another one, and a reset.
            await connection.send('{"n":0}' * 1000)
            connection.transport.write(b"\xc1\x7e\x10\x00\xf2\x48\xcd")
            await asyncio.sleep(0.05)
            linger = struct.pack("ii", 1, 0)
            connection.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            connection.transport.abort()
        elif url.path == "/sni":
            await connection.send(str(connection.transport.get_extra_info("ssl_object").asked_for))
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
    await join(reader, writer, host, int(port), b"HTTP/1.1 200 Connected\r\n\r\n")


async def socks(reader, writer):
    """A SOCKS proxy: version 4a, and version 5 for the user ann with the password secret."""
    if await reader.readexactly(1) == b"\x04":
        port = int.from_bytes((await reader.readexactly(7))[1:3], "big")
        await reader.readuntil(b"\0")
        host = (await reader.readuntil(b"\0"))[:-1].decode()
        return await join(reader, writer, host, port, b"\x00\x5a" + bytes(6))
    methods = await reader.readexactly((await reader.readexactly(1))[0])
    writer.write(b"\x05\x02" if 2 in methods else b"\x05\xff")
    if 2 not in methods:
        return writer.close()
    await reader.readexactly(1)
    user = await reader.readexactly((await reader.readexactly(1))[0])
    password = await reader.readexactly((await reader.readexactly(1))[0])
    is_known = (user, password) == (b"ann", b"secret")
    writer.write(b"\x01\x00" if is_known else b"\x01\x01")
    if not is_known:
        return writer.close()
    kind = (await reader.readexactly(4))[3]
    if kind == 1:
        host = socket.inet_ntoa(await reader.readexactly(4))
    else:
        host = (await reader.readexactly((await reader.readexactly(1))[0])).decode()
    port = int.from_bytes(await reader.readexactly(2), "big")
    await join(reader, writer, host, port, b"\x05\x00\x00\x01" + bytes(6))


async def join(reader, writer, host, port, welcome):
    """Carries bytes both ways from now on."""
    other_reader, other_writer = await asyncio.open_connection(host, port)
    writer.write(welcome)

    async def pump(source, sink):
        try:
            while data := await source.read(65536):
                sink.write(data)
                await sink.drain()
        except ConnectionError:
            pass
        sink.close()

    await asyncio.gather(pump(reader, other_writer), pump(other_reader, writer))


class NotingObject(ssl.SSLObject):
    """Keeps the name that the client asked for."""

    asked_for = None


def note_name(connection, name, _):
    connection.asked_for = name


def context(name, wants_client=False):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.sslobject_class = NotingObject
    made.sni_callback = note_name
    made.load_cert_chain(f"{DIRECTORY}/{name}.pem", f"{DIRECTORY}/{name}.key")
    if wants_client:
        made.verify_mode = ssl.CERT_REQUIRED
        made.load_verify_locations(f"{DIRECTORY}/ca.pem")
    return made


async def aiohttp_echo(request):
    connection = aiohttp.web.WebSocketResponse(compress=request.path == "/echo", max_msg_size=0)
    await connection.prepare(request)
    async for message in connection:
        if message.type == aiohttp.WSMsgType.TEXT:
            await connection.send_str(message.data)
        elif message.type == aiohttp.WSMsgType.BINARY:
            await connection.send_bytes(message.data)
    return connection


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def programs(ports):
    """Starts what is installed of node with ws, nginx before the ws server, and tinyproxy; answers the processes."""
    started = []

    def end_with_parent():
        # PR_SET_PDEATHSIG, so that no server outlives this one however it ends.
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)

    async def start(*command):
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL, preexec_fn=end_with_parent)
        started.append(process)
        return process

    async def wait_for(port):
        for _ in range(200):
            try:
                (await asyncio.open_connection("127.0.0.1", port))[1].close()
                return True
            except OSError:
                await asyncio.sleep(0.05)
        return False

    def write(name, text):
        path = f"{DIRECTORY}/{name}"
        pathlib.Path(path).write_text(text)
        return path

    if shutil.which("node") and pathlib.Path("/usr/share/nodejs/ws").exists():
        node = await start("node", str(HERE / "node_server.js"), DIRECTORY)
        for word in (await node.stdout.readline()).decode().split():
            name, port = word.split("=")
            ports[name] = port
    nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
    if nginx:
        plain, tls = free_port(), free_port()
        text = (HERE / "nginx.conf").read_text()
        values = dict(DIRECTORY=DIRECTORY, PLAIN=plain, TLS=tls, WS=ports["ws"], WSS=ports["wss"])
        for name, value in values.items():
            text = text.replace(f"@{name}@", str(value))
        await start(nginx, "-p", DIRECTORY, "-e", f"{DIRECTORY}/nginx.log", "-c", write("nginx.conf", text))
        if await wait_for(plain) and await wait_for(tls):
            ports.update(nginx=plain, nginx_tls=tls)
    if shutil.which("tinyproxy"):
        port = free_port()
        text = f"Port {port}\nListen 127.0.0.1\nTimeout 600\nMaxClients 20\nAllow 127.0.0.1\nBasicAuth ann secret\n"
        await start("tinyproxy", "-d", "-c", write("tinyproxy.conf", text))
        if await wait_for(port):
            ports["tinyproxy"] = port
    return started


async def main():
    options = dict(
        process_request=answer, subprotocols=["v1"], select_subprotocol=choose, max_size=None, ping_interval=None, close_timeout=2
    )
    ports = {}

    async def websocket(name, tls=None, **more):
        server = await serve(handle, "127.0.0.1", 0, ssl=tls, **options, **more)
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
        await websocket("uncompressed", compression=None),
        await websocket("narrow", extensions=[ServerPerMessageDeflateFactory(True, True, 9, 9)]),
        await plain("mute", upgrade_by_hand),
        await plain("proxy", proxy),
        await plain("socks", socks),
    ]
    application = aiohttp.web.Application()
    application.router.add_get("/{path:.*}", aiohttp_echo)
    runner = aiohttp.web.AppRunner(application)
    await runner.setup()
    for name, tls in (("aiohttp", None), ("aiohttp_tls", context("server"))):
        await aiohttp.web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls).start()
        ports[name] = runner.addresses[-1][1]
    started = await programs(ports)
    print(" ".join(f"{name}={port}" for name, port in ports.items()), flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    # The tests are over: whatever is still open may break. A test process may have blocked other signals than this one.
    for process in started:
        process.kill()
        await process.wait()
    shutil.rmtree(DIRECTORY)
    os._exit(0)


asyncio.run(main())

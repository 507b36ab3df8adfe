"""A WebSocket feed with bad days, for whole runs of the program.

usage: feeds.py DIRECTORY   (where its certificates are made)

Prints "ready ws=PORT untrusted=PORT elsewhere=PORT", then a line for each event, with milliseconds from its start:
"12 request PATH", "12 token PATH TOKEN" for the header X-Token, "15 refused PATH STATUS", "19 closed PATH CODE". Each line of its input names a path whose
connections it closes. It ends with its input. Connections of a path are counted; for what each path does see
`handle` and `answer`. The messages of a path are {"n": 1} in its first connection, {"n": 2} in the next.
"""

import asyncio
import collections
import gzip
import http
import json
import os
import ssl
import subprocess
import sys
import time
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

DIRECTORY = sys.argv[1]
START = time.monotonic()
COUNTS = collections.Counter()
OPEN = collections.defaultdict(set)


def tell(*words):
    print(int((time.monotonic() - START) * 1000), *words, flush=True)


def answer(connection, request):
    path = urlsplit(request.path).path
    COUNTS[path] += 1
    tell("request", path)
    if token := request.headers.get("X-Token"):
        tell("token", path, token)
    if path == "/unauthorized" and COUNTS[path] < 3:
        tell("refused", path, 401)
        return connection.respond(http.HTTPStatus.UNAUTHORIZED, "who are you?\n")
    if path == "/busy" and COUNTS[path] == 1:
        response = connection.respond(http.HTTPStatus.SERVICE_UNAVAILABLE, "come back later\n")
        response.headers["Retry-After"] = "1"
        tell("refused", path, 503)
        return response
    return None


async def handle(connection):
    url = urlsplit(connection.request.path)
    number = COUNTS[url.path]
    OPEN[url.path].add(connection)
    try:
        if url.path == "/big":
            # A message of a given size in the first connection.
            size = int(parse_qs(url.query)["size"][0]) if number == 1 else 0
            await connection.send(json.dumps({"n": number, "pad": "x" * size}))
        elif url.path == "/talk":
            # Each message that comes is answered by the next number.
            await connection.send(json.dumps({"n": 1}))
            count = 1
            async for message in connection:
                tell("got", url.path, message)
                count += 1
                await connection.send(json.dumps({"n": count}))
        elif url.path == "/session":
            await talk(connection, number)
        elif url.path == "/press":
            if number == 1:
                await press(connection, {name: int(texts[0]) for name, texts in parse_qs(url.query).items()})
        elif url.path == "/okx":
            await trade(connection, number)
        elif url.path == "/packed":
            await connection.send(gzip.compress(json.dumps([{"n": "a"}, {"n": "b", "pad": "x" * 1000}]).encode()))
        elif url.path == "/silent":
            pass
        else:
            await connection.send(json.dumps({"n": number}))
        await connection.wait_closed()
    except ConnectionClosed:
        pass
    OPEN[url.path].discard(connection)
    tell("closed", url.path, connection.close_code)


async def talk(connection, number):
    # A server that wants a login, confirms subscriptions one by one, and its own number back for each ping. Of the
    # symbol MUTE nothing comes; the path closes once it is asked for the symbol BYE.
    async def tick():
        count = 0
        while True:
            count += 1
            await connection.send(json.dumps({"ping": number * 1000 + count}))
            await asyncio.sleep(0.05)

    await connection.send(json.dumps({"event": "hello"}))
    pings = None
    is_known = False
    async for message in connection:
        tell("got", "/session", message)
        if message == "ping":
            await connection.send("pong")
            continue
        request = json.loads(message)
        if "pong" in request:
            continue
        if request.get("op") == "login":
            is_known = request["token"] == "letmein"
            await connection.send(json.dumps({"event": "login" if is_known else "error", "echo": request["token"]}))
            if is_known and not pings:
                pings = asyncio.create_task(tick())
            continue
        if not is_known:
            await connection.close(1008, "log in first")
            return
        symbols, id = request.get("symbols", []), request["id"]
        if "BAD" in symbols:
            await connection.send(json.dumps({"id": id, "error": "one of them is unknown"}))
            continue
        await connection.send(json.dumps({"id": id, "result": None}))
        for symbol in symbols:
            if symbol == "BYE":
                pings.cancel()
                await connection.close(1012, "restarting")
                return
            if symbol != "MUTE":
                await connection.send(json.dumps({"n": f"{symbol} {number}"}))


async def press(connection, given):
    # A message that is `slow` to handle, then `count` others about one of `keys` each, and one more. Tells when all
    # are sent, of each message that comes, and of each pong to one of so many `pings`, one sent behind the other. With
    # `check` each message is sent once something came for the one before it, and a ping right behind it.
    came = asyncio.Queue()

    async def listen():
        async for message in connection:
            tell("got", "/press", message)
            came.put_nowait(message)

    async def check():
        await (await connection.ping())
        tell("pong", "/press")

    listening = asyncio.create_task(listen())
    checks = []
    await connection.send(json.dumps({"n": 0, "k": "0", "work": given["slow"]}))
    pad = "x" * given.get("pad", 0)
    for n in range(1, given["count"] + 1):
        message = {"n": n, "k": str(n % given.get("keys", 1)), "work": given.get("work", 0), "pad": pad}
        if "check" in given:
            await came.get()
        await connection.send(json.dumps(message))
        if "check" in given:
            checks.append(asyncio.create_task(check()))
    await connection.send(json.dumps({"n": given["count"] + 1, "k": "last", "last": True}))
    tell("sent", "/press")
    for _ in range(given.get("pings", 0)):
        await (await connection.ping())
        tell("pong", "/press")
    await listening


async def trade(connection, number):
    # OKX with one trade: the last one of the connection before comes again, then a new one.
    async for message in connection:
        tell("got", "/okx", message)
        if message == "ping":
            await connection.send("pong")
            continue
        for item in json.loads(message)["args"]:
            symbol = item["instId"]
            if symbol == "BAD":
                await connection.send(json.dumps({"event": "error", "code": "60018", "msg": f"{symbol} doesn't exist"}))
                continue
            await connection.send(json.dumps({"event": "subscribe", "arg": item, "connId": "a"}))
            for id in [number - 1, number]:
                data = {"instId": symbol, "tradeId": str(id), "px": f"{id}.5", "sz": "1", "side": "buy",
                        "ts": str(int(time.time() * 1000)), "count": "1"}
                await connection.send(json.dumps({"arg": item, "data": [data]}))


def context(name, host):
    key, certificate = f"{DIRECTORY}/{name}.key", f"{DIRECTORY}/{name}.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", key, "-out", certificate, "-subj", f"/CN={name}", "-addext", f"subjectAltName={host}"],
        check=True, capture_output=True)
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(certificate, key)
    return made


async def main():
    ports = []
    servers = []  # kept alive
    contexts = {"ws": None, "untrusted": context("untrusted", "IP:127.0.0.1"),
                "elsewhere": context("elsewhere", "DNS:elsewhere.example")}
    for name, tls in contexts.items():
        server = await serve(handle, "127.0.0.1", 0, ssl=tls, process_request=answer, max_size=None, compression=None)
        servers.append(server)
        ports.append(f"{name}={server.sockets[0].getsockname()[1]}")
    print("ready", *ports, flush=True)
    commands = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    async for line in commands:
        for connection in list(OPEN[line.decode().strip()]):
            await connection.close(1012, "restarting")
    # The test is over: whatever is still open may break.
    os._exit(0)


asyncio.run(main())

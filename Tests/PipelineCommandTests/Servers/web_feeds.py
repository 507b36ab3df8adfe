"""Feeds over HTTP, with bad days, for whole runs of the program.

usage: web_feeds.py DIRECTORY   (where its certificates are made)

Prints "ready http=PORT expired=PORT elsewhere=PORT trusted=PORT mute=PORT", then a line for each request: its path and
what it was asked with. It ends with its input. What each path does see the handlers; `mute` accepts and says nothing.
"""

import asyncio
import collections
import gzip
import os
import ssl
import subprocess
import sys

from aiohttp import web

DIRECTORY = sys.argv[1]
COUNTS = collections.Counter()


def tell(request, *words):
    COUNTS[request.path] += 1
    print(request.method, request.path, *words, flush=True)
    return COUNTS[request.path]


def chosen(request, *names):
    return [f"{name}={request.headers[name]}" for name in names if name in request.headers]


async def poll(request):
    """The numbers 1, 1, 2, 2, ...; each with a mark, by which one who has it gets none."""
    body = await request.text()
    number = (tell(request, *chosen(request, "If-None-Match", "X-Token"), body) + 1) // 2
    mark = f'"{number}"'
    if request.headers.get("If-None-Match") == mark:
        return web.Response(status=304, headers={"ETag": mark})
    return web.json_response({"n": number}, headers={"ETag": mark})


async def packed(request):
    """Numbers, compressed without a word about it."""
    return web.Response(body=gzip.compress(b'{"n": %d}' % tell(request)))


async def same(request):
    """The same body each time, without a mark."""
    tell(request)
    return web.json_response({"n": 1})


async def tired(request):
    """An answer, then one of 429 that asks for a second, then answers again."""
    number = tell(request)
    if number == 2:
        return web.Response(status=429, headers={"Retry-After": "1"})
    return web.json_response({"n": number})


async def big(request):
    tell(request)
    return web.json_response({"n": 1, "pad": "x" * 10_000})


async def slow(request):
    tell(request)
    await asyncio.sleep(3600)


async def events(request):
    """Three events behind the one that was asked for, then the end; a comment and a name come with each."""
    last = request.headers.get("Last-Event-ID", "0")
    tell(request, f"last={last}", *chosen(request, "X-Token"))
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8"})
    await response.prepare(request)
    await response.write(b"\xef\xbb\xbfretry: 20\r\n\r\n")
    for number in range(int(last) + 1, int(last) + 4):
        text = f": here\rid: {number}\revent: price\rdata: {{\"n\":\rdata: {number}}}\r\r"
        await response.write(text.encode())
        await response.write(b"event: noise\ndata: {\"n\": 0}\n\n")
    return response


async def stuck(request):
    """One event, then nothing more."""
    tell(request)
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    await response.write(b"data: {\"n\": 1}\n\n")
    await asyncio.sleep(3600)


async def over(request):
    tell(request)
    return web.Response(status=204)


async def socket(request):
    tell(request)
    answer = web.WebSocketResponse()
    await answer.prepare(request)
    if request.path != "/silent":
        await answer.send_str('{"n": 1}')
    async for _ in answer:
        pass
    return answer


async def busy(request):
    tell(request)
    return web.Response(status=429, headers={"Retry-After": "30"})


async def candles(request):
    """A history, the newest first, as exchanges give it."""
    tell(request, *chosen(request, "X-Token"))
    return web.json_response({"rows": [[1577836920, "30"], [1577836860, "20"], [1577836800, "10"]]})


async def broken(request):
    tell(request)
    return web.Response(status=500)


async def garbled(request):
    tell(request)
    return web.Response(text="<html>not today</html>")


async def say_nothing(reader, writer):
    await asyncio.sleep(3600)


def openssl(*words):
    subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=DIRECTORY)


def context(name, host, expired=False):
    key, certificate = f"{DIRECTORY}/{name}.key", f"{DIRECTORY}/{name}.pem"
    made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key,
            "-subj", f"/CN={name}.example", "-addext", f"subjectAltName={host}"]  # fmt: skip
    if expired:
        # Only an authority of openssl signs for a time that has passed.
        with open(f"{DIRECTORY}/ca.cnf", "w") as file:
            file.write("[ca]\ndefault_ca=a\n[a]\ndatabase=index\nserial=serial\nnew_certs_dir=.\ndefault_md=sha256\n"
                       "policy=p\ncopy_extensions=copy\n[p]\ncommonName=supplied\n")  # fmt: skip
        for file, text in [("index", ""), ("serial", "01")]:
            with open(f"{DIRECTORY}/{file}", "w") as opened:
                opened.write(text)
        openssl("req", "-out", f"{name}.csr", *made)
        openssl("ca", "-batch", "-config", "ca.cnf", "-selfsign", "-keyfile", key, "-in", f"{name}.csr", "-notext",
                "-startdate", "20200101000000Z", "-enddate", "20200201000000Z", "-out", certificate)  # fmt: skip
    else:
        openssl("req", "-x509", "-days", "90", "-out", certificate, *made)
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(certificate, key)
    return made


async def main():
    application = web.Application()
    for path, handler in [
        ("/poll", poll), ("/same", same), ("/tired", tired), ("/big", big), ("/slow", slow), ("/events", events),
        ("/stuck", stuck), ("/over", over), ("/prices", socket), ("/silent", socket), ("/busy", busy),
        ("/candles", candles), ("/broken", broken), ("/garbled", garbled), ("/packed", packed),
    ]:  # fmt: skip
        application.router.add_route("*", path, handler)
    runner = web.AppRunner(application, handler_cancellation=True, access_log=None)
    await runner.setup()
    ports = {}
    for name, tls in [
        ("http", None), ("expired", context("expired", "IP:127.0.0.1", expired=True)),
        ("elsewhere", context("elsewhere", "DNS:elsewhere.example")), ("trusted", context("trusted", "IP:127.0.0.1")),
    ]:  # fmt: skip
        site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls)
        await site.start()
        ports[name] = site._server.sockets[0].getsockname()[1]
    mute = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    ports["mute"] = mute.sockets[0].getsockname()[1]
    print("ready", *(f"{name}={port}" for name, port in ports.items()), flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    # The test is over: whatever is still open may break.
    os._exit(0)


asyncio.run(main())

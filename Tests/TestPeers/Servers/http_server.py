"""HTTP servers for the tests: prints one line "name=port ..." and runs until its input ends.

usage: http_server.py DIRECTORY   (holds server.pem, server.key, wrong.pem, wrong.key; removed at the end)

Paths choose the behaviour; see the handlers. What a request with `log=NAME` in its query asked for can be read
back from /log?of=NAME, and /gone?of=NAME answers once the client of a /slow request has gone away.
"""

import asyncio
import json
import os
import shutil
import socket
import ssl
import struct
import sys

from aiohttp import web

DIRECTORY = sys.argv[1]
LOG = {}
GONE = {}


def gone(name):
    return GONE.setdefault(name, asyncio.Event())


@web.middleware
async def note(request, handler):
    body = await request.read()
    if name := request.query.get("log") or request.match_info.get("log"):
        LOG.setdefault(name, []).append(
            {
                "method": request.method,
                "path": request.path,
                "headers": {key.lower(): value for key, value in request.headers.items()},
                "body": body.decode("utf-8", "replace"),
            }
        )
    return await handler(request)


async def log(request):
    return web.json_response(LOG.get(request.query["of"], []))


async def wait_gone(request):
    await gone(request.query["of"]).wait()
    return web.Response(text="gone")


async def status(request):
    """Answers with a code: /status/429?Retry-After=30&body=text."""
    headers = {key: value for key, value in request.query.items() if key not in ("body", "log")}
    return web.Response(status=int(request.match_info["code"]), headers=headers, text=request.query.get("body", ""))


async def sequence(request):
    """Answers with one code after the other, the last one for ever: /sequence?log=NAME&codes=500,200."""
    codes = request.query["codes"].split(",")
    seen = len(LOG[request.query["log"]])
    return web.Response(status=int(codes[min(seen, len(codes)) - 1]))


async def echo(request):
    body = await request.read()
    return web.json_response(
        {"method": request.method, "headers": dict(request.headers), "body": body.decode("utf-8", "replace")}
    )


async def slow(request):
    """Never answers."""
    try:
        await asyncio.sleep(3600)
    finally:
        gone(request.query["log"]).set()


async def trickle(request):
    """Sends a byte now and then, for ever."""
    response = web.StreamResponse()
    await response.prepare(request)
    while True:
        await response.write(b".")
        await asyncio.sleep(0.02)


async def reset(request):
    """Resets the connection in place of an answer."""
    request.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    request.transport.abort()
    return web.Response()


async def half(request):
    """Ends the connection in the middle of the answer."""
    request.transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nten bytes.")
    request.transport.close()
    return web.Response()


async def big(request):
    return web.Response(body=b"x" * int(request.query["size"]))


async def big_head(request):
    return web.Response(headers={f"X-{number}": "x" * 4000 for number in range(40)})


async def redirect(request):
    return web.Response(status=int(request.query.get("code", 302)), headers={"Location": request.query["to"]})


async def telegram(request):
    """Telegram's Bot API: a bot whose token ends in "busy" is asked to wait, others are unknown."""
    if request.match_info["token"].endswith("busy"):
        answer = {"ok": False, "error_code": 429, "parameters": {"retry_after": 35}}
        return web.json_response(answer, status=429)
    return web.Response(status=404, text=f"no method {request.path}")


async def alertmanager(request):
    """An Alertmanager under /as/NAME, or one that answers with codes in turn under /as/NAME/500-200."""
    codes = request.match_info.get("codes", "200").split("-")
    seen = len(LOG[request.match_info["log"]])
    return web.Response(status=int(codes[min(seen, len(codes)) - 1]))


def context(name):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(f"{DIRECTORY}/{name}.pem", f"{DIRECTORY}/{name}.key")
    return made


async def main():
    application = web.Application(middlewares=[note], client_max_size=64 << 20)
    for path, handler in [
        ("/log", log), ("/gone", wait_gone), ("/status/{code}", status), ("/sequence", sequence), ("/echo", echo),
        ("/slow", slow), ("/trickle", trickle), ("/reset", reset), ("/half", half), ("/big", big),
        ("/big-head", big_head), ("/redirect", redirect), ("/bot{token}/sendMessage", telegram),
        ("/as/{log}/api/v2/alerts", alertmanager), ("/as/{log}/{codes}/api/v2/alerts", alertmanager),
    ]:  # fmt: skip
        application.router.add_route("*", path, handler)
    runner = web.AppRunner(application, handler_cancellation=True, access_log=None)
    await runner.setup()
    ports = {}
    for name, tls in [("http", None), ("other", None), ("https", context("server")), ("wrong", context("wrong"))]:
        site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls)
        await site.start()
        ports[name] = site._server.sockets[0].getsockname()[1]
    print(" ".join(f"{name}={port}" for name, port in ports.items()), flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    # The tests are over: whatever is still open may break.
    shutil.rmtree(DIRECTORY)
    os._exit(0)


asyncio.run(main())

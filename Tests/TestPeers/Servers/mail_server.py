"""Mail servers for the tests: prints one line "name=port ..." and runs until its input ends.

usage: mail_server.py DIRECTORY   (holds server.pem, server.key, wrong.pem, wrong.key; removed at the end)

`starttls` and `tls` want the user ann with the password s3cret, `wrong` shows another host's certificate, `plain`
wants nothing. Recipients choose the behaviour: refuse@… is unknown, later@… is put off, slow@… is never answered.
`http` gives the mails to a recipient as JSON: /mails?to=ADDRESS.
"""

import asyncio
import email
import email.policy
import os
import shutil
import ssl
import sys

from aiohttp import web
from aiosmtpd.smtp import SMTP, AuthResult

DIRECTORY = sys.argv[1]
MAILS = {}


def authenticate(server, session, envelope, mechanism, data):
    success = (data.login, data.password) == (b"ann", b"s3cret")
    # Not handled: the server gives the answer, 535.
    return AuthResult(success=success, handled=success, auth_data=data)


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("refuse@"):
            return "550 there is nobody of that name"
        if address.startswith("later@"):
            return "451 come back later"
        if address.startswith("slow@"):
            await asyncio.sleep(3600)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        mail = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "head": {name.lower(): str(value) for name, value in message.items()},
            "text": message.get_body(("plain",)).get_content(),
            "longest": max(len(line) for line in envelope.content.splitlines()),
            "tls": server.transport.get_extra_info("ssl_object") is not None,
            "user": session.auth_data.login.decode() if session.authenticated else None,
        }
        for address in envelope.rcpt_tos:
            MAILS.setdefault(address, []).append(mail)
        return "250 taken"


def context(name):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(f"{DIRECTORY}/{name}.pem", f"{DIRECTORY}/{name}.key")
    return made


async def mails(request):
    return web.json_response(MAILS.get(request.query["to"], []))


async def main():
    loop = asyncio.get_running_loop()
    secured = dict(auth_required=True, authenticator=authenticate)
    ports = {}
    servers = []  # kept alive
    for name, tls, options in [
        ("plain", None, {}),
        ("starttls", None, dict(tls_context=context("server"), require_starttls=True, **secured)),
        ("wrong", None, dict(tls_context=context("wrong"), require_starttls=True, **secured)),
        ("tls", context("server"), dict(auth_require_tls=False, **secured)),
    ]:
        make = lambda options=options: SMTP(Handler(), hostname="tests.example", loop=loop, **options)
        server = await loop.create_server(make, "127.0.0.1", 0, ssl=tls)
        servers.append(server)
        ports[name] = server.sockets[0].getsockname()[1]
    application = web.Application()
    application.router.add_get("/mails", mails)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    ports["http"] = site._server.sockets[0].getsockname()[1]
    print(" ".join(f"{name}={port}" for name, port in ports.items()), flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    # The tests are over: whatever is still open may break.
    shutil.rmtree(DIRECTORY)
    os._exit(0)


asyncio.run(main())

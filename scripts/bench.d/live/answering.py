"""What the clients in Python have in common: the address, the certificate to trust, and the handler with its answer."""

import os
import ssl
import sys

import orjson

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from handlers import handlers  # noqa: E402

url = os.environ["BENCH_URL"]
context = None
if url.startswith("wss:"):
    context = ssl.create_default_context(cafile=os.environ["BENCH_CA"])

handle = handlers[sys.argv[1]]()


def received(text):
    """Handles a message; gives the answer if it wants one."""
    message = orjson.loads(text)
    handle(message)
    stamp = message.get("stamp")
    return None if stamp is None else orjson.dumps({"stamp": stamp})

"""A broker that refuses each subscription to a topic that begins with "closed", and has one message for each other.

usage: refusing_broker.py

Prints "ready port=PORT", and ends with its input. It knows what the test needs of MQTT 3.1.1 only.
"""

import asyncio
import os
import sys


async def packet(reader):
    kind = (await reader.readexactly(1))[0]
    length = shift = 0
    while True:
        byte = (await reader.readexactly(1))[0]
        length |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return kind, await reader.readexactly(length)


async def serve(reader, writer):
    try:
        while True:
            kind, body = await packet(reader)
            if kind >> 4 == 1:
                writer.write(b"\x20\x02\x00\x00")
            elif kind >> 4 == 8:
                topic = body[4 : 4 + int.from_bytes(body[2:4], "big")]
                is_closed = topic.startswith(b"closed")
                writer.write(b"\x90\x03" + body[:2] + (b"\x80" if is_closed else b"\x00"))
                if not is_closed:
                    message = len(topic).to_bytes(2, "big") + topic + b'{"n":1}'
                    writer.write(bytes([0x30, len(message)]) + message)
            elif kind >> 4 == 14:
                writer.close()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(f"ready port={server.sockets[0].getsockname()[1]}", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    os._exit(0)


asyncio.run(main())

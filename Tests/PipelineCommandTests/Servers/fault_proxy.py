"""A WebSocket feed behind a proxy that breaks connections in every way, from seeds.

usage: fault_proxy.py DIRECTORY FIRST_SEED SEEDS CONNECTIONS

Prints "proxy=PORT feed=PORT". A source connects to ws://127.0.0.1:PORT/feed?seed=N with its own seed. Each of its first
CONNECTIONS connections gets a plan drawn from the seed and the connection's number; the next one is left alone, gets one
message, which says that it is the last, and stays open. Prints "warm" once every seed is at its third connection, "done" once all have got to the end, and runs until its input
ends.

The messages are {"seed": N, "id": CONNECTION * 10000 + NUMBER, …}, in random sizes, compressed or not, whole or in
fragments. DIRECTORY/log gets a line for each connection of the first CONNECTIONS of a seed, when it is over:

    SEED CONNECTION PLAN ENDING BEGUN ENDED IDS…

where ENDING is "whole" if everything that the proxy passed on was there for the client before its end (then all of IDS
must have been handled), "broken" if something may have been lost on the way, as in a reset, or when the client had given
up by then (then a beginning of them); BEGUN and ENDED are milliseconds; IDS are the messages that were passed on completely, in that order.
"""

import asyncio
import collections
import json
import os
import random
import re
import socket
import struct
import sys
import time

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

DIRECTORY, FIRST, SEEDS, CONNECTIONS = sys.argv[1], *map(int, sys.argv[2:5])
PLANS = ["none", "latency", "bytes", "cut", "reset", "half_close", "stall", "mute", "duplicate", "reorder"]
COUNTS = collections.Counter()
WARM, DONE = set(), set()
FEED = [0]


def now():
    return int(time.monotonic() * 1000)


# The feed.


async def feed(connection):
    seed, number = int(connection.request.headers["X-Seed"]), int(connection.request.headers["X-Connection"])
    chance = random.Random(f"feed {seed} {number}")
    try:
        if number > CONNECTIONS:
            await connection.send(json.dumps({"seed": seed, "id": number * 10_000 + 1, "last": True}))
            await connection.wait_closed()
            return
        for count in range(1, chance.randint(1, 40) + 1):
            text = json.dumps({"seed": seed, "id": number * 10_000 + count, "pad": "é" * chance.choice([0, 3, 200, 3000])})
            if chance.random() < 0.2:
                cuts = sorted(chance.sample(range(len(text)), 3))
                await connection.send([text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)])])
            else:
                await connection.send(text)
            if chance.random() < 0.1:
                await connection.ping()
            if chance.random() < 0.1:
                await asyncio.sleep(chance.random() * 0.02)
        await connection.close(chance.choice([1000, 1001, 1011, 1012, 1013, 4000]), "for now")
    except ConnectionClosed:
        pass


# The proxy.


class Frames:
    """Cuts what a server sends into frames; the answer to the upgrade is the first one."""

    def __init__(self):
        self.waiting = b""
        self.in_head = True

    def take(self, data):
        self.waiting += data
        while size := self.size():
            frame, self.waiting = self.waiting[:size], self.waiting[size:]
            yield frame

    def size(self):
        if self.in_head:
            end = self.waiting.find(b"\r\n\r\n")
            self.in_head = end < 0
            return end + 4 if end >= 0 else 0
        if len(self.waiting) < 2:
            return 0
        length, start = self.waiting[1] & 127, 2
        if length > 125:
            start = 4 if length == 126 else 10
            if len(self.waiting) < start:
                return 0
            length = int.from_bytes(self.waiting[2:start], "big")
        return start + length if len(self.waiting) >= start + length else 0


def is_last_of_message(frame):
    return frame[0] & 0x80 and frame[0] & 0x0F < 8


class Connection:
    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.frames = Frames()
        self.ids = []
        self.has_passed_head = False
        self.ending = "broken"
        self.passed_on = 0

    async def run(self):
        self.begun = now()
        head = await self.reader.readuntil(b"\r\n\r\n")
        self.seed = int(re.search(rb"seed=(\d+)", head)[1])
        COUNTS[self.seed] += 1
        self.number = COUNTS[self.seed]
        self.chance = random.Random(f"proxy {self.seed} {self.number}")
        self.plan = "none" if self.number > CONNECTIONS else self.chance.choice(PLANS)
        self.bound = self.chance.choice([0, 50, 200, 1000, 5000, 20_000])
        self.bound = self.chance.randint(0, self.bound)
        if self.plan in ("duplicate", "reorder"):
            # Compressed messages refer to earlier ones: out of their order they mean nothing.
            head = re.sub(rb"(?i)sec-websocket-extensions:[^\r]*\r\n", b"", head)
        if self.number == 3:
            WARM.add(self.seed)
            if len(WARM) == SEEDS:
                print("warm", flush=True)
        if self.number > CONNECTIONS:
            DONE.add(self.seed)
            if len(DONE) == SEEDS:
                print("done", flush=True)
        head = head[:-2] + f"X-Seed: {self.seed}\r\nX-Connection: {self.number}\r\n\r\n".encode()
        try:
            if self.plan == "mute":
                await self.reader.read()
                return
            await self.carry(head)
        except (OSError, asyncio.IncompleteReadError):
            self.ending = "broken"
        finally:
            self.writer.close()
            if self.number <= CONNECTIONS:
                words = [self.seed, self.number, self.plan, self.ending, self.begun, now(), *self.ids]
                LOG.write(" ".join(map(str, words)) + "\n")
                LOG.flush()

    async def carry(self, head):
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", FEED[0])
        up_writer.write(head)
        back = asyncio.create_task(self.carry_back(up_writer))
        try:
            if self.plan in ("duplicate", "reorder"):
                await self.carry_messages(up_reader)
            elif await self.carry_bytes(up_reader) == "cut":
                if self.plan == "reset":
                    linger = struct.pack("ii", 1, 0)
                    self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    self.writer.transport.abort()
                    return
                if self.plan == "cut":
                    return
                if self.plan == "stall":
                    # The client finds out by itself, having read everything.
                    return await self.see_client_off(back)
            await self.writer.drain()
            self.passed_on = now()
            self.writer.write_eof()
            await self.see_client_off(back)
        finally:
            back.cancel()
            up_writer.close()

    async def see_client_off(self, back):
        """Waits for the client's end, and judges whether it can have missed anything."""
        had_ended = back.done()
        await back
        # A client whose patience is at its end, which takes a second, may leave at the moment when something comes.
        if not had_ended and (now() - self.passed_on >= 200 or now() - self.begun < 900):
            self.ending = "whole"

    async def carry_back(self, up_writer):
        try:
            while data := await self.reader.read(65536):
                up_writer.write(data)
        except ConnectionError:
            pass
        if not up_writer.is_closing():
            up_writer.write_eof()

    async def pass_on(self, data):
        self.writer.write(data)
        await self.writer.drain()
        self.passed_on = now()
        for frame in self.frames.take(data):
            if not self.has_passed_head:
                self.has_passed_head = True
            elif is_last_of_message(frame):
                self.ids.append(self.number * 10_000 + len(self.ids) + 1)

    async def carry_bytes(self, up_reader):
        """Passes bytes on up to the bound of the plan; "cut" if it was reached."""
        left = self.bound if self.plan in ("cut", "reset", "half_close", "stall") else None
        while data := await up_reader.read(1500):
            if left is not None and len(data) >= left:
                await self.pass_on(data[:left])
                return "cut"
            if left is not None:
                left -= len(data)
            if self.plan == "latency":
                await asyncio.sleep(self.chance.random() * 0.02)
            if self.plan != "bytes":
                await self.pass_on(data)
                continue
            # The first bytes by themselves, since thousands take long.
            for byte in data[:300]:
                await self.pass_on(bytes([byte]))
                await asyncio.sleep(0)
            await self.pass_on(data[300:])
        return "end"

    async def carry_messages(self, up_reader):
        """Passes frames on, messages twice or before their predecessor now and then."""
        held = None
        frames = Frames()
        message = []

        async def send(frames, identifier):
            self.writer.write(b"".join(frames))
            self.ids.append(identifier)
            await self.writer.drain()

        number = 0
        is_head = True
        while data := await up_reader.read(65536):
            for frame in frames.take(data):
                if is_head or frame[0] & 0x0F >= 8:
                    is_head = False
                    if held and frame[0] & 0x0F == 8:
                        await send(*held)
                        held = None
                    self.writer.write(frame)
                    continue
                message.append(frame)
                if not is_last_of_message(frame):
                    continue
                number += 1
                whole, message = (message, self.number * 10_000 + number), []
                if held:
                    await send(*whole)
                    await send(*held)
                    held = None
                elif self.chance.random() < 0.2:
                    if self.plan == "reorder":
                        held = whole
                        continue
                    await send(*whole)
                    await send(*whole)
                else:
                    await send(*whole)


async def serve_client(reader, writer):
    writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        await Connection(reader, writer).run()
    except (OSError, asyncio.IncompleteReadError):
        pass


LOG = open(f"{DIRECTORY}/log", "w")


async def main():
    upstream = await serve(feed, "127.0.0.1", 0, ping_interval=None, close_timeout=5)
    FEED[0] = upstream.sockets[0].getsockname()[1]
    server = await asyncio.start_server(serve_client, "127.0.0.1", 0, backlog=1000)
    print(f"proxy={server.sockets[0].getsockname()[1]} feed={FEED[0]}", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    os._exit(0)


asyncio.run(main())

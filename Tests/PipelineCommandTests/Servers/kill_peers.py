"""The feeds that kill_loop.py serves, and the receiver of the alerts."""

import asyncio
import json
import random
from urllib.parse import parse_qs, urlsplit

from aiohttp import web
from websockets.exceptions import ConnectionClosed


class RecordedFeed:
    """The same messages for everybody, behind a position."""

    position = 'position = "seq", first_position = "0",'

    def __init__(self, keys, messages, seed):
        self.keys, self.seed = keys, seed
        chance = random.Random(seed)
        prices = [95.0] * keys
        self.messages = []
        for seq in range(1, messages + 1):
            key = seq % keys
            prices[key] += chance.uniform(-3, 3) + (97 - prices[key]) * 0.05
            message = {"seq": seq, "symbol": f"S{key}", "price": f"{prices[key]:.2f}"}
            if seq > messages - keys:
                message["end"] = True
            self.messages.append(json.dumps(message))
        self.drops = []
        self.sent = 0
        self.progress = asyncio.Condition()
        self.is_over = asyncio.Event()  # while everything was sent to a connection
        self.is_mute = asyncio.Event()  # once a client answered no pings any more

    async def handle(self, connection):
        position = int(parse_qs(urlsplit(connection.request.path).query)["from"][0])
        self.is_over.clear()
        try:
            while position < len(self.messages):
                await connection.send(self.messages[position])
                position += 1
                await self.note()
                if self.drops and position >= self.drops[0][0]:
                    how = self.drops.pop(0)[1]
                    if how == "cut":
                        connection.transport.abort()
                    else:
                        await connection.close(1012, "restarting")
                    return
                if position % 50 == 0:
                    await asyncio.sleep(0.001)
            self.is_over.set()
            await connection.wait_closed()
        except ConnectionClosed:
            pass
        finally:
            sent = connection.protocol.close_sent
            if sent is not None and sent.reason == "keepalive ping timeout":
                self.is_mute.set()

    async def note(self):
        async with self.progress:
            self.sent += 1
            self.progress.notify_all()

    async def wait_for_more(self, count):
        goal = self.sent + count
        async with self.progress:
            await self.progress.wait_for(lambda: self.sent >= goal)


class LiveFeed(RecordedFeed):
    """What is sent while nobody listens is missed. Every tenth key changes sides, but only then."""

    position = ""

    def __init__(self, keys, messages, seed):
        super().__init__(keys, messages, seed)
        self.seq = 0
        self.connections = 0
        self.is_ending = False

    async def handle(self, connection):
        self.connections += 1
        self.seq += random.Random(self.seed + self.connections).randrange(1, self.keys * 3)
        # At the end each key gets two more messages: one for a timer that it may lack, and its last.
        rest = 2 * self.keys
        try:
            while rest > 0:
                self.seq += 1
                key = self.seq % self.keys
                is_high = self.connections % 2 == 0 if key % 10 == 0 else key % 2 == 0
                message = {"seq": self.seq, "symbol": f"S{key}", "price": "120.5" if is_high else "80.5"}
                if self.is_ending:
                    rest -= 1
                    if rest < self.keys:
                        message["end"] = True
                await connection.send(json.dumps(message))
                await self.note()
                if self.seq % 50 == 0:
                    await asyncio.sleep(0.001)
            await connection.wait_closed()
        except ConnectionClosed:
            pass


class Sink:
    """Logs what the webhook gets, for each run."""

    def __init__(self):
        self.alerts = {}  # by run
        self.wrong = []
        self.changed = asyncio.Condition()

    async def handle(self, request):
        try:
            alert = await request.json()
        except ValueError as error:
            self.wrong.append(f"a request is no JSON: {error}")
            return web.Response(status=400)
        if request.headers.get("Idempotency-Key") != alert["id"]:
            self.wrong.append("the header Idempotency-Key is not the alert's id")
        async with self.changed:
            self.alerts.setdefault(request.match_info["run"], []).append(alert)
            self.changed.notify_all()
        return web.Response()

    async def wait_for_more(self, run, count):
        async with self.changed:
            goal = len(self.alerts.get(run, [])) + count
            await self.changed.wait_for(lambda: len(self.alerts.get(run, [])) >= goal)

    def ended(self, run):
        return len({(a["name"], a["key"]) for a in self.alerts.get(run, []) if a["name"] in ("end", "timed")})

    async def wait(self, run, ended, process, limit):
        """Waits until each key has told its end and its timer, or the process is over."""
        async def over():
            await process.wait()
            async with self.changed:
                self.changed.notify_all()
        watcher = asyncio.create_task(over())
        try:
            async with asyncio.timeout(limit), self.changed:
                await self.changed.wait_for(
                    lambda: self.ended(run) >= ended or process.returncode is not None)
        finally:
            watcher.cancel()
        return self.ended(run) >= ended

"""Kills the program again and again while it follows a feed, and compares what came of it with a quiet run.

usage: kill_loop.py PROGRAM FOLDER KILLS SEED [--tls]

A local WebSocket server gives the same recorded messages to everybody and resumes behind the position in the
address. The quiet run meets two lost connections, one cut off and one closed with 1012. Then the same feed is
followed once more with so many kill -9 at random places. The seed decides the recording and the places. Prints one
line of JSON; nothing waits for time alone.
"""

import asyncio
import json
import os
import random
import signal
import ssl
import subprocess
import sys
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

PROGRAM, FOLDER, KILLS, SEED = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
TLS = "--tls" in sys.argv
KEYS, MESSAGES = 20, 4000
LIMIT = 60  # seconds for one run, as a bound and not as a wait

SCRIPT = """
local M = {}
M.key = "symbol"
M.state = { count = 0, last = 0, gaps = 0, sum = 0.0 }
local over = alert.rule { name = "over", crosses_above = 100, clear_below = 95,
  text = function(price) return ("at %.2f"):format(price) end }
M.on = {}
function M.on.price(state, m, ctx)
  if state.last ~= 0 and m.seq ~= state.last + KEYS then state.gaps = state.gaps + 1 end
  state.last = m.seq
  state.count = state.count + 1
  state.sum = state.sum + num(m.price)
  over:check(num(m.price))
  if m["end"] then
    alert.send { name = "end", text = json.encode { count = state.count, gaps = state.gaps, sum = state.sum } }
  end
end
return M
""".replace("KEYS", str(KEYS))

CONFIG = """
return {
  sources = { feed = source.websocket {
    url = "%s/feed?from={position}", position = "seq", first_position = "0",
    reconnect = { first = "10ms", cap = "50ms" }, %s
  } },
  scripts = { watch = { file = "watch.lua", from = { price = "feed" } } },
  channels = { screen = channel.console {}, sink = channel.file { path = "alerts.ndjson" } },
  storage = storage.sqlite { file = "state.db" },
}
"""


def recording():
    chance = random.Random(SEED)
    prices = [95.0] * KEYS
    messages = []
    for seq in range(1, MESSAGES + 1):
        key = seq % KEYS
        prices[key] += chance.uniform(-3, 3) + (97 - prices[key]) * 0.05
        message = {"seq": seq, "symbol": f"S{key}", "price": f"{prices[key]:.2f}"}
        if seq > MESSAGES - KEYS:
            message["end"] = True
        messages.append(json.dumps(message))
    return messages


class Feed:
    def __init__(self):
        self.messages = recording()
        self.drops = []
        self.sent = 0
        self.progress = asyncio.Condition()

    async def handle(self, connection):
        query = parse_qs(urlsplit(connection.request.path).query)
        position = int(query["from"][0])
        try:
            while position < len(self.messages):
                await connection.send(self.messages[position])
                position += 1
                async with self.progress:
                    self.sent += 1
                    self.progress.notify_all()
                if self.drops and position >= self.drops[0][0]:
                    how = self.drops.pop(0)[1]
                    if how == "cut":
                        connection.transport.abort()
                    else:
                        await connection.close(1012, "restarting")
                    return
                if position % 50 == 0:
                    await asyncio.sleep(0.001)
            await connection.wait_closed()
        except ConnectionClosed:
            pass

    async def wait_for_more(self, count):
        goal = self.sent + count
        async with self.progress:
            await self.progress.wait_for(lambda: self.sent >= goal)


def alerts(folder):
    path = os.path.join(folder, "alerts.ndjson")
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [json.loads(line) for line in file if line.endswith("\n")]


def prepare(name, url, options):
    folder = os.path.join(FOLDER, name)
    os.mkdir(folder)
    for file, text in (("watch.lua", SCRIPT), ("config.lua", CONFIG % (url, options))):
        with open(os.path.join(folder, file), "w") as out:
            out.write(text)
    return folder


class Run:
    """One run of the program, to be left only when its process has ended."""

    def __init__(self, folder, ended):
        self.folder = folder
        self.ended = ended  # the keys that have told their state, in this run or in an earlier one

    async def __aenter__(self):
        with open(self.log, "a") as log:
            self.process = await asyncio.create_subprocess_exec(
                PROGRAM, "run", os.path.join(self.folder, "config.lua"), "--format", "json",
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log)
        self.changed = asyncio.Condition()
        self.reader = asyncio.create_task(self.read())
        return self

    async def __aexit__(self, *_):
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()
        await self.reader

    @property
    def log(self):
        return os.path.join(self.folder, "log")

    async def read(self):
        # What was written before a kill is there to be read after it.
        async for line in self.process.stdout:
            if line.endswith(b"\n") and (alert := json.loads(line))["name"] == "end":
                self.ended.add(alert["key"])
                await self.wake()
        await self.wake()

    async def wake(self):
        async with self.changed:
            self.changed.notify_all()

    async def finish(self):
        """Lets it run to the end of the feed: until each key has told its state."""
        async with asyncio.timeout(LIMIT), self.changed:
            await self.changed.wait_for(lambda: len(self.ended) == KEYS or self.process.stdout.at_eof())
        if len(self.ended) < KEYS:
            with open(self.log) as log:
                raise SystemExit(f"the program ended with {await self.process.wait()}: {log.read()[-2000:]}")
        # The file may be behind the console; a clean stop sees to what is left.
        self.process.send_signal(signal.SIGTERM)
        return await self.process.wait()


def summary(folder):
    by_id, conflicts = {}, 0
    for alert in alerts(folder):
        known = by_id.setdefault(alert["id"], alert)
        conflicts += known["text"] != alert["text"] or known["key"] != alert["key"]
    states = {a["key"]: a["text"] for a in by_id.values() if a["name"] == "end"}
    return by_id, states, conflicts


async def main():
    feed = Feed()
    context, scheme, options = None, "ws", ""
    if TLS:
        key, certificate = os.path.join(FOLDER, "key.pem"), os.path.join(FOLDER, "certificate.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        scheme, options = "wss", f'ca_file = "{certificate}"'
    async with serve(feed.handle, "127.0.0.1", 0, ssl=context, compression=None) as server:
        url = f"{scheme}://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        quiet = prepare("quiet", url, options)
        feed.drops = [(MESSAGES // 3, "cut"), (2 * MESSAGES // 3, "close")]
        async with Run(quiet, set()) as run:
            status = await run.finish()
        expected, states, conflicts = summary(quiet)
        result = {"status": status, "alerts": len(expected), "states": len(states), "drops_left": len(feed.drops),
                  "gaps": sum(json.loads(text)["gaps"] for text in states.values()),
                  "messages": sum(json.loads(text)["count"] for text in states.values())}
        if KILLS > 0:
            chance = random.Random(SEED + 1)
            killed = prepare("killed", url, options)
            ended = set()
            for _ in range(KILLS):
                # All goals together are less than the recording, so there is always more to come.
                async with asyncio.timeout(LIMIT), Run(killed, ended):
                    await feed.wait_for_more(chance.randrange(1, MESSAGES // KILLS))
            async with Run(killed, ended) as run:
                result["status"] = result["status"] or await run.finish()
            found, found_states, found_conflicts = summary(killed)
            result |= {"kills": KILLS, "lost": len(expected.keys() - found.keys()),
                       "unknown": len(found.keys() - expected.keys()),
                       "conflicts": conflicts + found_conflicts, "states_equal": states == found_states,
                       "repeats": len(alerts(killed)) - len(found)}
        print(json.dumps(result, sort_keys=True))


asyncio.run(main())

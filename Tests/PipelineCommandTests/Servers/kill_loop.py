"""Kills the program again and again while it follows a feed, and compares what came of it with a quiet run.

usage: kill_loop.py PROGRAM FOLDER --kills N --seed N [--keys N] [--messages N] [--feed resume|live] [--tls]
                    [--stop SECONDS]

A local WebSocket server gives prices of many keys; alerts go to a local HTTP server as well as into a file. The seed
decides the prices and the places of the kills.

resume: everybody gets the same messages, from behind the position in the address on. The quiet run meets two lost
connections, one cut off and one closed with 1012. Then the same feed is followed once more with so many kill -9. At
the end both runs must have delivered the same alerts, repeats only under their ids, have the same state of each key,
and have left no file torn.

live: the server has no position, so what it sends meanwhile is missed. Prices of some keys change sides only while
nobody listens: these must be told as having happened while the program was down; no other alert may come of a restart.

With --stop the feed resume is followed once more by a program that is stopped so long, by SIGSTOP: the server notices
that its pings are not answered, and gives the connection up. The run must end as the quiet one did.

Prints one line of JSON, and on standard error what is wrong; ends with 1 then. Nothing waits for time alone, but for
kills during the start.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import sqlite3
import ssl
import subprocess
import sys

from aiohttp import web
from websockets.asyncio.server import serve

from kill_peers import LiveFeed, RecordedFeed, Sink

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("folder")
parser.add_argument("--kills", type=int, required=True)
parser.add_argument("--seed", type=int, required=True)
parser.add_argument("--keys", type=int, default=20)
parser.add_argument("--messages", type=int, default=4000)
parser.add_argument("--feed", choices=["resume", "live"], default="resume")
parser.add_argument("--tls", action="store_true")
parser.add_argument("--stop", type=int, default=0)
OPTIONS = parser.parse_args()
KEYS, MESSAGES, SEED = OPTIONS.keys, OPTIONS.messages, OPTIONS.seed
LIMIT = 120  # seconds for one run, as a bound and not as a wait
LEVEL = 100

# Each key sets one timer in its life, which has to come once, whatever happens in between. Marks lead to commits now and
# then, so that kills meet the program before, within and behind them.
SCRIPT = """
local M = {}
M.key = "symbol"
M.state = { count = 0, last = 0, gaps = 0, sum = 0.0, timed = 0 }
local over = alert.rule { name = "over", crosses_above = LEVEL, clear_below = LEVEL - 5,
  text = function(price) return ("at %.2f"):format(price) end }
M.on = {}
function M.on.price(state, m, ctx)
  if state.last ~= 0 and m.seq ~= state.last + KEYS then state.gaps = state.gaps + 1 end
  state.last = m.seq
  state.count = state.count + 1
  state.sum = state.sum + num(m.price)
  over:check(num(m.price))
  if state.count == 2 then effect.after("40ms", "timed", { seq = m.seq }) end
  if m.seq % 97 == 0 then alert.send { name = "mark", text = "seq " .. m.seq } end
  if m["end"] then alert.send { name = "end", text = "seq " .. m.seq } end
end
M.actions = {}
function M.actions.timed(state, payload)
  state.timed = state.timed + 1
  alert.send { name = "timed", text = "set at " .. payload.seq }
end
return M
""".replace("KEYS", str(KEYS)).replace("LEVEL", str(LEVEL))

CONFIG = """
return {
  sources = { feed = source.websocket {
    url = "%(feed)s", %(position)s
    reconnect = { first = "10ms", cap = "50ms" }, %(options)s
  } },
  scripts = { watch = { file = "watch.lua", from = { price = "feed" } } },
  channels = {
    hook = channel.webhook { url = "%(hook)s" },
    file = channel.file { path = "alerts.ndjson" },
  },
  storage = storage.sqlite { file = "state.db" },
}
"""


class Run:
    """A folder with a configuration, and its program, started again and again."""

    def __init__(self, name, feed, hook, options, sink, position):
        self.name, self.sink = name, sink
        self.folder = os.path.join(OPTIONS.folder, name)
        os.mkdir(self.folder)
        fill = {"feed": feed, "hook": f"{hook}/{name}", "options": options, "position": position}
        for file, text in (("watch.lua", SCRIPT), ("config.lua", CONFIG % fill)):
            with open(self.path(file), "w") as out:
                out.write(text)

    def path(self, file):
        return os.path.join(self.folder, file)

    async def start(self):
        with open(self.path("log"), "a") as log:
            self.process = await asyncio.create_subprocess_exec(
                OPTIONS.program, "run", self.path("config.lua"),
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log)

    async def kill(self):
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()

    async def finish(self, stopping=None):
        """Lets it run to the end of the feed, and ends it cleanly; an end may leave alerts for the next start."""
        await self.start()
        try:
            if stopping is not None:
                await stopping(self.process)
            if not await self.sink.wait(self.name, 2 * KEYS, self.process, LIMIT):
                with open(self.path("log")) as log:
                    raise SystemExit(f"the program ended with {self.process.returncode}: {log.read()[-2000:]}")
            self.process.send_signal(signal.SIGTERM)
            async with asyncio.timeout(LIMIT):
                status = await self.process.wait()
            for _ in range(10):
                if status != 0 or self.waiting() == 0:
                    break
                await self.start()
                async with asyncio.timeout(LIMIT):
                    while self.waiting() > 0 and self.process.returncode is None:
                        await asyncio.sleep(0.05)
                    self.process.send_signal(signal.SIGTERM)
                    status = await self.process.wait()
            return status
        finally:
            await self.kill()

    def read(self, query):
        database = sqlite3.connect(f"file:{self.path('state.db')}?mode=ro", uri=True, timeout=10)
        try:
            return database.execute(query).fetchall()
        finally:
            database.close()

    def waiting(self):
        return self.read("SELECT count(*) FROM delivery WHERE outcome = 0")[0][0]

    def states(self):
        lines = subprocess.run(
            [OPTIONS.program, "state", self.path("config.lua"), "--format", "json"],
            check=True, capture_output=True, text=True, timeout=LIMIT).stdout.splitlines()
        return {line["key"]: line["state"] for line in map(json.loads, lines)}

    def damage(self):
        """What is torn or was put aside."""
        found = [f"{name} was put aside" for name in os.listdir(self.folder)
                 if name.startswith("state.db") and name not in ("state.db", "state.db-wal", "state.db-shm",
                                                                 "state.db.lock", "state.db-lock")]
        check = self.read("PRAGMA integrity_check")
        if check != [("ok",)]:
            found.append(f"the storage is damaged: {check[:3]}")
        with open(self.path("alerts.ndjson"), "rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    json.loads(line)
                except ValueError:
                    found.append(f"line {number} of alerts.ndjson is torn: {line[:80]}")
        return found

    def by_id(self):
        """The alerts by their ids, how often one came again, and which ids came with different alerts."""
        alerts, conflicts = {}, 0
        everything = self.sink.alerts.get(self.name, [])
        for alert in everything:
            known = alerts.setdefault(alert["id"], alert)
            conflicts += any(known[part] != alert[part] for part in ("name", "key", "kind", "text"))
        return alerts, len(everything) - len(alerts), conflicts


async def kill_again_and_again(run, feed, result):
    chance = random.Random(SEED + 1)
    most = max(2, MESSAGES // max(OPTIONS.kills, 1))
    result["kills"] = 0
    for _ in range(OPTIONS.kills):
        kind = chance.random()
        if kind < 0.15:
            # Somewhere in the start, the restoring or the connecting.
            goal = asyncio.sleep(chance.random() * 0.08)
        elif kind < 0.5:
            # Between what the receiver has and what the program knows of it.
            goal = run.sink.wait_for_more(run.name, chance.randrange(1, 4))
        else:
            goal = feed.wait_for_more(chance.randrange(1, most))
        await run.start()
        try:
            ends = [asyncio.create_task(goal), asyncio.create_task(feed.is_over.wait())]
            async with asyncio.timeout(LIMIT):
                await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for end in ends:
                end.cancel()
        finally:
            await run.kill()
            feed.is_over.clear()
        result["kills"] += 1


async def follow_stopped(make, feed, expected, states, result, wrong):
    async def stop(process):
        """Stops the process for long, somewhere in the feed."""
        async with asyncio.timeout(LIMIT):
            await feed.wait_for_more(MESSAGES // 2)
        feed.is_mute.clear()
        process.send_signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(OPTIONS.stop)
            result["noticed"] = feed.is_mute.is_set()
        finally:
            process.send_signal(signal.SIGCONT)

    stopped = make("stopped", feed.position)
    result["status"] = result["status"] or await stopped.finish(stop)
    found, repeats, conflicts = stopped.by_id()
    result |= {"stopped_lost": len(expected.keys() - found.keys()), "stopped_repeats": repeats,
               "stopped_unknown": len(found.keys() - expected.keys()) + conflicts,
               "stopped_states_equal": states == stopped.states()}
    wrong += stopped.damage()
    judge(result, wrong, status=0, noticed=True, stopped_lost=0, stopped_unknown=0, stopped_states_equal=True)


def judge(result, wrong, **expectations):
    for name, expected in expectations.items():
        if result[name] != expected:
            wrong.append(f"{name} is {result[name]} and not {expected}")


async def follow_recording(make, feed, result, wrong):
    quiet = make("quiet", feed.position)
    feed.drops = [(MESSAGES // 3, "cut"), (2 * MESSAGES // 3, "close")]
    result["status"] = await quiet.finish()
    expected, _, conflicts = quiet.by_id()
    states = quiet.states()
    result |= {"alerts": len(expected), "states": len(states), "drops_left": len(feed.drops),
               "gaps": sum(state["gaps"] for state in states.values()),
               "messages": sum(state["count"] for state in states.values())}
    wrong += quiet.damage()
    judge(result, wrong, status=0, states=KEYS, drops_left=0, gaps=0, messages=MESSAGES)
    if OPTIONS.stop:
        await follow_stopped(make, feed, expected, states, result, wrong)
    if OPTIONS.kills == 0:
        return
    killed = make("killed", feed.position)
    await kill_again_and_again(killed, feed, result)
    result["status"] = result["status"] or await killed.finish()
    found, repeats, more_conflicts = killed.by_id()
    result |= {"lost": len(expected.keys() - found.keys()), "unknown": len(found.keys() - expected.keys()),
               "conflicts": conflicts + more_conflicts, "states_equal": states == killed.states(),
               "repeats": repeats}
    wrong += killed.damage()
    judge(result, wrong, status=0, kills=OPTIONS.kills, lost=0, unknown=0, conflicts=0, states_equal=True)
    for id in list(found.keys() - expected.keys())[:3]:
        wrong.append(f"nobody expected {found[id]}")
    for id in list(expected.keys() - found.keys())[:3]:
        wrong.append(f"{expected[id]} is missing")


async def follow_live(make, feed, result, wrong):
    killed = make("killed", feed.position)
    await kill_again_and_again(killed, feed, result)
    feed.is_ending = True
    result["status"] = await killed.finish()
    found, repeats, conflicts = killed.by_id()
    states = killed.states()
    changes = [a for a in found.values() if a["name"] == "over"]
    moving = [a for a in changes if int(a["key"][1:]) % 10 == 0]
    result |= {
        "alerts": len(found), "states": len(states), "repeats": repeats, "conflicts": conflicts,
        # Told by the script, which counts the numbers that it misses.
        "gaps": sum(state["gaps"] for state in states.values()),
        "changes": len(moving), "false": len(changes) - len(moving),
        "untold": sum("while the program was down" not in a["text"]
                      and "across a gap in the data" not in a["text"] for a in moving),
        "timers": sum(state["timed"] for state in states.values())}
    wrong += killed.damage()
    judge(result, wrong, status=0, kills=OPTIONS.kills, states=KEYS, conflicts=0, false=0, untold=0, timers=KEYS)
    if result["gaps"] == 0 or result["changes"] == 0:
        wrong.append("the feed had no gap that anything came of")
    for alert in changes:
        if alert not in moving:
            wrong.append(f"a restart alone led to {alert}")
            break


async def main():
    feed = (RecordedFeed if OPTIONS.feed == "resume" else LiveFeed)(KEYS, MESSAGES, SEED)
    context, scheme, options = None, "ws", ""
    if OPTIONS.tls:
        key, certificate = (os.path.join(OPTIONS.folder, name) for name in ("key.pem", "certificate.pem"))
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        scheme, options = "wss", f'ca_file = "{certificate}"'
    sink = Sink()
    app = web.Application()
    app.router.add_post("/{run}", sink.handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    hook = f"http://127.0.0.1:{runner.addresses[0][1]}"
    result, wrong = {"feed": OPTIONS.feed}, sink.wrong
    # Only who is stopped for long leaves pings unanswered.
    pings = {"ping_interval": 2, "ping_timeout": 10} if OPTIONS.stop else {}
    async with serve(feed.handle, "127.0.0.1", 0, ssl=context, compression=None, **pings) as server:
        url = f"{scheme}://127.0.0.1:{server.sockets[0].getsockname()[1]}/feed"
        if OPTIONS.feed == "resume":
            url += "?from={position}"
        make = lambda name, position: Run(name, url, hook, options, sink, position)
        follow = follow_recording if OPTIONS.feed == "resume" else follow_live
        await follow(make, feed, result, wrong)
    await runner.cleanup()
    print(json.dumps(result, sort_keys=True))
    for sentence in wrong[:20]:
        print(sentence, file=sys.stderr)
    sys.exit(1 if wrong else 0)


asyncio.run(main())

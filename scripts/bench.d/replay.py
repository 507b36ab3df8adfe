"""Hands a recording to a handler: replay.py price|trade RECORDING"""

import sys

import orjson

from handlers import handlers


def main():
    handle = handlers[sys.argv[1]]()
    loads = orjson.loads
    with open(sys.argv[2], "rb") as recording:
        for line in recording:
            handle(loads(line))


main()

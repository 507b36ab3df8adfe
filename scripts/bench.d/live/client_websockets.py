"""websockets with orjson and uvloop: client_websockets.py price|trade"""

import uvloop
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from answering import context, received, url


async def main():
    async with connect(url, ssl=context, compression=None, max_size=None) as socket:
        try:
            while True:
                # Bytes spare a text that the decoder would turn back into bytes.
                answer = received(await socket.recv(decode=False))
                if answer is not None:
                    await socket.send(answer, text=True)
        except ConnectionClosed:
            pass


uvloop.run(main())

"""aiohttp with orjson and uvloop: client_aiohttp.py price|trade"""

import aiohttp
import uvloop

from answering import context, received, url


async def main():
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(url, ssl=context or True, compress=0, max_msg_size=0) as socket:
            async for message in socket:
                if message.type == aiohttp.WSMsgType.TEXT:
                    answer = received(message.data)
                    if answer is not None:
                        await socket.send_str(answer.decode())


uvloop.run(main())

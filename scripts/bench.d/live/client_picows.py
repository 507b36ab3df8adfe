"""picows with orjson and uvloop: client_picows.py price|trade"""

import uvloop
from picows import WSListener, WSMsgType, ws_connect

from answering import context, received, url


class Client(WSListener):
    def on_ws_frame(self, transport, frame):
        if frame.msg_type == WSMsgType.TEXT:
            answer = received(frame.get_payload_as_memoryview())
            if answer is not None:
                transport.send(WSMsgType.TEXT, answer)
        elif frame.msg_type == WSMsgType.PING:
            transport.send_pong(frame.get_payload_as_bytes())


async def main():
    transport, _ = await ws_connect(Client, url, ssl_context=context)
    await transport.wait_disconnected()


uvloop.run(main())

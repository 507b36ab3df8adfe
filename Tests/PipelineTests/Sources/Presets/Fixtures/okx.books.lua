feed = source.websocket {
  heartbeat = { every = "20s", expect = "pong", send = "ping" },
  ignore = {
    { event = "subscribe" },
    { event = "unsubscribe" },
    { event = "notice" },
    { event = "channel-conn-count" },
  },
  numbers = { "data.1.asks", "data.1.bids" },
  pace = "400ms",
  sequence = {
    key = "arg.instId",
    last = "data.1.seqId",
    previous = "data.1.prevSeqId",
  },
  subscriptions = {
    books = {
      cancel = {
        args = { { channel = "books", instId = "{item}" } },
        op = "unsubscribe",
      },
      expect = {
        arg = { channel = "books", instId = "{item}" },
        event = "subscribe",
      },
      items = { "BTC-USDT", "ETH-USDT" },
      refuse = { event = "error" },
      send = {
        args = { { channel = "books", instId = "{item}" } },
        op = "subscribe",
      },
    },
  },
  time = { field = "data.1.ts", unit = "ms" },
  url = "wss://ws.okx.com:8443/ws/v5/public",
}

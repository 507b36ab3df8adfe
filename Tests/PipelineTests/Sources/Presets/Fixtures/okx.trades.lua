feed = source.websocket {
  heartbeat = { every = "20s", expect = "pong", send = "ping" },
  id = "tradeId",
  id_key = "instId",
  ignore = {
    { event = "subscribe" },
    { event = "unsubscribe" },
    { event = "notice" },
    { event = "channel-conn-count" },
  },
  numbers = { "px", "sz", "count" },
  pace = "400ms",
  split = "items",
  split_field = "data",
  subscriptions = {
    trades = {
      cancel = {
        args = { { channel = "trades", instId = "{item}" } },
        op = "unsubscribe",
      },
      expect = {
        arg = { channel = "trades", instId = "{item}" },
        event = "subscribe",
      },
      items = { "BTC-USDT", "ETH-USDT" },
      refuse = { event = "error" },
      send = {
        args = { { channel = "trades", instId = "{item}" } },
        op = "subscribe",
      },
    },
  },
  time = { field = "ts", unit = "ms" },
  url = "wss://ws.okx.com:8443/ws/v5/public",
}

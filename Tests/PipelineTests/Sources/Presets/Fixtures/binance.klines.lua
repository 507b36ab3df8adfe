feed = source.websocket {
  ignore = {
    { id = "{any}", result = json.null },
    { code = "{any}", msg = "{any}" },
    { e = "serverShutdown" },
  },
  numbers = { "k.o", "k.c", "k.h", "k.l", "k.v", "k.q", "k.V", "k.Q" },
  pace = "500ms",
  subscriptions = {
    klines = {
      cancel = {
        id = "{id}",
        method = "UNSUBSCRIBE",
        params = { "{item:lower}@kline_5m" },
      },
      expect = { id = "{id}", result = json.null },
      items = { "BTCUSDT" },
      refuse = { error = { code = "{any}", msg = "{any}" } },
      send = {
        id = "{id}",
        method = "SUBSCRIBE",
        params = { "{item:lower}@kline_5m" },
      },
    },
  },
  time = { field = "E", unit = "ms" },
  url = "wss://stream.binance.com:9443/ws",
}

feed = source.websocket {
  ignore = {
    { id = "{any}", result = json.null },
    { code = "{any}", msg = "{any}" },
    { e = "serverShutdown" },
  },
  numbers = { "a", "b" },
  pace = "500ms",
  sequence = { first = "U", key = "s", last = "u" },
  subscriptions = {
    depth = {
      cancel = {
        id = "{id}",
        method = "UNSUBSCRIBE",
        params = { "{item:lower}@depth@100ms" },
      },
      expect = { id = "{id}", result = json.null },
      items = { "BTCUSDT" },
      refuse = { error = { code = "{any}", msg = "{any}" } },
      send = {
        id = "{id}",
        method = "SUBSCRIBE",
        params = { "{item:lower}@depth@100ms" },
      },
    },
  },
  time = { field = "E", unit = "ms" },
  url = "wss://stream.binance.com:9443/ws",
}

feed = source.websocket {
  ignore = {
    { id = "{any}", result = json.null },
    { code = "{any}", msg = "{any}" },
    { e = "serverShutdown" },
  },
  numbers = { "p", "q" },
  pace = "500ms",
  sequence = { key = "s", last = "t" },
  subscriptions = {
    trades = {
      cancel = {
        id = "{id}",
        method = "UNSUBSCRIBE",
        params = { "{item:lower}@trade" },
      },
      expect = { id = "{id}", result = json.null },
      items = { "BTCUSDT", "ETHUSDT" },
      refuse = { error = { code = "{any}", msg = "{any}" } },
      send = {
        id = "{id}",
        method = "SUBSCRIBE",
        params = { "{item:lower}@trade" },
      },
    },
  },
  time = { field = "T", unit = "ms" },
  url = "wss://stream.binance.com:9443/ws",
}

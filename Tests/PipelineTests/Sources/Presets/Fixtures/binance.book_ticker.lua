feed = source.websocket {
  ignore = {
    { id = "{any}", result = json.null },
    { code = "{any}", msg = "{any}" },
    { e = "serverShutdown" },
  },
  numbers = { "b", "B", "a", "A" },
  pace = "500ms",
  subscriptions = {
    book_ticker = {
      cancel = {
        id = "{id}",
        method = "UNSUBSCRIBE",
        params = { "{item:lower}@bookTicker" },
      },
      expect = { id = "{id}", result = json.null },
      items = { "BTCUSDT", "ETHUSDT" },
      refuse = { error = { code = "{any}", msg = "{any}" } },
      send = {
        id = "{id}",
        method = "SUBSCRIBE",
        params = { "{item:lower}@bookTicker" },
      },
    },
  },
  url = "wss://stream.binance.com:9443/ws",
}

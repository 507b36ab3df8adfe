return {
  sources = {
    depth = source.websocket {
      url = "wss://stream.binance.com:9443/ws/btcusdt@depth/ethusdt@depth",
      sequence = { first = "U", last = "u", key = "s" },
      stale_after = "30s",
    },
  },
  scripts = {
    book = {
      file = "book.lua", from = { "depth" }, hosts = { "api.binance.com" },
      limits = { state_size = "4MiB" },
    },
  },
  channels = { screen = channel.console {} },
}

return {
  sources = { load = source.load { every = "1s" } },
  scripts = {
    trend = { reducer = reducer.trend { field = "load", weight = 0.05 }, from = { "load" } },
    watch = { file = "watch.lua", from = { load = "trend.trend" } },
  },
  channels = { status = channel.status { path = "status.txt" }, screen = channel.console {} },
}

-- Readings come as lines on the standard input; at night only what is critical makes a noise.
return {
  sources = { sensors = source.stdin {} },
  scripts = { watch = { file = "watch.lua", from = { reading = "sensors" }, params = { limit = 30 } } },
  channels = {
    screen = channel.console {},
    log = channel.file { path = "sensors.log" },
  },
  routes = {
    { min_severity = "critical", to = { "screen", "log" } },
    { hours = "22:00-07:00 Europe/Berlin", to = { "log" } },
    { to = { "screen", "log" } },
  },
  storage = storage.sqlite { file = "sensors.db" },
}

-- Written by `pipeline types`: what scripts, configurations and tests can use.
stds.pipeline = {
  read_globals = {
    "_G",
    "_VERSION",
    "assert",
    "daily",
    "each_key",
    "emit",
    "env",
    "error",
    "every",
    "getmetatable",
    "ipairs",
    "next",
    "num",
    "pairs",
    "params",
    "pcall",
    "rawequal",
    "rawget",
    "rawlen",
    "rawset",
    "require",
    "select",
    "setmetatable",
    "tonumber",
    "tostring",
    "type",
    "xpcall",
    alert = { fields = { "rule", "send" } },
    base64 = { fields = { "decode", "encode" } },
    channel = { fields = { "alertmanager", "console", "desktop", "discord", "email", "file", "heartbeat", "ntfy", "slack", "telegram", "webhook" } },
    effect = { fields = { "after", "at", "cancel", "connect", "debounce", "disconnect", "http", "publish", "send", "subscribe", "throttle", "unsubscribe" } },
    hmac = { fields = { "sha256", "sha512" } },
    json = { fields = { "array", "decode", "encode", "null" } },
    log = { fields = { "debug", "error", "info", "warn" } },
    math = { fields = { "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod", "huge", "log", "max", "maxinteger", "min", "mininteger", "modf", "pi", "rad", "random", "sin", "sqrt", "tan", "tointeger", "type", "ult" } },
    source = { fields = { "file", "http", "mqtt", "preset", "simulated", "sse", "stdin", "websocket" } },
    stats = { fields = { "add", "count", "ema", "max", "min", "rate", "reset", "rsi", "sma", "value", "vwap", "zscore" } },
    storage = { fields = { "sqlite" } },
    string = { fields = { "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match", "pack", "packsize", "rep", "reverse", "sub", "unpack", "upper" } },
    table = { fields = { "concat", "insert", "move", "pack", "remove", "sort", "unpack" } },
    time = { fields = { "format", "now", "parse", "parts" } },
    utf8 = { fields = { "char", "charpattern", "codepoint", "codes", "len", "offset" } },
  },
}
stds.pipeline_tests = {
  read_globals = {
    "each",
    "it",
    test = { fields = { "config", "script" } },
  },
}
std = "pipeline"
files["**/*_test.lua"] = { std = "+pipeline_tests" }
exclude_files = { "types" }
unused_args = false

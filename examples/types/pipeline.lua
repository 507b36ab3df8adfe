---@meta pipeline

-- Written by `pipeline types`. `---@type pipeline.Script` above `local M = {}` tells an editor what M is.

---A span of time such as "10m".
---@alias pipeline.Duration string

---What channel.… makes for a configuration.
---@class pipeline.Channel
local Channel = {}

---@class pipeline.Configuration.scripts.limits
---@field steps? integer Lua instructions a message may take; the work of library functions counts too; in instructions; default 5000000
---@field time? pipeline.Duration Time a message may take, as a safety net beside the steps; default "1s"
---@field memory? string Memory the script's own values may take; committed state is kept outside of it; default "16MiB"
---@field state_size? string State one key may hold; default "1MiB"
---@field total_state_size? string State all keys of the script may hold together; default "256MiB"
---@field effects? integer Effects a message may ask for; default 1000
---@field log_bytes? integer Text a message may log; in bytes; default 65536
---@field effect_bytes? string Payloads that a message may hand on with its effects, written as JSON; default "4MiB"
---@field nesting? integer Tables inside one another that a state or an effect may have; in tables; default 512

---@class pipeline.Configuration.scripts.warm_up.time
---@field field string The field, with dots between the names on the way
---@field unit? "s"|"ms"|"us"|"ns"|"text" What it counts since 1970 UTC, or text for a date and time in words; default "ms"

---@class pipeline.Configuration.scripts.warm_up.sequence
---@field last string The number of the message, or the last one that it covers
---@field first? string The first number that it covers
---@field previous? string The last number of the message before it
---@field key? string What has numbers of its own, such as a symbol; without it the source as a whole
---@field per_connection? boolean Whether the numbers begin anew at each connect; default false

---@class pipeline.Configuration.scripts.warm_up
---@field file? string A recording, of which the messages of the input's source count, or a file of a message a line
---@field http? string|pipeline.EnvironmentReference In place of 'file': an address whose answer is the history, asked once at the start
---@field headers? table<string, string|pipeline.EnvironmentReference> Headers of each request, each a text or env "NAME"
---@field last? pipeline.Duration Passes over what is older than this at the start
---@field max_messages? integer The most messages; of more the newest count; in messages; default 100000
---@field max_bytes? string The most bytes of all messages, of more of which the newest count, or of an answer; default "16MiB"
---@field timeout? pipeline.Duration The time that reading it may take; default "30s"
---@field required? boolean Whether the host doesn't start where none of it can be used; otherwise that is told, and the script starts cold; default false
---@field decode? "json"|"json_lines"|"text" What a message is: JSON, JSON line by line, or text as it is; default "json"
---@field split? "items"|"pairs" Makes many messages of one: each item of a list, or each member of a table as its key and value; what is neither passes as it is
---@field split_field? string The field that is split, with dots between the names on the way; else the whole message
---@field numbers? string[] Fields whose texts are numbers, with dots between the names on the way; they arrive as numbers, also those within a list or a table that is named
---@field time? pipeline.Configuration.scripts.warm_up.time When it happened, for ctx.time; without it that is when it came in. A message older than the one before it of its key is late (ctx.late), and no news to rules unless they accept_late
---@field sequence? pipeline.Configuration.scripts.warm_up.sequence The fields that number messages, with dots between the names on the way. M.events.gap is told of what is missing, repeated or begun anew before the message that shows it; repeated ones are skipped. A restart of the program is a gap of its own, and numbers are compared anew from there
---@field id? string The field that tells messages apart; one that was there before is repeated, also over connects, but not over a restart of the program
---@field id_key? string What has ids of its own, such as a symbol; without it an id stands for one message alone
---@field id_window? integer How many ids are remembered; in messages; default 10000
---@field repeated? "skip"|"mark" What becomes of a repeated message: it is skipped, or handled with ctx.replayed, when rules ignore it; default "skip"

---@class pipeline.Configuration.scripts
---@field file? string The script's file, from the folder of the configuration; or give 'plugin'. Modules are found from the script's own folder: require("lib.prices") reads lib/prices.lua there
---@field plugin? string In place of 'file': a folder whose plugin.lua is the script, with its modules, test and README
---@field from? any What feeds each input of the script: a source, or a topic of another script as "script.topic"; { "btc" } is short for { btc = "btc" }
---@field params? table<string, any> Parameters of the script, in place of its own defaults
---@field limits? pipeline.Configuration.scripts.limits What the script may use; a message that takes more is undone and put into quarantine
---@field outputs? table<string, string> The channel or source that each output of the script leads to, by the names the script uses
---@field hosts? string[] The hosts that the script may send HTTP requests to; "*" for any, which follows redirects too
---@field warm_up? table<string, pipeline.Configuration.scripts.warm_up> The history that an input's handler sees before the first live message, in the order of time and with ctx.replayed, as long as nothing of the script is stored: state goes on from it and rules know where they stand, but nothing leaves. An input that nothing else feeds may have one. Without options of their own, its messages are read as those of the input's source are

---@class pipeline.Configuration.routes
---@field min_severity? "info"|"warning"|"critical" The least severity it takes; default any
---@field rule? string The name of the rule, or the one given to alert.send; default any
---@field key? string The key of the state; default any
---@field labels? table<string, string> Labels that the alert must have with these texts
---@field hours? string When its condition must have become true, such as "22:00-07:00 Europe/Berlin"; UTC without a zone; default any
---@field hold? string Hours such as "22:00-07:00 Europe/Berlin" in which its alerts are kept, to be told in one digest at the end; critical ones are not held, unless min_severity is "critical", and none is from an Alertmanager; default never
---@field to string[] The names of the channels; an empty list drops the alert

---What a configuration returns.
---@class pipeline.Configuration
---@field sources table<string, pipeline.Source> The feeds by name
---@field scripts? table<string, pipeline.Configuration.scripts> The scripts by name
---@field channels? table<string, pipeline.Channel> Where alerts go, by name
---@field routes? pipeline.Configuration.routes[] Which alerts go to which channels; the first that takes an alert counts
---@field storage? pipeline.Storage Where state is kept; default memory
local Configuration = {}

---What M.events.connection is told about a source.
---@class pipeline.ConnectionEvent
---@field state "connecting"|"connected"|"stale"|"disconnected" What the source is now
---@field source string The name of the source
---@field code? integer Why it disconnected: a WebSocket close code, an HTTP status, or 1006
---@field reason? string Why it disconnected, in words
local ConnectionEvent = {}

---What is known of the message in hand besides its content.
---@class pipeline.Context
---@field time integer When it happened, if the source says so with 'time', or else came in; in milliseconds since 1970 UTC
---@field received integer When it came in; in milliseconds since 1970 UTC
---@field late boolean Whether it came in after a later one of its key, or is an action whose time came while the program was not running
---@field source string The source or the script it came from
---@field topic string The topic that its source gave it, or another script handed it on under; else an empty text
---@field key string The key in hand, an empty text without one
---@field sequence? integer Its number, if the source says so with 'sequence'
---@field epoch integer A number that grows at each connect of the source
---@field replayed boolean Whether the source had sent it before, or it is of a history (warm_up)
local Context = {}

---What decoder.… makes for a configuration.
---@class pipeline.Decoder
local Decoder = {}

---A text of the environment that is never printed, as env makes it.
---@class pipeline.EnvironmentReference
local EnvironmentReference = {}

---What M.events.gap is told under each key that it concerns, before the message that shows it.
---@class pipeline.GapEvent
---@field reason string How it showed: "sequence" where numbers are missing, "reset" where they begin anew, "overflow" where messages gave way for want of room, "duplicate" where a message was repeated, which is no gap to rules
---@field source string The name of the source
---@field missed? integer How many are missing, where that is known
---@field expected? integer The number that was expected
---@field got? integer The number that came
local GapEvent = {}

---The null of JSON, which isn't nil and counts as true.
---@class pipeline.Null
local Null = {}

---What reducer.… makes for a configuration.
---@class pipeline.Reducer
local Reducer = {}

---What M.events.reload is told about the states that went on.
---@class pipeline.ReloadEvent
---@field keys integer How many keys went on
---@field migrated boolean Whether M.migrate made their states
---@field dropped string[] What M.dropped let go
local ReloadEvent = {}

---What an action gets as the one reply to an HTTP request.
---@class pipeline.Reply
---@field ok boolean Whether the status is one from 200 to 299
---@field status? integer The HTTP status, where there was an answer
---@field headers? table<string, string> Header fields by name in lower case
---@field json? any The body, where it is JSON
---@field text? string The body, where it isn't
---@field error? string Why there was no answer, such as "timeout", "interrupted" or "replaced"
local Reply = {}

---A rule that alert.rule declared.
---@class pipeline.Rule
local Rule = {}

---@class pipeline.Script.events
---@field start? fun(state: table<string, any>, event: any, ctx: pipeline.Context) Runs once when the host starts
---@field connection? fun(state: table<string, any>, event: pipeline.ConnectionEvent, ctx: pipeline.Context) Runs when a source connects, disconnects or falls silent
---@field reload? fun(state: table<string, any>, event: pipeline.ReloadEvent, ctx: pipeline.Context) Runs when this form of the script has taken the place of another one
---@field gap? fun(state: table<string, any>, event: pipeline.GapEvent, ctx: pipeline.Context) Runs under each key that may miss messages, before the one that shows it
---@field subscription? fun(state: table<string, any>, event: pipeline.SubscriptionEvent, ctx: pipeline.Context) Runs when a server confirms or refuses a subscription, or sends none of it

---What a script returns: its state and its handlers.
---@class pipeline.Script
---@field state? table<string, any> The fields of the state with their defaults; no others can be read or written, and {} is open
---@field key? string|table<string, any>|(fun(message: any): string) What tells the states apart: the path of a field of the message for all inputs, a path or a function for each, or one function
---@field on? table<string, fun(state: table<string, any>, message: any, ctx: pipeline.Context)> A handler for each input
---@field actions? table<string, fun(state: table<string, any>, payload: any, ctx: pipeline.Context)> What timers and effects run, by name
---@field events? pipeline.Script.events What happens beside messages
---@field timers? table<string, pipeline.Timer> When actions run by the clock, by the action's name, under the empty key
---@field migrate? fun(old: table<string, any>, key: string): table<string, any> Makes the new state of a key from its old one, where names or kinds of the fields of M.state have changed; without it, fields of the same name go on
---@field dropped? string[] Rules and actions that an older form had and that may go, by name, and "M.key" for the states under keys; a reload that would lose others is refused
local Script = {}

---What source.… makes for a configuration.
---@class pipeline.Source
local Source = {}

---A field of the state that stats.… declared.
---@class pipeline.Statistic
local Statistic = {}

---What storage.… makes for a configuration.
---@class pipeline.Storage
local Storage = {}

---What M.events.subscription is told about a subscription of a source.
---@class pipeline.SubscriptionEvent
---@field state "subscribed"|"unsubscribed"|"refused"|"unanswered"|"silent" What became of it
---@field source string The name of the source
---@field subscription string The name of the subscription
---@field items string[] The items it is about; empty for the whole
---@field reason? string Why, in words, where something is wrong
local SubscriptionEvent = {}

---What test.script and test.config return: verbs that let something happen, and claims about what it did; anything that happened and was not claimed fails the test.
---@class pipeline.Test
local Test = {}

---An entry of M.timers, as daily and every make it.
---@class pipeline.Timer
local Timer = {}

alert = {}

base64 = {}

channel = {}

effect = {}

hmac = {}

json = {}

log = {}

source = {}

stats = {}

storage = {}

test = {}

time = {}

---The null of JSON; it isn't nil, and it counts as true in conditions.
---```lua
---if state.price ~= json.null then over:check(state.price) end
---```
---@type pipeline.Null
json.null = nil

---@class pipeline.alert.rule.options.changes_by
---@field percent? number How far, relative to the lowest or highest value; in percent
---@field absolute? number How far, in the value's own unit
---@field within pipeline.Duration How far back the window reaches, from 1s to 1d

---@class pipeline.alert.rule.options.flapping
---@field changes integer How many changes between true and false are still calm
---@field within pipeline.Duration The time in which they are counted

---@class pipeline.alert.rule.options
---@field name string What the rule is called in alerts, routes and storage
---@field crosses_above? number True from a value below the level to one at or above it
---@field crosses_below? number True from a value above the level to one at or below it
---@field crosses? number Tells each passage through the level, in either direction
---@field above? number True at the level or above
---@field below? number True at the level or below
---@field outside? number[] True at the lower level or below, or at the higher one or above
---@field inside? number[] True from the lower level to the higher one
---@field changes_by? pipeline.alert.rule.options.changes_by True while the value is so far from the lowest or highest one of a window
---@field no_data_for? pipeline.Duration True when a key has had no value for so long
---@field when? fun(value: number, data?: any): boolean True when the function returns true for the value
---@field clear_below? number The condition is over only at this value or below; default the level itself
---@field clear_above? number The condition is over only at this value or above; default the level itself
---@field for_duration? pipeline.Duration How long every value must fulfil the condition before the rule fires. What falls due while the source is stale or down, or after a start before the first value, waits for the next value; behind a gap of a live source it fires at its time and says so
---@field cooldown? pipeline.Duration How long after an alert a new episode is held back until told or over
---@field first? "arm"|"fire" Whether the first value of a key only arms the rule, or may fire it; default "arm" for crossings, else "fire"
---@field resolve? boolean Whether the end of an episode is told; default true
---@field severity? "info"|"warning"|"critical" How much it matters; default "info"
---@field labels? table<string, string> Names and texts that go along, for routes and receivers
---@field text? string|(fun(value: number, data?: any): string) What the alert says; default made from the condition
---@field repeat_every? pipeline.Duration How often to remind while the condition goes on
---@field once? boolean Whether each key fires only a single time; default false
---@field expires? string From when on the rule neither fires nor reminds
---@field flapping? pipeline.alert.rule.options.flapping After more changes than this one alert says so, then none until calm
---@field accept_late? boolean Whether values older than the last one count; default false
---@field keys? string[] Keys that `no_data_for` watches before their first value

---Declares a rule, once, while the script loads.
---```lua
---local over = alert.rule { name = "over", crosses_above = 70000 }
---```
---@param options pipeline.alert.rule.options One condition, and what goes with it
---@return pipeline.Rule # a rule to check in handlers
function alert.rule(options) end

---@class pipeline.alert.send.options
---@field name string What the alert is called in routes and storage
---@field text string What the alert says
---@field severity? "info"|"warning"|"critical" How much it matters; default "info"
---@field key? string Whose alert it is; default the key in hand
---@field labels? table<string, string> Names and texts that go along

---Sends an alert without a rule.
---```lua
---alert.send { name = "halted", text = "trading halted" }
---```
---@param options pipeline.alert.send.options What the alert says, and how it is known
function alert.send(options) end

---Reads base64; anything else is an error.
---```lua
---local claims = json.decode(base64.decode(token:match("%.(.-)%.")))
---```
---@param text string Base64 of either form, with or without padding
---@return string # the bytes
function base64.decode(text) end

---Writes bytes as base64 (RFC 4648), as for a login in a header.
---```lua
---base64.encode(env "API_USER" .. ":" .. env "API_PASSWORD")
---```
---@param text string Any bytes
---@param form? "standard"|"url" "url" writes - and _ in place of + and /, and no padding
---@return string # base64
function base64.encode(text, form) end

---Runs an action once a day.
---```lua
---M.timers = { summary = daily("08:00", "Europe/Berlin") }
---```
---@param time string The time of day, such as "08:00"
---@param zone? string Such as "Europe/Berlin"; UTC if left out
---@return pipeline.Timer # an entry of M.timers
function daily(time, zone) end

---Declares a test for each case of a table.
---```lua
---each("at the level", { below = 69999, on = 70000 }, function(price)
---  t.receive("price", { bitcoin = price })
---  t.state { price = price + 0.0 }
---end)
---```
---@param title string What stands before the name of each case
---@param cases any A list of cases, each with its name as the member name, or a table of cases by their names
---@param body fun(case: any) The test of a case, which begins with a fresh state
---@overload fun(cases: any, body: fun(case: any))
function each(title, cases, body) end

---Walks the states of all keys of the script.
---```lua
---for key, s in each_key() do total = total + s.price end
---```
---@return fun(): string, table<string, any> # an iterator over key and read-only state
function each_key() end

---Runs an action later; it replaces a pending one of the same action and key.
---```lua
---effect.after("30s", "remind")
---```
---@param duration pipeline.Duration How long from now, such as "10m"
---@param action string The name of a function of M.actions
---@param payload? any What the action gets
function effect.after(duration, action, payload) end

---Runs an action at a time, or at once if it has passed; it replaces a pending one.
---```lua
---effect.at(time.parse("2026-12-31 18:00", "Europe/Berlin"), "close")
---```
---@param time number Milliseconds since 1970 UTC
---@param action string The name of a function of M.actions
---@param payload? any What the action gets
function effect.at(time, action, payload) end

---Drops the pending timer of an action and key.
---```lua
---effect.cancel("remind")
---```
---@param action string The name of a function of M.actions
function effect.cancel(action) end

---Connects a source that is disconnected.
---```lua
---effect.connect("btc")
---```
---@param source string The name of a source
function effect.connect(source) end

---Runs an action once nothing has asked for it for a while.
---```lua
---effect.debounce("2s", "look_up", { symbol = message.s })
---```
---@param duration pipeline.Duration How long it has to be quiet, such as "2s"
---@param action string The name of a function of M.actions
---@param payload? any What the action gets; the latest counts
function effect.debounce(duration, action, payload) end

---Disconnects a source until it is connected again.
---```lua
---effect.disconnect("btc")
---```
---@param source string The name of a source
function effect.disconnect(source) end

---@class pipeline.effect.http.options
---@field url string An http or https URL; its host has to be among the script's 'hosts'
---@field method? "GET"|"HEAD"|"POST"|"PUT"|"PATCH"|"DELETE" The method; default "GET", or "POST" with a body
---@field headers? table<string, string> Header fields by name
---@field text? string The body as it is; 'json' is plain data that is sent as JSON
---@field timeout? pipeline.Duration How long to wait for the whole answer; default "30s"
---@field pace? pipeline.Duration The least span between two requests of the script to one host; earlier ones wait
---@field reply string The function of M.actions that gets the reply, exactly once
---@field id? string What the request is known by under its key; a newer one of the same id takes its place
---@field json? any The body as plain data, which is sent as JSON

---Sends an HTTP request; an action gets one reply: ok, status, headers, json or text, error.
---```lua
---effect.http { url = "https://example.org/" .. ctx.key, reply = "found" }
---```
---@param options pipeline.effect.http.options What to ask for, and what gets the reply
function effect.http(options) end

---Publishes a value through a channel, at least once, such as a line of a file.
---```lua
---effect.publish("bars", { symbol = ctx.key, close = state.close })
---```
---@param output string An output of the script, or the name of a channel
---@param value any Plain data
function effect.publish(output, value) end

---Sends a message to the server of a source, at most once and only while it is connected.
---```lua
---effect.send("btc", { op = "ping" })
---```
---@param output string An output of the script, or the name of a source
---@param message any A text, or plain data that is sent as JSON
function effect.send(output, message) end

---Asks for a subscription of a source, or for more items of it, now and after each connect.
---```lua
---effect.subscribe("btc", "trades", { "ETH-USD", "SOL-USD" })
---```
---@param source string The name of a source
---@param subscription string The name of one of the source's subscriptions
---@param items? string|string[] What to subscribe to, one item or several; without it the subscription as a whole
function effect.subscribe(source, subscription, items) end

---Runs an action at once, and then not again before a span is over.
---```lua
---effect.throttle("1m", "publish", state.price)
---```
---@param duration pipeline.Duration The least span between two runs, such as "1m"
---@param action string The name of a function of M.actions
---@param payload? any What the action gets; the latest counts
function effect.throttle(duration, action, payload) end

---Ends a subscription of a source, or some items of it, now and after each connect.
---```lua
---effect.unsubscribe("btc", "trades", "ETH-USD")
---```
---@param source string The name of a source
---@param subscription string The name of one of the source's subscriptions
---@param items? string|string[] What to end it for, one item or several; without it the subscription as a whole
function effect.unsubscribe(source, subscription, items) end

---Hands a message to the scripts that this one feeds, once its handler has succeeded; one message of a source may lead to 10,000 among scripts that topics connect, and what goes beyond is quarantined.
---```lua
---emit("bars", { symbol = ctx.key, close = state.close })
---```
---@param topic string The name under which other scripts take it in
---@param value any Plain data, the message that they get
function emit(topic, value) end

---Stands for the text of an environment variable; in a function for headers it is the text.
---```lua
---url = env "WEBHOOK_URL"
---```
---@param name string The name of an environment variable
---@return pipeline.EnvironmentReference # a reference that options for secrets take
function env(name) end

---@class pipeline.every.options
---@field align? boolean Whether it runs at full minutes, hours and so on; default false

---Runs an action again and again.
---```lua
---M.timers = { close = every("1m", { align = true }) }
---```
---@param duration pipeline.Duration How far apart, such as "1m"
---@param options? pipeline.every.options How it counts
---@return pipeline.Timer # an entry of M.timers
function every(duration, options) end

---Signs a text with a secret (RFC 2104), in a function for headers.
---```lua
---hmac.sha256(env "API_SECRET", tostring(ctx.time))
---```
---@param key string The secret
---@param text string What is signed
---@param encoding? "hex"|"base64" How the signature is written
---@return string # the signature
function hmac.sha256(key, text, encoding) end

---Signs a text with a secret (RFC 2104), in a function for headers.
---```lua
---hmac.sha512(env "API_SECRET", tostring(ctx.time))
---```
---@param key string The secret
---@param text string What is signed
---@param encoding? "hex"|"base64" How the signature is written
---@return string # the signature
function hmac.sha512(key, text, encoding) end

---Declares a test.
---```lua
---it("fires once", function()
---  t.receive("price", { bitcoin = 70010 })
---  t.alert { rule = "over level" }
---end)
---```
---@param name string What the test shows, as the end of a sentence
---@param body fun() The test, which begins with a fresh state
function it(name, body) end

---Marks a table as a list.
---```lua
---json.array {}
---```
---@param table? any[] A list
---@return any[] # the table, which stays a list even when it is empty
function json.array(table) end

---Reads JSON.
---```lua
---json.decode("[1, 2]")
---```
---@param text string One JSON text
---@return any # plain data
function json.decode(text) end

---Writes JSON, keys in order.
---```lua
---json.encode({ a = 1 })
---```
---@param value any Plain data
---@return string # text
function json.encode(value) end

---Writes a line of the level 'debug' to the log.
---```lua
---log.debug("the price is", state.price)
---```
---@param ... any Texts or values, joined by blanks
function log.debug(...) end

---Writes a line of the level 'error' to the log.
---```lua
---log.error("the price is", state.price)
---```
---@param ... any Texts or values, joined by blanks
function log.error(...) end

---Writes a line of the level 'info' to the log.
---```lua
---log.info("the price is", state.price)
---```
---@param ... any Texts or values, joined by blanks
function log.info(...) end

---Writes a line of the level 'warn' to the log.
---```lua
---log.warn("the price is", state.price)
---```
---@param ... any Texts or values, joined by blanks
function log.warn(...) end

---Makes a number of a text such as "67123.45".
---```lua
---state.price = num(message.bitcoin)
---```
---@param value number|string A number, or the text of one
---@return number # the value as a float
function num(value) end

---Declares the parameters of the script.
---```lua
---local p = params { level = 70000 }
---```
---@generic T
---@param defaults T A table of names and defaults
---@return T # the table with the configuration's values in place of the defaults
function params(defaults) end

---Gives a value of the key in hand to the rule.
---```lua
---over:check(state.price)
---```
---@param value? number A number; nil and json.null change nothing
---@param data? any What the text function gets besides; where an alert falls due later, as with for_duration, it gets that of the last check, up to 4,096 bytes as JSON
function Rule:check(value, data) end

---Gives a value to a statistic of the key in hand, at ctx.time.
---```lua
---local rsi = stats.add(state.rsi, state.price)
---```
---@param statistic pipeline.Statistic A field that M.state declares with stats.…
---@param value number The newest value; a late one counts as new
---@param volume? number The volume, for vwap alone
---@return number? # the value, or nil while there are too few: count values, or data for the whole duration
function stats.add(statistic, value, volume) end

---Tells how many values a statistic was given.
---```lua
---if stats.count(state.rsi) < 100 then return end
---```
---@param statistic pipeline.Statistic A field that M.state declares with stats.…
---@return integer # the number of values added since the start
function stats.count(statistic) end

---@class pipeline.stats.ema.options
---@field count? integer The window as a number of values from 1 to 100000; this or over
---@field over? pipeline.Duration The window as a span of ctx.time such as "5m"; this or count

---Declares a mean in which newer values count more: by 2 / (count + 1), or by time.
---```lua
---M.state = { fast = stats.ema { count = 12 } }
---```
---@param options pipeline.stats.ema.options The window
---@return pipeline.Statistic # a field's default for M.state; each key has a statistic of its own
function stats.ema(options) end

---@class pipeline.stats.max.options
---@field count? integer The window as a number of values from 1 to 100000; this or over
---@field over? pipeline.Duration The window as a span of ctx.time such as "5m"; this or count

---Declares the largest of the newest values.
---```lua
---M.state = { high = stats.max { over = "1h" } }
---```
---@param options pipeline.stats.max.options The window
---@return pipeline.Statistic # a field's default for M.state; each key has a statistic of its own
function stats.max(options) end

---@class pipeline.stats.min.options
---@field count? integer The window as a number of values from 1 to 100000; this or over
---@field over? pipeline.Duration The window as a span of ctx.time such as "5m"; this or count

---Declares the smallest of the newest values.
---```lua
---M.state = { low = stats.min { over = "1h" } }
---```
---@param options pipeline.stats.min.options The window
---@return pipeline.Statistic # a field's default for M.state; each key has a statistic of its own
function stats.min(options) end

---@class pipeline.stats.rate.options
---@field count? integer The window as a number of values from 2 to 100000; this or over
---@field over? pipeline.Duration The window as a span of ctx.time such as "5m"; this or count
---@field per? pipeline.Duration The time that the change is given for; default "1s"

---Declares a change per time, from the oldest value of the window to the newest.
---```lua
---M.state = { climb = stats.rate { over = "5m", per = "1m" } }
---```
---@param options pipeline.stats.rate.options The window
---@return pipeline.Statistic # a field's default for M.state; each key has a statistic of its own
function stats.rate(options) end

---Empties a statistic, which then warms up again.
---```lua
---stats.reset(state.vwap)
---```
---@param statistic pipeline.Statistic A field that M.state declares with stats.…
function stats.reset(statistic) end

---@class pipeline.stats.rsi.options
---@field count? integer The window as a number of values from 1 to 100000; this or over
---@field over? pipeline.Duration The window as a span of ctx.time such as "5m"; this or count

---Declares a relative strength index from 0 to 100: smoothed as Wilder did by count, of plain sums over a duration; 50 while nothing moves.
---```lua
---M.state = { rsi = stats.rsi { count = 14 } }
---```
---@param options pipeline.stats.rsi.options The window
---@return pipeline.Statistic # a field's default for M.state; each key has a statistic of its own
function stats.rsi(options) end

---@class pipeline.stats.sma.options
---@field count? integer The window as a number of values from 1 to 100000; this or over
---@field over? pipeline.Duration The window as a span of ctx.time such as "5m"; this or count

---Declares a mean of the newest values, all counted alike.
---```lua
---M.state = { mean = stats.sma { over = "5m" } }
---```
---@param options pipeline.stats.sma.options The window
---@return pipeline.Statistic # a field's default for M.state; each key has a statistic of its own
function stats.sma(options) end

---Gives a statistic as it is now: values that have grown too old are left out.
---```lua
---local mean = stats.value(state.mean)
---```
---@param statistic pipeline.Statistic A field that M.state declares with stats.…
---@return number? # the value, or nil while there are too few: count values, or data for the whole duration
function stats.value(statistic) end

---@class pipeline.stats.vwap.options
---@field count? integer The window as a number of values from 1 to 100000; this or over
---@field over? pipeline.Duration The window as a span of ctx.time such as "5m"; this or count

---Declares a mean price weighted by volume; nil while the volume is 0.
---```lua
---M.state = { vwap = stats.vwap { over = "15m" } }
---```
---@param options pipeline.stats.vwap.options The window
---@return pipeline.Statistic # a field's default for M.state; each key has a statistic of its own
function stats.vwap(options) end

---@class pipeline.stats.zscore.options
---@field count? integer The window as a number of values from 2 to 100000; this or over
---@field over? pipeline.Duration The window as a span of ctx.time such as "5m"; this or count

---Declares how many standard deviations (of a sample) the newest value is off the window's mean.
---```lua
---M.state = { z = stats.zscore { count = 100 } }
---```
---@param options pipeline.stats.zscore.options The window
---@return pipeline.Statistic # a field's default for M.state; each key has a statistic of its own
function stats.zscore(options) end

---Moves the clock on, with everything that falls due on the way.
---```lua
---t.advance("10m")
---```
---@param duration pipeline.Duration How far, such as "10m"
function Test.advance(duration) end

---@class pipeline.t.alert.fields
---@field rule? string The rule, or the name given to alert.send
---@field name? string The same as rule
---@field text? string What the alert says
---@field key? string Whose alert it is
---@field severity? "info"|"warning"|"critical" How much it matters
---@field script? string The script it came from
---@field kind? string Whether it fires, reminds or resolves
---@field time? integer When it happened, in milliseconds since 1970 UTC
---@field labels? table<string, string> What goes along
---@field value? number The value in hand
---@field to? string|string[] The channels it went to

---Claims the next alert.
---```lua
---t.alert { rule = "over level", text = "bitcoin at 70010.00" }
---```
---@param fields? pipeline.t.alert.fields What must match
function Test.alert(fields) end

---@class pipeline.t.delivered.fields
---@field rule? string The rule, or the name given to alert.send
---@field name? string The same as rule
---@field text? string What the alert says
---@field key? string Whose alert it is
---@field severity? "info"|"warning"|"critical" How much it matters
---@field script? string The script it came from
---@field kind? string Whether it fires, reminds or resolves
---@field time? integer When it happened, in milliseconds since 1970 UTC
---@field labels? table<string, string> What goes along
---@field channel? string The channel it was delivered to

---Claims that an alert was delivered, where it had to wait.
---```lua
---t.delivered { rule = "over level", channel = "phone" }
---```
---@param fields? pipeline.t.delivered.fields What must match
function Test.delivered(fields) end

---@class pipeline.t.disconnect.options
---@field code? integer Why, as a WebSocket close code; default 1006
---@field reason? string Why, in words

---Cuts the connection of a source.
---```lua
---t.disconnect("btc", { code = 1001, reason = "going away" })
---```
---@param input string The name of an input or a source
---@param options? pipeline.t.disconnect.options Why it disconnects
function Test.disconnect(input, options) end

---@class pipeline.t.effect.fields
---@field connect? string The source to connect
---@field disconnect? string The source to disconnect
---@field subscribe? string The source to subscribe at
---@field unsubscribe? string The source to unsubscribe at
---@field subscription? string The name of the subscription
---@field items? string[] The items it is about
---@field send? string The output that a message was sent to
---@field message? any The message that was sent
---@field publish? string The output that a value was published to
---@field value? any The value that was published
---@field http? string The URL of an HTTP request
---@field method? string The request's method
---@field headers? table<string, string> The request's header fields
---@field body? any The request's body
---@field key? string The key that asked for the request

---Claims the next effect.
---```lua
---t.effect { send = "btc", message = { op = "ping" } }
---```
---@param fields? pipeline.t.effect.fields What must match
function Test.effect(fields) end

---@class pipeline.t.emitted.options
---@field script? string The script it came from

---Claims that a message was handed on.
---```lua
---t.emitted("bars", { symbol = "BTC", close = 1 })
---```
---@param topic string The topic
---@param value? any The message that was handed on
---@param options? pipeline.t.emitted.options Which message
function Test.emitted(topic, value, options) end

---Claims that a handler failed.
---```lua
---t.error("expected a number")
---```
---@param text string The error's text, or a part of it
function Test.error(text) end

---Lets a channel fail from now on.
---```lua
---t.fail("phone", "out of credit")
---```
---@param channel string The name of a channel
---@param reason? string Why, in words; nil lets the channel deliver again
function Test.fail(channel, reason) end

---@class pipeline.t.gap.options
---@field key? string The key whose messages are missing; default every key
---@field missed? integer How many are missing, if that is known
---@field reason? string How the gap showed; default "sequence"

---Tells that messages of a source are missing.
---```lua
---t.gap("btc", { missed = 3 })
---```
---@param input string The name of an input or a source
---@param options? pipeline.t.gap.options What is missing
function Test.gap(input, options) end

---Claims the next line of the log.
---```lua
---t.log("warn", "no price")
---```
---@param level "debug"|"info"|"warn"|"error" The line's level
---@param text string The line's text, or a part of it
---@overload fun(text: string)
function Test.log(level, text) end

---Claims that nothing more happened.
---```lua
---t.nothing()
---```
function Test.nothing() end

---@class pipeline.t.receive.options
---@field time? string|integer When the message happened; default now
---@field late? boolean Whether it comes after a later one; default false
---@field replayed? boolean Whether it was sent before; default false
---@field sequence? integer Its number
---@field topic? string Its topic
---@field text? boolean Whether it is text as it is, and not read as JSON; default false
---@field received? string|integer When it came in; default when it happened

---Lets a message come in.
---```lua
---t.receive("price", { bitcoin = "69000" })
---```
---@param input string The name of an input or a source
---@param message any A table, which is sent as JSON, or the raw text of a message
---@param options? pipeline.t.receive.options What goes with it
function Test.receive(input, message, options) end

---Connects a source that is disconnected.
---```lua
---t.reconnect("btc")
---```
---@param input string The name of an input or a source
function Test.reconnect(input) end

---@class pipeline.t.recording.options
---@field source? string The source of messages without one of their own; default the first
---@field every? pipeline.Duration How far such messages are apart; default "1s"

---Plays a recording, such as one of pipeline record, or a file of messages.
---```lua
---t.recording("minute.ndjson")
---```
---@param file string The file, from the folder of the test
---@param options? pipeline.t.recording.options How plain messages are played
function Test.recording(file, options) end

---@class pipeline.t.reload.options
---@field file? string The script or configuration to take in place of the present one, from the folder of the test
---@field params? table<string, any> Parameters in place of those given so far
---@field refused? string Claims that it is refused, with a part of the reason, and the old one runs on

---Puts a newer form of the script in the place of the one that runs, with its state.
---```lua
---t.reload { file = "alert_v2.lua" }
---```
---@param options? pipeline.t.reload.options What is new
function Test.reload(options) end

---@class pipeline.t.reply.reply
---@field status? integer The HTTP status; default 200
---@field headers? table<string, string> Header fields by name
---@field json? any The body as plain data
---@field text? string The body as it is
---@field error? string Why there is no answer

---Answers an HTTP request that waits for its reply.
---```lua
---t.reply("/v1/btc", { status = 200, json = { name = "bitcoin" } })
---```
---@param url string A part of the URL; the oldest request without it
---@param reply pipeline.t.reply.reply What comes back
---@overload fun(reply: pipeline.t.reply.reply)
function Test.reply(url, reply) end

---@class pipeline.t.resolved.fields
---@field rule? string The rule, or the name given to alert.send
---@field name? string The same as rule
---@field text? string What the alert says
---@field key? string Whose alert it is
---@field severity? "info"|"warning"|"critical" How much it matters
---@field script? string The script it came from
---@field kind? string Whether it fires, reminds or resolves
---@field time? integer When it happened, in milliseconds since 1970 UTC
---@field labels? table<string, string> What goes along
---@field value? number The value in hand
---@field to? string|string[] The channels it went to

---Claims that an alert has been resolved.
---```lua
---t.resolved { rule = "over level" }
---```
---@param fields? pipeline.t.resolved.fields What must match
function Test.resolved(fields) end

---Stops the host and starts it again on what it had stored.
---```lua
---t.restart()
---```
function Test.restart() end

---@class pipeline.t.series.options
---@field every? pipeline.Duration How far ticks are apart; default "1s"

---Lets messages come in one after another.
---```lua
---t.series("price", function(n) return { bitcoin = n } end, "69000 +100x10 _x3")
---```
---@param input string The name of an input or a source
---@param make fun(value: number): any Makes a message of a number
---@param ticks string Numbers, steps such as +100 and -5, _ for no message and stale, each with x and a count if it repeats
---@param options? pipeline.t.series.options How it is played
function Test.series(input, make, ticks, options) end

---Tells that a source is connected, but silent for too long.
---```lua
---t.stale("btc")
---```
---@param input string The name of an input or a source
function Test.stale(input) end

---@class pipeline.t.state.options
---@field script? string Whose state, where there are several

---Claims fields of the state.
---```lua
---t.state { price = 69000.0 }
---```
---@param key string Whose state
---@param fields table<string, any> The fields that changed, with their new values
---@param options? pipeline.t.state.options Which state
---@overload fun(fields: table<string, any>, options?: pipeline.t.state.options)
function Test.state(key, fields, options) end

---@class pipeline.t.warm_up.options
---@field script? string Whose input it is, where several have one of this name
---@field every? pipeline.Duration How far messages are apart, up to now; those that carry their times keep them; default "1s"

---Lets a history come before the first message, as warm_up of a configuration does: nothing of it leaves.
---```lua
---t.warm_up("price", { { bitcoin = 69000 }, { bitcoin = 69500 } })
---```
---@param input? string The input whose history it is; without it, the files that the configuration names
---@param history? any[]|string Its messages, the oldest first, or the text of a file or an answer that holds them
---@param options? pipeline.t.warm_up.options How it is read
function Test.warm_up(input, history, options) end

---@class pipeline.test.config.options
---@field now? string|integer When the test's clock begins; default "2026-01-01T00:00:00Z"

---Puts a whole configuration together to test it with its routes and channels.
---```lua
---local t = test.config("config.lua")
---```
---@param file string The configuration's file, from the folder of the test
---@param options? pipeline.test.config.options How it is set up
---@return pipeline.Test # the table t of verbs and claims
function test.config(file, options) end

---@class pipeline.test.script.options
---@field params? table<string, any> Parameters in place of the script's defaults
---@field now? string|integer When the test's clock begins; default "2026-01-01T00:00:00Z"
---@field from? table<string, string> The source of an input, where it has another name

---Makes a script with a source for each of its inputs to test it alone.
---```lua
---local t = test.script("alert.lua", { params = { level = 70000 } })
---```
---@param file string The script's file, from the folder of the test
---@param options? pipeline.test.script.options How it is set up
---@return pipeline.Test # the table t of verbs and claims
function test.script(file, options) end

---Writes a date and time as strftime does.
---```lua
---time.format(time.now(), "%H:%M", "Europe/Berlin")
---```
---@param time number Milliseconds since 1970 UTC
---@param pattern? string With %Y %m %d %H %M %S and so on; RFC 3339 if left out
---@param zone? string UTC if left out
---@return string # text
function time.format(time, pattern, zone) end

---Gives the time of the message in hand.
---```lua
---local since = time.now() - state.last_time
---```
---@return integer # milliseconds since 1970 UTC
function time.now() end

---Reads a date and time.
---```lua
---time.parse("2026-12-31 18:30", "Europe/Berlin")
---```
---@param text string A date, or a date and time (RFC 3339)
---@param zone? string Whose local time it is if it has no offset
---@return integer # milliseconds since 1970 UTC
function time.parse(text, zone) end

---@class pipeline.time.parts.result
---@field year integer The year
---@field month integer From 1 to 12
---@field day integer From 1 to 31
---@field hour integer From 0 to 23
---@field minute integer From 0 to 59
---@field second integer From 0 to 59
---@field weekday integer From 1, Monday, to 7
---@field year_day integer From 1 to 366
---@field offset integer How far the zone is ahead of UTC; in seconds

---Takes a time apart.
---```lua
---if time.parts(ctx.time, "Europe/Berlin").weekday > 5 then return end
---```
---@param time number Milliseconds since 1970 UTC
---@param zone? string UTC if left out
---@return pipeline.time.parts.result # a table of year, month, day, hour, minute, second, weekday (1 is Monday), year_day and offset
function time.parts(time, zone) end

---@class pipeline.source.file.options.reconnect
---@field enabled? boolean Whether a connection that ended in any way is opened again; default true
---@field first? pipeline.Duration The longest first wait; the wait is drawn at random below it, and it doubles with each attempt until data has flowed; default "1s"
---@field cap? pipeline.Duration The longest wait between two attempts; default "60s"
---@field max_attempts? integer The attempts in a row that bring no data after which the source is given up with an alert, and the program ends once it has no other; without it there is no end; in attempts

---@class pipeline.source.file.options.time
---@field field string The field, with dots between the names on the way
---@field unit? "s"|"ms"|"us"|"ns"|"text" What it counts since 1970 UTC, or text for a date and time in words; default "ms"

---@class pipeline.source.file.options.sequence
---@field last string The number of the message, or the last one that it covers
---@field first? string The first number that it covers
---@field previous? string The last number of the message before it
---@field key? string What has numbers of its own, such as a symbol; without it the source as a whole
---@field per_connection? boolean Whether the numbers begin anew at each connect; default false

---The options of source.file.
---@class pipeline.source.file.options
---@field path string The file, from the folder of the configuration
---@field follow? boolean Whether the source waits for more at the end of the file, through rotations; default false
---@field read_from? "start"|"end" Where a file that is followed is read from where no position is stored; default "start"
---@field stale_after? pipeline.Duration The time without any line after which a source that follows its file is stale
---@field reconnect? pipeline.source.file.options.reconnect How a file that can't be read is tried again while it is followed
---@field max_message_bytes? integer The most that one line may have; a larger one is an error and is not handed on; in bytes; default 4194304
---@field decode? "json"|"json_lines"|"text" What a message is: JSON, JSON line by line, or text as it is; default "json"
---@field split? "items"|"pairs" Makes many messages of one: each item of a list, or each member of a table as its key and value; what is neither passes as it is
---@field split_field? string The field that is split, with dots between the names on the way; else the whole message
---@field numbers? string[] Fields whose texts are numbers, with dots between the names on the way; they arrive as numbers, also those within a list or a table that is named
---@field time? pipeline.source.file.options.time When it happened, for ctx.time; without it that is when it came in. A message older than the one before it of its key is late (ctx.late), and no news to rules unless they accept_late
---@field sequence? pipeline.source.file.options.sequence The fields that number messages, with dots between the names on the way. M.events.gap is told of what is missing, repeated or begun anew before the message that shows it; repeated ones are skipped. A restart of the program is a gap of its own, and numbers are compared anew from there
---@field id? string The field that tells messages apart; one that was there before is repeated, also over connects, but not over a restart of the program
---@field id_key? string What has ids of its own, such as a symbol; without it an id stands for one message alone
---@field id_window? integer How many ids are remembered; in messages; default 10000
---@field repeated? "skip"|"mark" What becomes of a repeated message: it is skipped, or handled with ctx.replayed, when rules ignore it; default "skip"

---Reads a message from each line of a file, and then ends or follows what is written to it.
---```lua
---btc = source.file { path = "prices.ndjson", follow = true }
---```
---@param options pipeline.source.file.options
---@return pipeline.Source
function source.file(options) end

---@class pipeline.source.http.options.reconnect
---@field enabled? boolean Whether a connection that ended in any way is opened again; default true
---@field first? pipeline.Duration The longest first wait; the wait is drawn at random below it, and it doubles with each attempt until data has flowed; default "1s"
---@field cap? pipeline.Duration The longest wait between two attempts; default "60s"
---@field max_attempts? integer The attempts in a row that bring no data after which the source is given up with an alert, and the program ends once it has no other; without it there is no end; in attempts

---@class pipeline.source.http.options.time
---@field field string The field, with dots between the names on the way
---@field unit? "s"|"ms"|"us"|"ns"|"text" What it counts since 1970 UTC, or text for a date and time in words; default "ms"

---@class pipeline.source.http.options.sequence
---@field last string The number of the message, or the last one that it covers
---@field first? string The first number that it covers
---@field previous? string The last number of the message before it
---@field key? string What has numbers of its own, such as a symbol; without it the source as a whole
---@field per_connection? boolean Whether the numbers begin anew at each connect; default false

---The options of source.http.
---@class pipeline.source.http.options
---@field url string|pipeline.EnvironmentReference The address to ask
---@field every? pipeline.Duration The time from one request to the next; default "60s"
---@field jitter? pipeline.Duration The most that chance adds to each of these times, so that clients don't ask in step; without it a tenth of 'every'
---@field timeout? pipeline.Duration The time that a request and its whole answer may take; default "30s"
---@field headers? table<string, string|pipeline.EnvironmentReference> Headers of each request, each a text or env "NAME"
---@field method? "GET"|"POST"|"PUT" The method; without it GET, or POST where there is a body
---@field body? any The body to send: a text as it is, a table as JSON
---@field unchanged? "skip"|"send" What becomes of an answer that is the same as the one before; default "skip"
---@field decompress? "gzip"|"zlib"|"deflate_raw"|"auto" How answers are compressed, beyond what their headers say; max_message_bytes holds before and after it
---@field connect_timeout? pipeline.Duration The time that name, connection and TLS may take together; default "10s"
---@field stale_after? pipeline.Duration The time without any message after which the source is stale and connects again
---@field reconnect? pipeline.source.http.options.reconnect How a connection is opened again
---@field max_message_bytes? integer The most that one answer may have; a larger one is an error and is not handed on; in bytes; default 4194304
---@field ca_file? string Certificates to trust in place of the system's, in PEM form
---@field insecure_skip_verify? boolean Accepts any certificate, and with it anybody's messages; only for tests; default false
---@field client_certificate? string The certificate to show to the server, in PEM form
---@field client_key? string The key of that certificate
---@field proxy? string|pipeline.EnvironmentReference The proxy to go through, in place of the one that the environment names (https_proxy and the like)
---@field queue? string How much may wait while scripts are slow, each message counting 128 bytes beside its own; until then the source is read on, and pings are answered; default "8MB"
---@field overflow? "block"|"drop_oldest"|"latest_per_key" What happens when no more may wait. block: nothing is read until there is room, so the server waits; its pings are not answered either, and it may give the connection up. drop_oldest: the oldest messages give way. latest_per_key: messages give way to a later one of the key that M.key names. What is dropped is told as a gap: rules neither fire nor resolve by it; default "block"
---@field decode? "json"|"json_lines"|"text" What a message is: JSON, JSON line by line, or text as it is; default "json"
---@field split? "items"|"pairs" Makes many messages of one: each item of a list, or each member of a table as its key and value; what is neither passes as it is
---@field split_field? string The field that is split, with dots between the names on the way; else the whole message
---@field numbers? string[] Fields whose texts are numbers, with dots between the names on the way; they arrive as numbers, also those within a list or a table that is named
---@field time? pipeline.source.http.options.time When it happened, for ctx.time; without it that is when it came in. A message older than the one before it of its key is late (ctx.late), and no news to rules unless they accept_late
---@field sequence? pipeline.source.http.options.sequence The fields that number messages, with dots between the names on the way. M.events.gap is told of what is missing, repeated or begun anew before the message that shows it; repeated ones are skipped. A restart of the program is a gap of its own, and numbers are compared anew from there
---@field id? string The field that tells messages apart; one that was there before is repeated, also over connects, but not over a restart of the program
---@field id_key? string What has ids of its own, such as a symbol; without it an id stands for one message alone
---@field id_window? integer How many ids are remembered; in messages; default 10000
---@field repeated? "skip"|"mark" What becomes of a repeated message: it is skipped, or handled with ctx.replayed, when rules ignore it; default "skip"

---Asks a web address now and then, each answer being a message.
---```lua
---status = source.http {
---  url = "https://example.org/status.json", every = "30s", timeout = "10s",
---  headers = { Authorization = env "STATUS_TOKEN" }, stale_after = "10m",
---}
---```
---@param options pipeline.source.http.options
---@return pipeline.Source
function source.http(options) end

---@class pipeline.source.mqtt.options.reconnect
---@field enabled? boolean Whether a connection that ended in any way is opened again; default true
---@field first? pipeline.Duration The longest first wait; the wait is drawn at random below it, and it doubles with each attempt until data has flowed; default "1s"
---@field cap? pipeline.Duration The longest wait between two attempts; default "60s"
---@field max_attempts? integer The attempts in a row that bring no data after which the source is given up with an alert, and the program ends once it has no other; without it there is no end; in attempts

---@class pipeline.source.mqtt.options.will
---@field topic string The topic
---@field payload? any A text as it is, a table as JSON; empty if not given
---@field qos? integer The quality of service; default 0
---@field retain? boolean Whether the broker keeps the message for those who subscribe later; default false

---@class pipeline.source.mqtt.options.send
---@field topic string The topic
---@field qos? integer The quality of service; default 0
---@field retain? boolean Whether the broker keeps the message for those who subscribe later; default false

---@class pipeline.source.mqtt.options.time
---@field field string The field, with dots between the names on the way
---@field unit? "s"|"ms"|"us"|"ns"|"text" What it counts since 1970 UTC, or text for a date and time in words; default "ms"

---@class pipeline.source.mqtt.options.sequence
---@field last string The number of the message, or the last one that it covers
---@field first? string The first number that it covers
---@field previous? string The last number of the message before it
---@field key? string What has numbers of its own, such as a symbol; without it the source as a whole
---@field per_connection? boolean Whether the numbers begin anew at each connect; default false

---The options of source.mqtt.
---@class pipeline.source.mqtt.options
---@field url string|pipeline.EnvironmentReference The address of the broker; the port is 1883, or 8883 with TLS (mqtts), if not given
---@field topics string[] The topics to receive; + stands for any one level, # at the end for all further ones
---@field qos? integer What the broker takes care of: 0 at most once, 1 at least once, 2 exactly once; default 0
---@field session? "clean"|"durable" Whether the broker forgets the client at each end, or keeps messages for it; default "clean"
---@field client_id? string The name that the broker knows the client by, which no other may have at the same time; made up if not given
---@field username? string|pipeline.EnvironmentReference The user, a text or env "NAME"
---@field password? string|pipeline.EnvironmentReference The password, a text or env "NAME"
---@field keepalive? pipeline.Duration The silence after which broker and client try the connection out, in whole seconds; default "60s"
---@field connect_timeout? pipeline.Duration The time that name, connection, TLS and the broker's welcome may take together; default "10s"
---@field stale_after? pipeline.Duration The time without any message after which the source is stale and connects again
---@field reconnect? pipeline.source.mqtt.options.reconnect How a connection is opened again
---@field will? pipeline.source.mqtt.options.will What the broker publishes when the connection is lost
---@field send? pipeline.source.mqtt.options.send Where the messages go that scripts send (effect.send)
---@field max_message_bytes? integer The most that one message may have; a larger one is an error and is not handed on; in bytes; default 4194304
---@field decompress? "gzip"|"zlib"|"deflate_raw"|"auto" How messages are compressed; max_message_bytes holds before and after it
---@field ca_file? string Certificates to trust in place of the system's, in PEM form
---@field insecure_skip_verify? boolean Accepts any certificate, and with it anybody's messages; only for tests; default false
---@field client_certificate? string The certificate to show to the server, in PEM form
---@field client_key? string The key of that certificate
---@field queue? string How much may wait while scripts are slow, each message counting 128 bytes beside its own; until then the source is read on, and pings are answered; default "8MB"
---@field overflow? "block"|"drop_oldest"|"latest_per_key" What happens when no more may wait. block: nothing is read until there is room, so the server waits; its pings are not answered either, and it may give the connection up. drop_oldest: the oldest messages give way. latest_per_key: messages give way to a later one of the key that M.key names. What is dropped is told as a gap: rules neither fire nor resolve by it; default "block"
---@field decode? "json"|"json_lines"|"text" What a message is: JSON, JSON line by line, or text as it is; default "json"
---@field split? "items"|"pairs" Makes many messages of one: each item of a list, or each member of a table as its key and value; what is neither passes as it is
---@field split_field? string The field that is split, with dots between the names on the way; else the whole message
---@field numbers? string[] Fields whose texts are numbers, with dots between the names on the way; they arrive as numbers, also those within a list or a table that is named
---@field time? pipeline.source.mqtt.options.time When it happened, for ctx.time; without it that is when it came in. A message older than the one before it of its key is late (ctx.late), and no news to rules unless they accept_late
---@field sequence? pipeline.source.mqtt.options.sequence The fields that number messages, with dots between the names on the way. M.events.gap is told of what is missing, repeated or begun anew before the message that shows it; repeated ones are skipped. A restart of the program is a gap of its own, and numbers are compared anew from there
---@field id? string The field that tells messages apart; one that was there before is repeated, also over connects, but not over a restart of the program
---@field id_key? string What has ids of its own, such as a symbol; without it an id stands for one message alone
---@field id_window? integer How many ids are remembered; in messages; default 10000
---@field repeated? "skip"|"mark" What becomes of a repeated message: it is skipped, or handled with ctx.replayed, when rules ignore it; default "skip"

---Receives the messages of topics from an MQTT broker, and connects again after each loss.
---```lua
---sensors = source.mqtt {
---  url = "mqtts://broker.example.org", topics = { "sensors/+/temperature" },
---  qos = 1, session = "durable", client_id = "pipeline-1",
---  username = env "MQTT_USER", password = env "MQTT_PASSWORD",
---}
---```
---@param options pipeline.source.mqtt.options
---@return pipeline.Source
function source.mqtt(options) end

---The options of source.simulated.
---@class pipeline.source.simulated.options
---@field kind? "prices"|"trades" The form of the messages: prices such as {"bitcoin":"67123.45"}, or trades of 14 fields; default "prices"
---@field symbols? string[] The names that messages are about, each message about one of them; without it "bitcoin" for prices, and three pairs for trades
---@field seed? integer Where chance starts from; another seed is another feed; default 1
---@field rate? number How fast messages come; in messages a second; default 10
---@field price? number The price that every symbol starts from; default 67000
---@field volatility? number The usual size of one step, as a fraction of the price (standard deviation); default 0.0005
---@field count? integer The messages after which the feed ends; without it it goes on; in messages
---@field queue? string How much may wait while scripts are slow, each message counting 128 bytes beside its own; until then the source is read on, and pings are answered; default "8MB"
---@field overflow? "block"|"drop_oldest"|"latest_per_key" What happens when no more may wait. block: nothing is read until there is room, so the server waits; its pings are not answered either, and it may give the connection up. drop_oldest: the oldest messages give way. latest_per_key: messages give way to a later one of the key that M.key names. What is dropped is told as a gap: rules neither fire nor resolve by it; default "block"

---Makes up prices or trades from a seed, the same ones at each start; needs no network.
---```lua
---btc = source.simulated { kind = "prices", rate = 20, price = 69900 }
---```
---@param options pipeline.source.simulated.options
---@return pipeline.Source
function source.simulated(options) end

---@class pipeline.source.sse.options.reconnect
---@field enabled? boolean Whether a connection that ended in any way is opened again; default true
---@field first? pipeline.Duration The longest first wait; the wait is drawn at random below it, and it doubles with each attempt until data has flowed; default "1s"
---@field cap? pipeline.Duration The longest wait between two attempts; default "60s"
---@field max_attempts? integer The attempts in a row that bring no data after which the source is given up with an alert, and the program ends once it has no other; without it there is no end; in attempts

---@class pipeline.source.sse.options.time
---@field field string The field, with dots between the names on the way
---@field unit? "s"|"ms"|"us"|"ns"|"text" What it counts since 1970 UTC, or text for a date and time in words; default "ms"

---@class pipeline.source.sse.options.sequence
---@field last string The number of the message, or the last one that it covers
---@field first? string The first number that it covers
---@field previous? string The last number of the message before it
---@field key? string What has numbers of its own, such as a symbol; without it the source as a whole
---@field per_connection? boolean Whether the numbers begin anew at each connect; default false

---The options of source.sse.
---@class pipeline.source.sse.options
---@field url string|pipeline.EnvironmentReference The address of the stream
---@field events? string[] The names of the events to hand on; without it all
---@field idle_timeout? pipeline.Duration The time without a single byte, comments included, after which the connection is given up: the way to notice a dead one where the server sends comments to keep it alive
---@field headers? table<string, string|pipeline.EnvironmentReference> Headers of each request, each a text or env "NAME"
---@field connect_timeout? pipeline.Duration The time that name, connection and TLS may take together; default "10s"
---@field stale_after? pipeline.Duration The time without any message after which the source is stale and connects again
---@field reconnect? pipeline.source.sse.options.reconnect How a connection is opened again
---@field max_message_bytes? integer The most that one event may have; a larger one is an error and is not handed on; in bytes; default 4194304
---@field ca_file? string Certificates to trust in place of the system's, in PEM form
---@field insecure_skip_verify? boolean Accepts any certificate, and with it anybody's messages; only for tests; default false
---@field client_certificate? string The certificate to show to the server, in PEM form
---@field client_key? string The key of that certificate
---@field proxy? string|pipeline.EnvironmentReference The proxy to go through, in place of the one that the environment names (https_proxy and the like)
---@field queue? string How much may wait while scripts are slow, each message counting 128 bytes beside its own; until then the source is read on, and pings are answered; default "8MB"
---@field overflow? "block"|"drop_oldest"|"latest_per_key" What happens when no more may wait. block: nothing is read until there is room, so the server waits; its pings are not answered either, and it may give the connection up. drop_oldest: the oldest messages give way. latest_per_key: messages give way to a later one of the key that M.key names. What is dropped is told as a gap: rules neither fire nor resolve by it; default "block"
---@field decode? "json"|"json_lines"|"text" What a message is: JSON, JSON line by line, or text as it is; default "json"
---@field split? "items"|"pairs" Makes many messages of one: each item of a list, or each member of a table as its key and value; what is neither passes as it is
---@field split_field? string The field that is split, with dots between the names on the way; else the whole message
---@field numbers? string[] Fields whose texts are numbers, with dots between the names on the way; they arrive as numbers, also those within a list or a table that is named
---@field time? pipeline.source.sse.options.time When it happened, for ctx.time; without it that is when it came in. A message older than the one before it of its key is late (ctx.late), and no news to rules unless they accept_late
---@field sequence? pipeline.source.sse.options.sequence The fields that number messages, with dots between the names on the way. M.events.gap is told of what is missing, repeated or begun anew before the message that shows it; repeated ones are skipped. A restart of the program is a gap of its own, and numbers are compared anew from there
---@field id? string The field that tells messages apart; one that was there before is repeated, also over connects, but not over a restart of the program
---@field id_key? string What has ids of its own, such as a symbol; without it an id stands for one message alone
---@field id_window? integer How many ids are remembered; in messages; default 10000
---@field repeated? "skip"|"mark" What becomes of a repeated message: it is skipped, or handled with ctx.replayed, when rules ignore it; default "skip"

---Receives server-sent events, and opens the stream again whenever it ends.
---```lua
---trades = source.sse {
---  url = "https://example.org/trades", events = { "trade" },
---  idle_timeout = "45s", headers = { Authorization = env "FEED_TOKEN" },
---}
---```
---@param options pipeline.source.sse.options
---@return pipeline.Source
function source.sse(options) end

---@class pipeline.source.stdin.options.time
---@field field string The field, with dots between the names on the way
---@field unit? "s"|"ms"|"us"|"ns"|"text" What it counts since 1970 UTC, or text for a date and time in words; default "ms"

---@class pipeline.source.stdin.options.sequence
---@field last string The number of the message, or the last one that it covers
---@field first? string The first number that it covers
---@field previous? string The last number of the message before it
---@field key? string What has numbers of its own, such as a symbol; without it the source as a whole
---@field per_connection? boolean Whether the numbers begin anew at each connect; default false

---The options of source.stdin.
---@class pipeline.source.stdin.options
---@field max_message_bytes? integer The most that one line may have; a larger one is an error and is not handed on; in bytes; default 4194304
---@field decode? "json"|"json_lines"|"text" What a message is: JSON, JSON line by line, or text as it is; default "json"
---@field split? "items"|"pairs" Makes many messages of one: each item of a list, or each member of a table as its key and value; what is neither passes as it is
---@field split_field? string The field that is split, with dots between the names on the way; else the whole message
---@field numbers? string[] Fields whose texts are numbers, with dots between the names on the way; they arrive as numbers, also those within a list or a table that is named
---@field time? pipeline.source.stdin.options.time When it happened, for ctx.time; without it that is when it came in. A message older than the one before it of its key is late (ctx.late), and no news to rules unless they accept_late
---@field sequence? pipeline.source.stdin.options.sequence The fields that number messages, with dots between the names on the way. M.events.gap is told of what is missing, repeated or begun anew before the message that shows it; repeated ones are skipped. A restart of the program is a gap of its own, and numbers are compared anew from there
---@field id? string The field that tells messages apart; one that was there before is repeated, also over connects, but not over a restart of the program
---@field id_key? string What has ids of its own, such as a symbol; without it an id stands for one message alone
---@field id_window? integer How many ids are remembered; in messages; default 10000
---@field repeated? "skip"|"mark" What becomes of a repeated message: it is skipped, or handled with ctx.replayed, when rules ignore it; default "skip"

---Reads a message from each line of the standard input, until it ends.
---```lua
---feed = source.stdin {}
---```
---@param options pipeline.source.stdin.options
---@return pipeline.Source
function source.stdin(options) end

---@class pipeline.source.websocket.options.reconnect
---@field enabled? boolean Whether a connection that ended in any way is opened again; default true
---@field first? pipeline.Duration The longest first wait; the wait is drawn at random below it, and it doubles with each attempt until data has flowed; default "1s"
---@field cap? pipeline.Duration The longest wait between two attempts; default "60s"
---@field max_attempts? integer The attempts in a row that bring no data after which the source is given up with an alert, and the program ends once it has no other; without it there is no end; in attempts

---@class pipeline.source.websocket.options.login
---@field send? any What is sent; without it the server is expected to speak first
---@field expect? any What the answer is like that lets the next step begin: a text as it is, or a table of fields that it has; {any} stands for anything, {id} for the number of the request
---@field refuse? any What an answer is like that refuses
---@field within? pipeline.Duration The time that the answer may take; default "10s"

---@class pipeline.source.websocket.options.subscriptions
---@field send any What is sent: {items} stands for the list of items; an element of a list with {item} in it stands there once for each item, {item:lower} in lower case; {id} is the number of the request, {position} where to resume
---@field items? string[] What is subscribed to, such as symbols
---@field chunk? integer The most items of one message; in items; default 100
---@field cancel? any What is sent to end it for items
---@field enabled? boolean Whether it is asked for before a script says so; default true
---@field expect? any What the answer is like that confirms, as in login; with {item} in it each item is confirmed for itself. Without it there is no answer
---@field refuse? any What an answer is like that refuses; a message of many items is then halved until the ones at fault are found, and the rest goes on
---@field within? pipeline.Duration The time that the answer may take; default "10s"
---@field match? any What its data are like
---@field stale_after? pipeline.Duration The time without its data after which it is asked for again, and after as much time again the connection is given up

---@class pipeline.source.websocket.options.heartbeat
---@field every pipeline.Duration The time between two
---@field send? any What is sent; without it the server is expected to send on its own
---@field expect? any What the answer is like, or the server's own heartbeat
---@field within? pipeline.Duration The time the answer may take before the connection is given up; default "10s"

---@class pipeline.source.websocket.options.echo
---@field match any What the message is like: a text, or a table of fields
---@field send any What is answered; {name} stands for the field of that name, with dots where it is deeper

---@class pipeline.source.websocket.options.time
---@field field string The field, with dots between the names on the way
---@field unit? "s"|"ms"|"us"|"ns"|"text" What it counts since 1970 UTC, or text for a date and time in words; default "ms"

---@class pipeline.source.websocket.options.sequence
---@field last string The number of the message, or the last one that it covers
---@field first? string The first number that it covers
---@field previous? string The last number of the message before it
---@field key? string What has numbers of its own, such as a symbol; without it the source as a whole
---@field per_connection? boolean Whether the numbers begin anew at each connect; default false

---The options of source.websocket.
---@class pipeline.source.websocket.options
---@field url string|pipeline.EnvironmentReference The address of the feed; {position} in it stands for the position to resume at
---@field headers? (table<string, string|pipeline.EnvironmentReference>)|(fun(ctx: any): table<string, string|pipeline.EnvironmentReference>) Headers of the opening request, each a text or env "NAME"; or a function that is called before each connection with ctx, a table of source, connection and time, and returns them
---@field subprotocols? string[] Subprotocols to offer, the preferred one first
---@field ping? pipeline.Duration The time between two pings; "0s" for none; default "20s"
---@field ping_timeout? pipeline.Duration The time after a ping before the connection is given up, if neither its pong nor anything else comes; default "10s"
---@field connect_timeout? pipeline.Duration The time that name, connection, TLS and handshake may take together; default "10s"
---@field stale_after? pipeline.Duration The time without any message after which the source is stale and connects again; pongs don't count, and it runs from the opening on
---@field quiet_hours? string[] When silence is no fault, as where a market is closed: hours of each day, days of the week, or dates, each with a zone behind it, or else in UTC
---@field reconnect? pipeline.source.websocket.options.reconnect How a connection is opened again
---@field max_message_bytes? integer The most that one message may have; a larger one is an error and is not handed on; in bytes; default 4194304
---@field compression? boolean Offers to compress messages (permessage-deflate): a quarter of the bytes is usual, for less than a microsecond of work on a small message; default true
---@field decompress? "gzip"|"zlib"|"deflate_raw"|"auto" How binary messages are compressed, beyond what the connection itself does; texts pass as they are; max_message_bytes holds before and after it
---@field ca_file? string Certificates to trust in place of the system's, in PEM form
---@field insecure_skip_verify? boolean Accepts any certificate, and with it anybody's messages; only for tests; default false
---@field client_certificate? string The certificate to show to the server, in PEM form
---@field client_key? string The key of that certificate
---@field proxy? string|pipeline.EnvironmentReference The proxy to go through, in place of the one that the environment names (https_proxy and the like)
---@field position? string The message field that is the position to resume at, with dots between the names on the way
---@field first_position? string The position used before there is one; default ""
---@field login? pipeline.source.websocket.options.login[] What is sent before anything else, step by step, each once the one before it is answered; the connection is given up when a step is refused or not answered
---@field open? any[] Messages to send after each opening, in order: a text as it is, a table as JSON; {position} stands for the position to resume at
---@field subscriptions? table<string, pipeline.source.websocket.options.subscriptions> What is asked for after each opening, by name; scripts change it with effect.subscribe and effect.unsubscribe, which is remembered
---@field pace? pipeline.Duration The least time between two messages to the server; answers to it go out at once all the same; default "0s"
---@field pass_answers? boolean Whether scripts get the answers to logins and subscriptions as well; default false
---@field heartbeat? pipeline.source.websocket.options.heartbeat Messages that the server wants to see now and then, beside the pings of the protocol; scripts don't get the answers
---@field echo? pipeline.source.websocket.options.echo[] Messages of the server that are answered at once, even while a script is busy; scripts don't get them
---@field ignore? any[] What messages are like that scripts don't get, such as notices: a text, or a table of fields, as in login; answers that are awaited count all the same
---@field queue? string How much may wait while scripts are slow, each message counting 128 bytes beside its own; until then the source is read on, and pings are answered; default "8MB"
---@field overflow? "block"|"drop_oldest"|"latest_per_key" What happens when no more may wait. block: nothing is read until there is room, so the server waits; its pings are not answered either, and it may give the connection up. drop_oldest: the oldest messages give way. latest_per_key: messages give way to a later one of the key that M.key names. What is dropped is told as a gap: rules neither fire nor resolve by it; default "block"
---@field decode? "json"|"json_lines"|"text" What a message is: JSON, JSON line by line, or text as it is; default "json"
---@field split? "items"|"pairs" Makes many messages of one: each item of a list, or each member of a table as its key and value; what is neither passes as it is
---@field split_field? string The field that is split, with dots between the names on the way; else the whole message
---@field numbers? string[] Fields whose texts are numbers, with dots between the names on the way; they arrive as numbers, also those within a list or a table that is named
---@field time? pipeline.source.websocket.options.time When it happened, for ctx.time; without it that is when it came in. A message older than the one before it of its key is late (ctx.late), and no news to rules unless they accept_late
---@field sequence? pipeline.source.websocket.options.sequence The fields that number messages, with dots between the names on the way. M.events.gap is told of what is missing, repeated or begun anew before the message that shows it; repeated ones are skipped. A restart of the program is a gap of its own, and numbers are compared anew from there
---@field id? string The field that tells messages apart; one that was there before is repeated, also over connects, but not over a restart of the program
---@field id_key? string What has ids of its own, such as a symbol; without it an id stands for one message alone
---@field id_window? integer How many ids are remembered; in messages; default 10000
---@field repeated? "skip"|"mark" What becomes of a repeated message: it is skipped, or handled with ctx.replayed, when rules ignore it; default "skip"

---Receives messages over a WebSocket connection, and opens it again whenever it ends.
---```lua
---btc = source.websocket {
---  url = "wss://example.org/prices?assets=bitcoin", stale_after = "60s",
---  open = { { op = "subscribe", channel = "prices" } },
---  reconnect = { first = "1s", cap = "60s" },
---}
---```
---@param options pipeline.source.websocket.options
---@return pipeline.Source
function source.websocket(options) end

---@class pipeline.channel.alertmanager.options.pace
---@field count integer The number of alerts
---@field per pipeline.Duration Within each span of this length

---@class pipeline.channel.alertmanager.options.retry
---@field first? pipeline.Duration The longest wait before the second attempt; it doubles with each further one; default "1s"
---@field cap? pipeline.Duration The bound of the doubling; default "5m"
---@field attempts? integer The attempts before an alert becomes a dead letter or goes to the fallback; 20 if not given, 5 with a fallback

---The options of channel.alertmanager.
---@class pipeline.channel.alertmanager.options
---@field url string|pipeline.EnvironmentReference The Alertmanager, without /api/v2/alerts
---@field headers? table<string, string|pipeline.EnvironmentReference> Headers to add, each a text or env "NAME"
---@field labels? table<string, string> Labels to add to every alert
---@field repeat_every? pipeline.Duration The time after which alerts that go on are posted again; default "1m"
---@field timeout? pipeline.Duration The time that an attempt may take, connecting included; default "10s"
---@field ca_file? string Certificates to trust in place of the system's, in PEM form
---@field insecure_skip_verify? boolean Accepts any certificate, and with it any receiver; only for tests; default false
---@field pace? pipeline.channel.alertmanager.options.pace At most so many alerts within a span of time; more of them wait
---@field retry? pipeline.channel.alertmanager.options.retry How attempts that fail for now are repeated: after a random wait, and never earlier than the receiver asks for
---@field max_age? pipeline.Duration The age at which an alert is not worth sending any more; such ones are summed up in one message; default "1h"
---@field fallback? string The channel that takes over what this one can't deliver

---Posts alerts to a Prometheus Alertmanager, again while they go on, and tells when they end.
---```lua
---ops = channel.alertmanager { url = "http://localhost:9093" }
---```
---@param options pipeline.channel.alertmanager.options
---@return pipeline.Channel
function channel.alertmanager(options) end

---The options of channel.console.
---@class pipeline.channel.console.options
---@field format? "text"|"json" How alerts are written wherever they go
---@field fallback? string The channel that takes over what this one can't deliver

---Writes alerts to standard output: clear lines on a terminal, lines of JSON elsewhere.
---```lua
---screen = channel.console {}
---```
---@param options pipeline.channel.console.options
---@return pipeline.Channel
function channel.console(options) end

---@class pipeline.channel.desktop.options.pace
---@field count integer The number of alerts
---@field per pipeline.Duration Within each span of this length

---@class pipeline.channel.desktop.options.retry
---@field first? pipeline.Duration The longest wait before the second attempt; it doubles with each further one; default "1s"
---@field cap? pipeline.Duration The bound of the doubling; default "5m"
---@field attempts? integer The attempts before an alert becomes a dead letter or goes to the fallback; 20 if not given, 5 with a fallback

---The options of channel.desktop.
---@class pipeline.channel.desktop.options
---@field command? string The program that shows them, found in the path; default "notify-send"
---@field timeout? pipeline.Duration The time that the program may take; default "10s"
---@field pace? pipeline.channel.desktop.options.pace At most so many alerts within a span of time; more of them wait
---@field retry? pipeline.channel.desktop.options.retry How attempts that fail for now are repeated: after a random wait, and never earlier than the receiver asks for
---@field max_age? pipeline.Duration The age at which an alert is not worth sending any more; such ones are summed up in one message; default "1h"
---@field fallback? string The channel that takes over what this one can't deliver

---Shows alerts on the desktop, through notify-send.
---```lua
---desk = channel.desktop { fallback = "screen" }
---```
---@param options pipeline.channel.desktop.options
---@return pipeline.Channel
function channel.desktop(options) end

---@class pipeline.channel.discord.options.pace
---@field count integer The number of alerts
---@field per pipeline.Duration Within each span of this length

---@class pipeline.channel.discord.options.retry
---@field first? pipeline.Duration The longest wait before the second attempt; it doubles with each further one; default "1s"
---@field cap? pipeline.Duration The bound of the doubling; default "5m"
---@field attempts? integer The attempts before an alert becomes a dead letter or goes to the fallback; 20 if not given, 5 with a fallback

---The options of channel.discord.
---@class pipeline.channel.discord.options
---@field url string|pipeline.EnvironmentReference The address of the webhook, which is a secret: env "NAME"
---@field username? string The name to post under, in place of the webhook's own
---@field timeout? pipeline.Duration The time that an attempt may take, connecting included; default "10s"
---@field ca_file? string Certificates to trust in place of the system's, in PEM form
---@field insecure_skip_verify? boolean Accepts any certificate, and with it any receiver; only for tests; default false
---@field pace? pipeline.channel.discord.options.pace At most so many alerts within a span of time; more of them wait; default { count = 1, per = "2s" }
---@field retry? pipeline.channel.discord.options.retry How attempts that fail for now are repeated: after a random wait, and never earlier than the receiver asks for
---@field max_age? pipeline.Duration The age at which an alert is not worth sending any more; such ones are summed up in one message; default "1h"
---@field fallback? string The channel that takes over what this one can't deliver

---Posts alerts to a Discord channel, through a webhook.
---```lua
---team = channel.discord { url = env "DISCORD_URL" }
---```
---@param options pipeline.channel.discord.options
---@return pipeline.Channel
function channel.discord(options) end

---@class pipeline.channel.email.options.pace
---@field count integer The number of alerts
---@field per pipeline.Duration Within each span of this length

---@class pipeline.channel.email.options.retry
---@field first? pipeline.Duration The longest wait before the second attempt; it doubles with each further one; default "1s"
---@field cap? pipeline.Duration The bound of the doubling; default "5m"
---@field attempts? integer The attempts before an alert becomes a dead letter or goes to the fallback; 20 if not given, 5 with a fallback

---The options of channel.email.
---@class pipeline.channel.email.options
---@field server string|pipeline.EnvironmentReference The server with its port: smtp:// turns to TLS with STARTTLS, smtps:// speaks TLS from the start
---@field starttls? boolean Whether smtp:// must turn to TLS; false only for a relay on the same machine or network; default true
---@field user? string|pipeline.EnvironmentReference The user to log in as, a text or env "NAME"
---@field password? string|pipeline.EnvironmentReference The user's password: env "NAME"
---@field from string The sender's address
---@field to string[] The addresses of the recipients
---@field timeout? pipeline.Duration The time that an attempt may take, connecting included; default "30s"
---@field ca_file? string Certificates to trust in place of the system's, in PEM form
---@field insecure_skip_verify? boolean Accepts any certificate, and with it any receiver; only for tests; default false
---@field pace? pipeline.channel.email.options.pace At most so many alerts within a span of time; more of them wait
---@field retry? pipeline.channel.email.options.retry How attempts that fail for now are repeated: after a random wait, and never earlier than the receiver asks for
---@field max_age? pipeline.Duration The age at which an alert is not worth sending any more; such ones are summed up in one message; default "1h"
---@field fallback? string The channel that takes over what this one can't deliver

---Sends alerts as mail, through a server that takes it.
---```lua
---mail = channel.email {
---  server = "smtp://mail.example.org:587", user = "alerts@example.org",
---  password = env "MAIL_PASSWORD", from = "alerts@example.org",
---  to = { "ann@example.org" },
---}
---```
---@param options pipeline.channel.email.options
---@return pipeline.Channel
function channel.email(options) end

---The options of channel.file.
---@class pipeline.channel.file.options
---@field path string The file, from the folder of the configuration
---@field sync? boolean Whether each line is on the disk before it counts; default false
---@field rotate_at? string The size at which the file becomes path.1, and that path.2; it grows without end if not given
---@field keep? integer How many such old files are kept; default 5
---@field fallback? string The channel that takes over what this one can't deliver

---Appends alerts to a file, a line of JSON each.
---```lua
---log = channel.file { path = "alerts.ndjson" }
---```
---@param options pipeline.channel.file.options
---@return pipeline.Channel
function channel.file(options) end

---The options of channel.heartbeat.
---@class pipeline.channel.heartbeat.options
---@field url string|pipeline.EnvironmentReference The address to ask for, a text or env "NAME"
---@field every? pipeline.Duration The time between two beats; default "1m"
---@field method? "GET"|"HEAD"|"POST" The method of the request; default "GET"
---@field headers? table<string, string|pipeline.EnvironmentReference> Headers to add, each a text or env "NAME"
---@field timeout? pipeline.Duration The time that an attempt may take, connecting included; default "10s"
---@field ca_file? string Certificates to trust in place of the system's, in PEM form
---@field insecure_skip_verify? boolean Accepts any certificate, and with it any receiver; only for tests; default false

---Asks for a URL while all is well: a dead man's switch, which tells when the host itself is gone.
---```lua
---alive = channel.heartbeat { url = env "HEARTBEAT_URL", every = "1m" }
---```
---@param options pipeline.channel.heartbeat.options
---@return pipeline.Channel
function channel.heartbeat(options) end

---@class pipeline.channel.ntfy.options.pace
---@field count integer The number of alerts
---@field per pipeline.Duration Within each span of this length

---@class pipeline.channel.ntfy.options.retry
---@field first? pipeline.Duration The longest wait before the second attempt; it doubles with each further one; default "1s"
---@field cap? pipeline.Duration The bound of the doubling; default "5m"
---@field attempts? integer The attempts before an alert becomes a dead letter or goes to the fallback; 20 if not given, 5 with a fallback

---The options of channel.ntfy.
---@class pipeline.channel.ntfy.options
---@field topic string|pipeline.EnvironmentReference The topic to publish to
---@field url? string|pipeline.EnvironmentReference The address of the server, without the topic; default "https://ntfy.sh"
---@field token? string|pipeline.EnvironmentReference An access token: env "NAME"
---@field timeout? pipeline.Duration The time that an attempt may take, connecting included; default "10s"
---@field ca_file? string Certificates to trust in place of the system's, in PEM form
---@field insecure_skip_verify? boolean Accepts any certificate, and with it any receiver; only for tests; default false
---@field pace? pipeline.channel.ntfy.options.pace At most so many alerts within a span of time; more of them wait; default { count = 60, per = "5m" }
---@field retry? pipeline.channel.ntfy.options.retry How attempts that fail for now are repeated: after a random wait, and never earlier than the receiver asks for
---@field max_age? pipeline.Duration The age at which an alert is not worth sending any more; such ones are summed up in one message; default "1h"
---@field fallback? string The channel that takes over what this one can't deliver

---Sends alerts to phones and desktops through ntfy.
---```lua
---phone = channel.ntfy { topic = env "NTFY_TOPIC" }
---```
---@param options pipeline.channel.ntfy.options
---@return pipeline.Channel
function channel.ntfy(options) end

---@class pipeline.channel.slack.options.pace
---@field count integer The number of alerts
---@field per pipeline.Duration Within each span of this length

---@class pipeline.channel.slack.options.retry
---@field first? pipeline.Duration The longest wait before the second attempt; it doubles with each further one; default "1s"
---@field cap? pipeline.Duration The bound of the doubling; default "5m"
---@field attempts? integer The attempts before an alert becomes a dead letter or goes to the fallback; 20 if not given, 5 with a fallback

---The options of channel.slack.
---@class pipeline.channel.slack.options
---@field url string|pipeline.EnvironmentReference The address of the incoming webhook, which is a secret: env "NAME"
---@field timeout? pipeline.Duration The time that an attempt may take, connecting included; default "10s"
---@field ca_file? string Certificates to trust in place of the system's, in PEM form
---@field insecure_skip_verify? boolean Accepts any certificate, and with it any receiver; only for tests; default false
---@field pace? pipeline.channel.slack.options.pace At most so many alerts within a span of time; more of them wait; default { count = 1, per = "1s" }
---@field retry? pipeline.channel.slack.options.retry How attempts that fail for now are repeated: after a random wait, and never earlier than the receiver asks for
---@field max_age? pipeline.Duration The age at which an alert is not worth sending any more; such ones are summed up in one message; default "1h"
---@field fallback? string The channel that takes over what this one can't deliver

---Posts alerts to a Slack channel, through an incoming webhook.
---```lua
---team = channel.slack { url = env "SLACK_URL" }
---```
---@param options pipeline.channel.slack.options
---@return pipeline.Channel
function channel.slack(options) end

---@class pipeline.channel.telegram.options.pace
---@field count integer The number of alerts
---@field per pipeline.Duration Within each span of this length

---@class pipeline.channel.telegram.options.retry
---@field first? pipeline.Duration The longest wait before the second attempt; it doubles with each further one; default "1s"
---@field cap? pipeline.Duration The bound of the doubling; default "5m"
---@field attempts? integer The attempts before an alert becomes a dead letter or goes to the fallback; 20 if not given, 5 with a fallback

---The options of channel.telegram.
---@class pipeline.channel.telegram.options
---@field token string|pipeline.EnvironmentReference The bot's token: env "NAME"
---@field chat string|pipeline.EnvironmentReference The chat's number, or the @name of a public one
---@field thread? integer The topic within a forum, by its number
---@field silent? boolean Whether alerts come without a sound; default false
---@field url? string|pipeline.EnvironmentReference The address of the Bot API, for a server of one's own; default "https://api.telegram.org"
---@field timeout? pipeline.Duration The time that an attempt may take, connecting included; default "10s"
---@field ca_file? string Certificates to trust in place of the system's, in PEM form
---@field insecure_skip_verify? boolean Accepts any certificate, and with it any receiver; only for tests; default false
---@field pace? pipeline.channel.telegram.options.pace At most so many alerts within a span of time; more of them wait; default { count = 1, per = "3s" }
---@field retry? pipeline.channel.telegram.options.retry How attempts that fail for now are repeated: after a random wait, and never earlier than the receiver asks for
---@field max_age? pipeline.Duration The age at which an alert is not worth sending any more; such ones are summed up in one message; default "1h"
---@field fallback? string The channel that takes over what this one can't deliver

---Sends alerts to a Telegram chat, as a bot.
---```lua
---me = channel.telegram { token = env "TELEGRAM_TOKEN", chat = "123456789" }
---```
---@param options pipeline.channel.telegram.options
---@return pipeline.Channel
function channel.telegram(options) end

---@class pipeline.channel.webhook.options.pace
---@field count integer The number of alerts
---@field per pipeline.Duration Within each span of this length

---@class pipeline.channel.webhook.options.retry
---@field first? pipeline.Duration The longest wait before the second attempt; it doubles with each further one; default "1s"
---@field cap? pipeline.Duration The bound of the doubling; default "5m"
---@field attempts? integer The attempts before an alert becomes a dead letter or goes to the fallback; 20 if not given, 5 with a fallback

---The options of channel.webhook.
---@class pipeline.channel.webhook.options
---@field url string|pipeline.EnvironmentReference Where alerts are sent, a text or env "NAME"
---@field method? "POST"|"PUT"|"PATCH" The method of the request; default "POST"
---@field headers? table<string, string|pipeline.EnvironmentReference> Headers to add, each a text or env "NAME"
---@field body? fun(alert: any): any Makes other bodies: it is given the fields of the plain one and returns a table, sent as JSON, or a text
---@field timeout? pipeline.Duration The time that an attempt may take, connecting included; default "10s"
---@field ca_file? string Certificates to trust in place of the system's, in PEM form
---@field insecure_skip_verify? boolean Accepts any certificate, and with it any receiver; only for tests; default false
---@field pace? pipeline.channel.webhook.options.pace At most so many alerts within a span of time; more of them wait
---@field retry? pipeline.channel.webhook.options.retry How attempts that fail for now are repeated: after a random wait, and never earlier than the receiver asks for
---@field max_age? pipeline.Duration The age at which an alert is not worth sending any more; such ones are summed up in one message; default "1h"
---@field fallback? string The channel that takes over what this one can't deliver

---Sends each alert to a URL as a JSON object.
---```lua
---hook = channel.webhook {
---  url = env "ALERT_URL", headers = { Authorization = env "ALERT_TOKEN" },
---  pace = { count = 30, per = "1m" }, fallback = "screen",
---}
---```
---@param options pipeline.channel.webhook.options
---@return pipeline.Channel
function channel.webhook(options) end

---The options of storage.sqlite.
---@class pipeline.storage.sqlite.options
---@field file string The file, from the folder of the configuration

---Keeps states, rules, timers and unsent alerts in one file.
---```lua
---storage = storage.sqlite { file = "pipeline.db" }
---```
---@param options pipeline.storage.sqlite.options
---@return pipeline.Storage
function storage.sqlite(options) end

---@class pipeline.source.preset.websocket
---@field url? string|pipeline.EnvironmentReference The address of the feed; {position} in it stands for the position to resume at
---@field headers? (table<string, string|pipeline.EnvironmentReference>)|(fun(ctx: any): table<string, string|pipeline.EnvironmentReference>) Headers of the opening request, each a text or env "NAME"; or a function that is called before each connection with ctx, a table of source, connection and time, and returns them
---@field subprotocols? string[] Subprotocols to offer, the preferred one first
---@field ping? pipeline.Duration The time between two pings; "0s" for none; default "20s"
---@field ping_timeout? pipeline.Duration The time after a ping before the connection is given up, if neither its pong nor anything else comes; default "10s"
---@field connect_timeout? pipeline.Duration The time that name, connection, TLS and handshake may take together; default "10s"
---@field stale_after? pipeline.Duration The time without any message after which the source is stale and connects again; pongs don't count, and it runs from the opening on
---@field quiet_hours? string[] When silence is no fault, as where a market is closed: hours of each day, days of the week, or dates, each with a zone behind it, or else in UTC
---@field reconnect? pipeline.source.websocket.options.reconnect How a connection is opened again
---@field max_message_bytes? integer The most that one message may have; a larger one is an error and is not handed on; in bytes; default 4194304
---@field compression? boolean Offers to compress messages (permessage-deflate): a quarter of the bytes is usual, for less than a microsecond of work on a small message; default true
---@field decompress? "gzip"|"zlib"|"deflate_raw"|"auto" How binary messages are compressed, beyond what the connection itself does; texts pass as they are; max_message_bytes holds before and after it
---@field ca_file? string Certificates to trust in place of the system's, in PEM form
---@field insecure_skip_verify? boolean Accepts any certificate, and with it anybody's messages; only for tests; default false
---@field client_certificate? string The certificate to show to the server, in PEM form
---@field client_key? string The key of that certificate
---@field proxy? string|pipeline.EnvironmentReference The proxy to go through, in place of the one that the environment names (https_proxy and the like)
---@field position? string The message field that is the position to resume at, with dots between the names on the way
---@field first_position? string The position used before there is one; default ""
---@field login? pipeline.source.websocket.options.login[] What is sent before anything else, step by step, each once the one before it is answered; the connection is given up when a step is refused or not answered
---@field open? any[] Messages to send after each opening, in order: a text as it is, a table as JSON; {position} stands for the position to resume at
---@field subscriptions? table<string, pipeline.source.websocket.options.subscriptions> What is asked for after each opening, by name; scripts change it with effect.subscribe and effect.unsubscribe, which is remembered
---@field pace? pipeline.Duration The least time between two messages to the server; answers to it go out at once all the same; default "0s"
---@field pass_answers? boolean Whether scripts get the answers to logins and subscriptions as well; default false
---@field heartbeat? pipeline.source.websocket.options.heartbeat Messages that the server wants to see now and then, beside the pings of the protocol; scripts don't get the answers
---@field echo? pipeline.source.websocket.options.echo[] Messages of the server that are answered at once, even while a script is busy; scripts don't get them
---@field ignore? any[] What messages are like that scripts don't get, such as notices: a text, or a table of fields, as in login; answers that are awaited count all the same
---@field queue? string How much may wait while scripts are slow, each message counting 128 bytes beside its own; until then the source is read on, and pings are answered; default "8MB"
---@field overflow? "block"|"drop_oldest"|"latest_per_key" What happens when no more may wait. block: nothing is read until there is room, so the server waits; its pings are not answered either, and it may give the connection up. drop_oldest: the oldest messages give way. latest_per_key: messages give way to a later one of the key that M.key names. What is dropped is told as a gap: rules neither fire nor resolve by it; default "block"
---@field decode? "json"|"json_lines"|"text" What a message is: JSON, JSON line by line, or text as it is; default "json"
---@field split? "items"|"pairs" Makes many messages of one: each item of a list, or each member of a table as its key and value; what is neither passes as it is
---@field split_field? string The field that is split, with dots between the names on the way; else the whole message
---@field numbers? string[] Fields whose texts are numbers, with dots between the names on the way; they arrive as numbers, also those within a list or a table that is named
---@field time? pipeline.source.websocket.options.time When it happened, for ctx.time; without it that is when it came in. A message older than the one before it of its key is late (ctx.late), and no news to rules unless they accept_late
---@field sequence? pipeline.source.websocket.options.sequence The fields that number messages, with dots between the names on the way. M.events.gap is told of what is missing, repeated or begun anew before the message that shows it; repeated ones are skipped. A restart of the program is a gap of its own, and numbers are compared anew from there
---@field id? string The field that tells messages apart; one that was there before is repeated, also over connects, but not over a restart of the program
---@field id_key? string What has ids of its own, such as a symbol; without it an id stands for one message alone
---@field id_window? integer How many ids are remembered; in messages; default 10000
---@field repeated? "skip"|"mark" What becomes of a repeated message: it is skipped, or handled with ctx.replayed, when rules ignore it; default "skip"

---The best bid and ask of symbols on Binance, at each change.
---@class pipeline.source.preset.binance.book_ticker : pipeline.source.preset.websocket
---@field symbols string[] The symbols, in any case

---Changes of the order books of symbols on Binance.
---@class pipeline.source.preset.binance.depth : pipeline.source.preset.websocket
---@field symbols string[] The symbols, in any case
---@field speed? "1000ms"|"100ms" The time between two messages; default "1000ms"

---The current candle of symbols on Binance, about every second or two.
---@class pipeline.source.preset.binance.klines : pipeline.source.preset.websocket
---@field symbols string[] The symbols, in any case
---@field interval? "1s"|"1m"|"3m"|"5m"|"15m"|"30m"|"1h"|"2h"|"4h"|"6h"|"8h"|"12h"|"1d"|"3d"|"1w"|"1M" The length of a candle; default "1m"

---Every trade of symbols on Binance.
---@class pipeline.source.preset.binance.trades : pipeline.source.preset.websocket
---@field symbols string[] The symbols, in any case

---The order books of products on Coinbase Exchange: a snapshot at each connect, then changes.
---@class pipeline.source.preset.coinbase.level2 : pipeline.source.preset.websocket
---@field symbols string[] The products

---Every trade of products on Coinbase Exchange.
---@class pipeline.source.preset.coinbase.matches : pipeline.source.preset.websocket
---@field symbols string[] The products

---The price of products on Coinbase Exchange, with each match.
---@class pipeline.source.preset.coinbase.ticker : pipeline.source.preset.websocket
---@field symbols string[] The products

---The order books of symbols on Kraken: a snapshot at each connect, then changes.
---@class pipeline.source.preset.kraken.book : pipeline.source.preset.websocket
---@field symbols string[] The symbols
---@field depth? integer The prices on each side: the next of 10, 25, 100, 500 and 1000 that holds them is asked for; in prices; default 10

---The best bid and ask, the last price and the day of symbols on Kraken.
---@class pipeline.source.preset.kraken.ticker : pipeline.source.preset.websocket
---@field symbols string[] The symbols
---@field trigger? "trades"|"bbo" What gives a message: each trade, or each change of the best bid or ask; default "trades"

---Every trade of symbols on Kraken.
---@class pipeline.source.preset.kraken.trade : pipeline.source.preset.websocket
---@field symbols string[] The symbols
---@field snapshot? boolean Whether the last 50 trades come at each connect; default false

---The order books of instruments on OKX: a snapshot at each connect, then changes.
---@class pipeline.source.preset.okx.books : pipeline.source.preset.websocket
---@field symbols string[] The instruments

---The last price, the best bid and ask and the day of instruments on OKX.
---@class pipeline.source.preset.okx.tickers : pipeline.source.preset.websocket
---@field symbols string[] The instruments

---The trades of instruments on OKX.
---@class pipeline.source.preset.okx.trades : pipeline.source.preset.websocket
---@field symbols string[] The instruments

---Makes a source for a public feed that is known; the options stand behind the name.
---```lua
---trades = source.preset "binance.trades" { symbols = { "BTCUSDT" } }
---```
---@overload fun(name: "binance.book_ticker"): (fun(options: pipeline.source.preset.binance.book_ticker): pipeline.Source)
---@overload fun(name: "binance.depth"): (fun(options: pipeline.source.preset.binance.depth): pipeline.Source)
---@overload fun(name: "binance.klines"): (fun(options: pipeline.source.preset.binance.klines): pipeline.Source)
---@overload fun(name: "binance.trades"): (fun(options: pipeline.source.preset.binance.trades): pipeline.Source)
---@overload fun(name: "coinbase.level2"): (fun(options: pipeline.source.preset.coinbase.level2): pipeline.Source)
---@overload fun(name: "coinbase.matches"): (fun(options: pipeline.source.preset.coinbase.matches): pipeline.Source)
---@overload fun(name: "coinbase.ticker"): (fun(options: pipeline.source.preset.coinbase.ticker): pipeline.Source)
---@overload fun(name: "kraken.book"): (fun(options: pipeline.source.preset.kraken.book): pipeline.Source)
---@overload fun(name: "kraken.ticker"): (fun(options: pipeline.source.preset.kraken.ticker): pipeline.Source)
---@overload fun(name: "kraken.trade"): (fun(options: pipeline.source.preset.kraken.trade): pipeline.Source)
---@overload fun(name: "okx.books"): (fun(options: pipeline.source.preset.okx.books): pipeline.Source)
---@overload fun(name: "okx.tickers"): (fun(options: pipeline.source.preset.okx.tickers): pipeline.Source)
---@overload fun(name: "okx.trades"): (fun(options: pipeline.source.preset.okx.trades): pipeline.Source)
---@param name string The name of a preset, such as "binance.trades"
---@param options table<string, any> The preset's own options, and any of the source that it stands for in place of the preset's
---@return pipeline.Source
function source.preset(name, options) end

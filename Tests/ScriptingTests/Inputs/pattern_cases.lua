-- Random patterns over random subjects, the same in each run of a seed; both implementations run this file.
-- Quantifiers and subjects are few and short, so that any matcher ends. SEED and COUNT stand before it.

local state = SEED

local function random(n)
  state = state * 6364136223846793005 + 1442695040888963407
  return (state >> 33) % n
end

local function pick(list) return list[random(#list) + 1] end

local letters = { "a", "a", "b", "b", "c", "A", "1", "2", " ", "_", ".", "%", "(", "]", "-", "^", "$", "\0", "\xff", "\xe9" }
local classes = { "%a", "%A", "%d", "%D", "%s", "%w", "%W", "%p", "%l", "%u", "%x", "%c", "%g", "%%", "%.", "%-", "%]", "%z" }

local function subject()
  local s = ""
  for _ = 1, random(13) do s = s .. pick(letters) end
  return s
end

local function set()
  local s = random(3) == 0 and "[^" or "["
  for _ = 1, random(4) do
    local kind = random(4)
    if kind == 0 then s = s .. pick(classes)
    elseif kind == 1 then s = s .. pick { "a-c", "0-9", "b-a", "a-", "-a", "\0-\xff", "%a-z", "]-a" }
    else s = s .. pick(letters) end
  end
  return random(20) == 0 and s or s .. "]"
end

local function single()
  local kind = random(10)
  if kind < 4 then return pick { "a", "b", "c", "1", " ", "\xe9" } end
  if kind < 6 then return "." end
  if kind < 8 then return pick(classes) end
  if kind == 8 then return set() end
  return pick(letters)
end

local function pattern()
  local p = random(5) == 0 and "^" or ""
  local quantifiers = 0
  for _ = 1, random(6) do
    local kind = random(14)
    if kind == 0 then p = p .. "("
    elseif kind == 1 then p = p .. ")"
    elseif kind == 2 then p = p .. "(" .. single() .. pick { "", "*", "-", "+" } .. ")" quantifiers = quantifiers + 1
    elseif kind == 3 then p = p .. "()"
    elseif kind == 4 then p = p .. pick { "%1", "%2", "%0", "%9" }
    elseif kind == 5 then p = p .. "%b" .. pick { "()", "ab", "aa", "", "(" }
    elseif kind == 6 then p = p .. "%f" .. (random(8) == 0 and "a" or set())
    else p = p .. single() end
    if quantifiers < 4 and random(3) == 0 then
      p = p .. pick { "*", "+", "-", "?" }
      quantifiers = quantifiers + 1
    end
  end
  if random(5) == 0 then p = p .. "$" end
  if random(40) == 0 then p = p .. pick { "%", "[", "[^", "(", "[a", "[%" } end
  return p
end

-- Without patterns of its own: they are what is tested.
local function show(value)
  if type(value) ~= "string" then return tostring(value) end
  local parts = { '"' }
  for i = 1, #value do
    local byte = value:byte(i)
    parts[#parts + 1] = byte > 32 and byte < 127 and string.char(byte) or ("\\%d."):format(byte)
  end
  parts[#parts + 1] = '"'
  return table.concat(parts)
end

local function results(...)
  local parts = {}
  for i = 1, select("#", ...) do parts[i] = show((select(i, ...))) end
  return table.concat(parts, " ")
end

local function all(s, p)
  local found = {}
  for a, b, c in s:gmatch(p) do
    found[#found + 1] = results(a, b, c)
    if #found > 30 then break end
  end
  return table.concat(found, ";")
end

local replacements = { "", "x", "<%0>", "%1", "%2", "%%", "%", "%1%1", "%a" }

local cases = {}
for i = 1, COUNT do
  local s, p, at = subject(), pattern(), random(30) - 15
  local replacement, limit = pick(replacements), random(4)
  cases[i] = table.concat({
    show(s) .. " " .. show(p), results(pcall(string.find, s, p)), results(pcall(string.find, s, p, at)),
    results(pcall(string.find, s, p, at, true)), results(pcall(string.match, s, p)),
    results(pcall(string.match, s, p, at)), results(pcall(all, s, p)),
    results(pcall(string.gmatch, s, p, at)) ~= "" and results(pcall(function() return string.gmatch(s, p, at)() end)),
    results(pcall(string.gsub, s, p, replacement)), results(pcall(string.gsub, s, p, replacement, limit)),
    results(pcall(string.gsub, s, p, { a = "A", b = 5, c = false, [1] = "one" })),
    results(pcall(string.gsub, s, p, function(a, b) return b or (a == "a" and a .. a or nil) end)),
  }, " | ")
end
return { cases = cases }

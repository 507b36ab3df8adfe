-- What the sandbox's `string`, `table`, `math` and `utf8` do, case by case: Lua 5.4's behaviour and texts,
-- and at the end where the sandbox differs. It runs inside the sandbox and stops at the first failure.

local group, cases = "", 0

local function show(value)
  if type(value) == "string" then return ("%q"):format(value) end
  if type(value) == "table" then
    local items = {}
    for i = 1, value.n or #value do items[i] = show(value[i]) end
    return "{ " .. table.concat(items, ", ") .. " }"
  end
  return tostring(value)
end

local function is_same(a, b)
  if type(a) == "table" and type(b) == "table" then
    if #a ~= #b then return false end
    for i = 1, #a do if not is_same(a[i], b[i]) then return false end end
    return true
  end
  return a == b and math.type(a) == math.type(b) or a ~= a and b ~= b
end

-- The results of a call, after the list of those expected.
local function is(expected, ...)
  local found = table.pack(...)
  local count = expected.n or #expected
  local same = count == found.n
  for i = 1, count do same = same and is_same(expected[i], found[i]) end
  cases = cases + 1
  if not same then
    expected.n = count
    error(("%s: expected %s, found %s"):format(group, show(expected), show(found)), 2)
  end
end

-- An error whose text holds the expected one.
local function fails(expected, call)
  local found = table.pack(pcall(call))
  cases = cases + 1
  if found[1] then
    error(("%s: expected the error %q, found results %s"):format(group, expected, show(found)), 2)
  elseif not tostring(found[2]):find(expected, 1, true) then
    error(("%s: expected the error %q, found %q"):format(group, expected, tostring(found[2])), 2)
  end
end

-- All rounds of an iterator as one list of lists.
local function all(...)
  local rounds = {}
  local step, subject, control = ...
  for a, b in step, subject, control do rounds[#rounds + 1] = { a, b } end
  return rounds
end

-- The list made of the values after `change` has worked on it.
local function list(change, ...)
  local items = { ... }
  change(items)
  return items
end


group = "string: pieces and bytes"
is({ "ell" }, ("hello"):sub(2, 4))
is({ "llo" }, ("hello"):sub(-3))
is({ "ll" }, ("hello"):sub(-3, -2))
is({ "hello" }, ("hello"):sub(0))
is({ "ello" }, ("hello"):sub(2))
is({ "" }, ("hello"):sub(4, 2))
is({ "hello" }, ("hello"):sub(-100, 100))
is({ "" }, ("hello"):sub(6))
is({ "hello" }, ("hello"):sub(math.mininteger, math.maxinteger))
is({ "" }, ("hello"):sub(math.maxinteger, math.mininteger))
is({ "el" }, ("hello"):sub("2", 3.0))
fails(
  "bad argument #1 to 'sub' (number has no integer representation)",
  function() return ("hello"):sub(1.5) end
)
fails("bad argument #1 to 'sub' (number expected, got no value)", function() return ("hello"):sub() end)
is({ "\x00b" }, ("a\0b"):sub(2, 3))
is({ 104 }, ("hello"):byte())
is({ 101 }, ("hello"):byte(2))
is({ 111 }, ("hello"):byte(-1))
is({ 104, 101, 108, 108, 111 }, ("hello"):byte(1, -1))
is({}, ("hello"):byte(10))
is({}, ("hello"):byte(0))
is({ 108, 111 }, ("hello"):byte(4, 100))
is({ 0, 255 }, ("\0\255"):byte(1, 2))
is({ "" }, string.char())
is({ "hi" }, string.char(104, 105))
is({ "\x00\xff" }, string.char(0, 255))
fails("bad argument #1 to 'char' (value out of range)", function() return string.char(256) end)
fails("bad argument #1 to 'char' (value out of range)", function() return string.char(-1) end)
is({ "A" }, string.char("65"))
fails("bad argument #1 to 'char' (number expected, got string)", function() return string.char("x") end)
is({ 5 }, ("hello"):len())
is({ 3 }, ("a\0b"):len())
is({ 2 }, #("é"))
is({ 2 }, string.len(12))
fails("bad argument #1 to 'len' (string expected, got nil)", function() return string.len(nil) end)
is({ "hello ÄÖ 1" }, ("Hello ÄÖ 1"):lower())
is({ "HELLO äö 1" }, ("Hello äö 1"):upper())
is({ "cba" }, ("abc"):reverse())
is({ "" }, (""):reverse())
is({ "b\x00a" }, ("a\0b"):reverse())

group = "string: rep"
is({ "ababab" }, ("ab"):rep(3))
is({ "ab" }, ("ab"):rep(1))
is({ "" }, ("ab"):rep(0))
is({ "" }, ("ab"):rep(-1))
is({ "ab,ab,ab" }, ("ab"):rep(3, ","))
is({ "ab" }, ("ab"):rep(1, ","))
is({ "abab" }, ("ab"):rep(2, ""))
is({ ",," }, (""):rep(3, ","))
is({ "" }, (""):rep(5))
is({ "xx" }, ("x"):rep(2.0))
fails("bad argument #1 to 'rep' (number has no integer representation)", function() return ("x"):rep(1.5) end)
is({ "xxx" }, ("x"):rep("3"))
fails("bad argument #1 to 'rep' (number expected, got no value)", function() return ("x"):rep() end)
is({ "111" }, string.rep(1, 3))
is({ 3000 }, #("abc"):rep(1000))
is({ 4998 }, #("abc"):rep(1000, "--"))

group = "string: find, plain and by position"
is({ 5, 5 }, ("hello world"):find("o"))
is({ 8, 8 }, ("hello world"):find("o", 6))
is({ 5, 7 }, ("hello world"):find("o w"))
is({ 1, 0 }, ("hello world"):find(""))
is({ 12, 11 }, ("hello world"):find("", 12))
is({ nil, n = 1 }, ("hello world"):find("", 13))
is({ nil, n = 1 }, ("hello world"):find("x"))
is({ 7, 11 }, ("hello world"):find("world", -5))
is({ nil, n = 1 }, ("hello world"):find("world", -4))
is({ 1, 5 }, ("hello world"):find("hello", -100))
is({ 2, 2 }, ("a.b"):find(".", 1, true))
is({ 1, 1 }, ("a.b"):find("."))
is({ 2, 3 }, ("a+b"):find("+b", 1, true))
is({ 2, 2 }, ("a%b"):find("%", 1, true))
is({ 2, 3 }, ("a\0b"):find("\0b"))
is({ 2, 3 }, ("a\0b"):find("\0b", 1, true))
is({ 2, 4 }, ("aaab"):find("aab", 1, true))
is({ nil, n = 1 }, ("ab"):find("abc", 1, true))
is({ 1, 0 }, (""):find(""))
is({ nil, n = 1 }, (""):find("", 2))
is({ nil, n = 1 }, (""):find("a", 1, true))
fails("bad argument #1 to 'find' (string expected, got nil)", function() return ("x"):find(nil) end)

group = "string: classes"
is({ "a" }, ("a1 B_\n"):match("%a+"))
is({ "1" }, ("a1 B_\n"):match("%d"))
is({ " " }, ("a1 B_\n"):match("%s"))
is({ "B" }, ("a1 B_\n"):match("%u"))
is({ "a1" }, ("a1 B_\n"):match("%l%d"))
is({ "_" }, ("a1 B_\n"):match("%p"))
is({ "\n" }, ("a1 B_\n"):match("%c"))
is({ "a1" }, ("a1 B_\n"):match("%w+"))
is({ "0fA" }, ("xyz0fA"):match("%x+"))
is({ "ab" }, (" \tab"):match("%g+"))
is({ "1" }, ("a1 B"):match("%A"))
is({ "a" }, ("12a"):match("%D"))
is({ "a" }, ("  a"):match("%S"))
is({ " " }, ("ab c"):match("%W"))
is({ "C" }, ("abC"):match("%L"))
is({ "c" }, ("ABc"):match("%U"))
is({ "a" }, ("..a"):match("%P"))
is({ "xyz" }, ("xyz09"):match("%X+"))
is({ "a" }, ("\1a"):match("%C"))
is({ " " }, ("a b"):match("%G"))
is({ "\x00" }, ("a\0b"):match("%z"))
is({ nil, n = 1 }, ("é"):match("%a"))
is({ nil, n = 1 }, ("é"):match("%w"))
is({ "é" }, ("é"):match("[^%a]+"))
is({ ".b" }, ("a.b"):match("%.b"))
is({ "50%" }, ("50%"):match("%d+%%"))
is({ "b" }, ("a[b]"):match("%[(.-)%]"))
is({ "\x00x" }, ("\0x"):match(".x"))

group = "string: sets"
is({ "e" }, ("hello"):match("[aeiou]"))
is({ "h" }, ("hello"):match("[^aeiou]+"))
is({ "he" }, ("hello"):match("[a-h]+"))
is({ "llo" }, ("hello"):match("[^a-h]+"))
is({ "]" }, ("x]y"):match("[]]"))
is({ "x" }, ("x]y"):match("[^]]+"))
is({ "a-" }, ("a-b"):match("[a-]+"))
is({ "a-" }, ("a-b"):match("[-a]+"))
is({ "^b" }, ("a^b"):match("[b^]+"))
is({ "%" }, ("a%b"):match("[%%]"))
is({ "]" }, ("a]b"):match("[%]]"))
is({ "ab12" }, ("ab12"):match("[%a][%d%a]*"))
is({ "_a1" }, ("_a1-"):match("[%w_]+"))
is({ "\x00" }, ("a\0b"):match("[\0]"))
is({ "q" }, ("q"):match("[%a-z]"))
is({ "-" }, ("-"):match("[%a-z]"))
is({ nil, n = 1 }, ("5"):match("[^%d]"))
is({ nil, n = 1 }, ("c"):match("[a-]"))
is({ nil, n = 1 }, ("c"):match("[z-a]"))

group = "string: repetition"
is({ "aaa" }, ("aaa"):match("a*"))
is({ "aaa" }, ("aaa"):match("a+"))
is({ "" }, ("aaa"):match("a-"))
is({ "a" }, ("aaa"):match("a?"))
is({ "" }, ("baaa"):match("a*"))
is({ "aaa" }, ("baaa"):match("a+"))
is({ "aaab" }, ("aaab"):match("a-b"))
is({ "aaab" }, ("aaab"):match("^a-b$"))
is({ "ab" }, ("ab"):match("ac?b"))
is({ "acb" }, ("acb"):match("ac?b"))
is({ "aXb" }, ("aXb"):match("a.b"))
is({ "key", "value" }, ("key = value"):match("^(%w+)%s*=%s*(%w+)$"))
is({ "aaa" }, ("aaa"):match("^a-$"))
is({ "<b><i>" }, ("<b><i>"):match("<.*>"))
is({ "<b>" }, ("<b><i>"):match("<.->"))
is({ "aaab" }, ("aaab"):match("a*ab"))
is({ "aab" }, ("aab"):match("a?a?a?b"))
is({ "*+-?" }, ("*+-?"):match("%*%+%-%?"))
is({ "*" }, ("**"):match("*"))
is({ nil, n = 1 }, ("abab"):match("(ab)+"))
is({ "ab" }, ("ab+"):match("(ab)+"))

group = "string: anchors"
is({ "h" }, ("hello"):match("^h"))
is({ nil, n = 1 }, ("hello"):match("^e"))
is({ "o" }, ("hello"):match("o$"))
is({ nil, n = 1 }, ("hello"):match("l$"))
is({ "hello" }, ("hello"):match("^hello$"))
is({ "" }, (""):match("^$"))
is({ "a^b" }, ("a^b"):match("a^b"))
is({ "a$b" }, ("a$b"):match("a$b"))
is({ 3, 3 }, ("hello"):find("^l", 3))
is({ nil, n = 1 }, ("hello"):find("^h", 3))
is({ "a$" }, ("a$"):match("a$$"))
is({ "^a" }, ("^a"):match("^^a"))

group = "string: captures"
is({ "h", "e", "ll" }, ("hello"):match("(h)(e)(l+)"))
is({ "he", "h", "e" }, ("hello"):match("((h)(e))"))
is({ 3, 5 }, ("hello"):match("()ll()"))
is({ 3, 4, "l", "l" }, ("hello"):find("(l)(l)"))
is({ 1, 0, 1 }, ("hello"):find("()"))
is({ 6 }, ("hello"):match("()", 6))
is({ "2026", "11", "30" }, ("2026-11-30"):match("(%d+)-(%d+)-(%d+)"))
is({ "" }, ("abc"):match("(x?)"))
is({ "b" }, ("abc"):match("a(.*)c"))
is({ "ll", "o" }, ("hello"):match(".-(l+)(.*)"))
is({ "abc" }, ("abcabc"):match("(abc)%1"))
is({ "a", "b" }, ("abab"):match("(a)(b)%1%2"))
is({ "'", "it" }, ("'it' \"x\""):match("(['\"])(.-)%1"))
is({ nil, n = 1 }, ("aa"):match("()%1"))
fails("invalid capture index %1", function() return ("abc"):match("%1") end)
fails("invalid capture index %1", function() return ("abc"):match("(a%1)") end)
fails("invalid capture index %2", function() return ("abc"):match("(a)%2") end)
fails("invalid capture index %0", function() return ("abc"):match("%0") end)
fails("unfinished capture", function() return ("abc"):match("(a") end)
fails("invalid pattern capture", function() return ("abc"):match("a)") end)
fails("unfinished capture", function() return ("abc"):match("((a)") end)
is(
  { 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4 },
  ("abc"):match(("()"):rep(32) .. "$")
)
fails("too many captures", function() return ("abc"):match(("()"):rep(33)) end)

group = "string: balance and frontier"
is({ "(a(b)c)" }, ("f(a(b)c)d"):match("%b()"))
is({ "(a)" }, ("((a)"):match("%b()"))
is({ nil, n = 1 }, ("((("):match("%b()"))
is({ "xax" }, ("xaxbx"):match("%bxx"))
is({ "[[a]]" }, ("[[a]]"):match("%b[]"))
is({ 5, 11, "quick" }, ("THE (quick) fox"):find("%((%a+)%)"))
is({ "w (w) w", 3 }, ("THE (quick) fox"):gsub("%f[%a]%a+", "w"))
is({ 7, 11 }, ("hello world"):find("%f[%w]%w+", 2))
is({ "" }, ("hello"):match("%f[%z]"))
is({ 6, 5 }, ("hello"):find("%f[%z]"))
is({ 6, 5 }, ("hello"):find("%f[\0]"))
is({ 4, 3 }, ("THE"):find("%f[%A]"))
fails("malformed pattern (missing arguments to '%b')", function() return ("a"):match("%b") end)
fails("malformed pattern (missing arguments to '%b')", function() return ("a"):match("%bx") end)
fails("missing '[' after '%f' in pattern", function() return ("a"):match("%f") end)
fails("missing '[' after '%f' in pattern", function() return ("a"):match("%fa") end)

group = "string: malformed patterns"
fails("malformed pattern (ends with '%')", function() return ("a"):match("%") end)
fails("malformed pattern (missing ']')", function() return ("a"):match("[a") end)
fails("malformed pattern (missing ']')", function() return ("a"):match("[") end)
fails("malformed pattern (missing ']')", function() return ("a"):match("[]") end)
fails("malformed pattern (missing ']')", function() return ("a"):match("[^]") end)
fails("malformed pattern (missing ']')", function() return ("a"):match("[%") end)
fails("malformed pattern (missing ']')", function() return ("a"):match("[%]") end)
is({ nil, n = 1 }, ("a"):match("x["))
fails("malformed pattern (missing ']')", function() return ("a"):match("a[") end)
fails("malformed pattern (ends with '%')", function() return ("a"):match("a%") end)
is({ nil, n = 1 }, ("a"):find("[a", 1, true))
fails("pattern too complex", function() return ("a"):rep(300):match(("a?"):rep(200)) end)
is({ 199 }, #("a"):rep(300):match(("a?"):rep(199)))

group = "string: gsub"
is({ "heLLo", 2 }, ("hello"):gsub("l", "L"))
is({ "heLlo", 1 }, ("hello"):gsub("l", "L", 1))
is({ "hello", 0 }, ("hello"):gsub("l", "L", 0))
is({ "hello", 0 }, ("hello"):gsub("l", "L", -1))
is({ "-h-e-l-l-o-", 6 }, ("hello"):gsub("", "-"))
is({ "hello", 0 }, ("hello"):gsub("x", "y"))
is({ "hheelllloo", 5 }, ("hello"):gsub(".", "%0%0"))
is({ "hell!o", 1 }, ("hello"):gsub("(l)(l)", "%2%1!"))
is({ "he[ll]o", 1 }, ("hello"):gsub("l+", "[%0]"))
is({ "he[ll]o", 1 }, ("hello"):gsub("l+", "[%1]"))
is({ "he34o", 2 }, ("hello"):gsub("()l", "%1"))
is({ "Jello", 1 }, ("hello"):gsub("^h", "J"))
is({ "Jhh", 1 }, ("hhh"):gsub("^h", "J"))
is({ "hellO", 1 }, ("hello"):gsub("o$", "O"))
is({ "%a%b%c", 3 }, ("abc"):gsub("%w", "%%%0"))
is({ "-a-c-", 3 }, ("abc"):gsub("b*", "-"))
is({ "<abc> <def>", 2 }, ("abc def"):gsub("%w+", "<%0>"))
is({ "xbxcx", 3 }, ("abc"):gsub("a*", "x"))
is({ "trim", 1 }, ("  trim  "):gsub("^%s*(.-)%s*$", "%1"))
is({ "abc", 4 }, ("abc"):gsub("", ""))
is({ "abc", 2 }, ("a b c"):gsub(" ", ""))
is({ "a0b", 1 }, ("a\0b"):gsub("\0", "0"))
is({ "a\x00c", 1 }, ("abc"):gsub("b", "\0"))
is({ "a7c", 1 }, ("abc"):gsub("b", 7))
is({ "a1.5c", 1 }, ("abc"):gsub("b", 1.5))
fails("invalid use of '%' in replacement string", function() return ("abc"):gsub("b", "%") end)
fails("invalid use of '%' in replacement string", function() return ("abc"):gsub("b", "%x") end)
fails("invalid capture index %2", function() return ("abc"):gsub("b", "%2") end)
fails("invalid capture index %2", function() return ("abc"):gsub("(b)", "%2") end)
is({ "abc", 0 }, ("abc"):gsub("x", "%2"))
is({ "Bo is 7", 2 }, ("$name is $age"):gsub("%$(%w+)", { name = "Bo", age = 7 }))
is({ "$name is $age", 2 }, ("$name is $age"):gsub("%$(%w+)", { name = false }))
fails("invalid replacement value (a boolean)", function() return ("abc"):gsub("%w", { a = 1, b = true }) end)
is({ "1b2.5", 3 }, ("abc"):gsub("%w", { a = 1, c = 2.5 }))
is({ "atwoc", 1 }, ("abc"):gsub("()b", { [2] = "two" }))
is({ "aabbcc", 3 }, ("abc"):gsub("%w", setmetatable({}, { __index = function(_, k) return k .. k end })))
is({ "ABC", 3 }, ("abc"):gsub("%w", function(c) return c:upper() end))
is({ "aBc", 3 }, ("abc"):gsub("%w", function(c) if c == "b" then return "B" end end))
is({ "abc", 3 }, ("abc"):gsub("%w", function() return false end))
is({ "bac", 1 }, ("abc"):gsub("(%w)(%w)", function(a, b) return b .. a end))
is({ "1a2b3c4", 4 }, ("abc"):gsub("()", function(at) return at end))
fails(
  "invalid replacement value (a table)",
  function() return ("abc"):gsub("%w", function() return {} end) end
)
fails("inside", function() return ("abc"):gsub("%w", function() error("inside", 0) end) end)
fails(
  "bad argument #2 to 'gsub' (string/function/table expected, got boolean)",
  function() return ("abc"):gsub("b", true) end
)
fails(
  "bad argument #2 to 'gsub' (string/function/table expected, got no value)",
  function() return ("abc"):gsub("b") end
)
is({ "143", 1 }, string.gsub(123, 2, 4))
is({ "world hello from Lua", 1 }, ("hello world from Lua"):gsub("(%w+)%s*(%w+)", "%2 %1", 1))

group = "string: gmatch"
is({ { { "one" }, { "two" } } }, all(("one two"):gmatch("%a+")))
is({ { { "a", "1" }, { "b", "2" } } }, all(("a=1, b=2"):gmatch("(%w+)=(%w+)")))
is({ { { "" }, { "" }, { "" }, { "" } } }, all(("abc"):gmatch("")))
is({ { { "" }, { "b" }, { "" } } }, all(("abc"):gmatch("b*")))
is({ { { 1 }, { 2 }, { 3 }, { 4 } } }, all(("abc"):gmatch("()")))
is({ {} }, all(("abc"):gmatch("x")))
is({ { { "" } } }, all((""):gmatch("")))
is({ {} }, all((""):gmatch("a")))
is({ {} }, all(("aaa"):gmatch("^a")))
is({ { { "a" }, { "b" } } }, all(("abcabc"):gmatch("[ab]", 3)))
is({ { { "b" } } }, all(("abcabc"):gmatch("[ab]", -2)))
is({ { { "" } } }, all(("abc"):gmatch("", 4)))
is({ {} }, all(("abc"):gmatch("", 5)))
is({ { { "k1", "v1" }, { "k2", "v2" } } }, all(("k1=v1;k2=v2"):gmatch("([^=;]+)=([^;]*)")))
is({ { { "a" }, { "b" }, { "" }, { "c" } } }, all(("a,b,,c"):gmatch("([^,]*)")))
is({ { { "THE" }, { "quick" }, { "fox" } } }, all(("THE (quick) fox"):gmatch("%f[%a]%a+")))
fails("malformed pattern (missing ']')", function() return all(("abc"):gmatch("[")) end)
fails("bad argument #1 to 'gmatch' (string expected, got no value)", function() return ("abc"):gmatch() end)

group = "string: format"
is({ "42" }, ("%d"):format(42))
is({ "   42|42   |00042|+42" }, ("%5d|%-5d|%05d|%+d"):format(42, 42, 42, 42))
is({ "005" }, ("%.3d"):format(5))
is({ " 5" }, ("% d"):format(5))
is({ "3" }, ("%d"):format(3.0))
is({ "10" }, ("%d"):format("10"))
fails(
  "bad argument #1 to 'format' (number has no integer representation)",
  function() return ("%d"):format(3.5) end
)
fails("bad argument #1 to 'format' (number expected, got string)", function() return ("%d"):format("x") end)
is({ "-9223372036854775808" }, ("%d"):format(math.mininteger))
is({ "7" }, ("%i"):format(7))
is({ "ff FF 0xff 10" }, ("%x %X %#x %o"):format(255, 255, 255, 8))
is({ "ffffffffffffffff" }, ("%x"):format(-1))
is({ "Hi" }, ("%c%c"):format(72, 105))
is({ "\x00" }, ("%c"):format(0))
is({ "    A|B    |" }, ("%5c|%-5c|"):format(65, 66))
is({ "70000.01" }, ("%.2f"):format(70000.005))
is({ "1.00" }, ("%.2f"):format(1))
is({ "0" }, ("%.0f"):format(0.5))
is({ "    3.14|3.14    |00003.14|+2.0" }, ("%8.2f|%-8.2f|%08.2f|%+.1f"):format(3.14159, 3.14159, 3.14159, 2))
is({ "1000000000000000.000000" }, ("%f"):format(1e15))
is({ 401 }, #("%.99f"):format(1e300))
is({ "1.234568e+04 1.200000E-04" }, ("%e %E"):format(12345.678, 0.00012))
is({ "1e+20 0.1 100000" }, ("%g %g %g"):format(1e20, 0.1, 100000))
is({ "0.667" }, ("%.3g"):format(2 / 3))
is({ "0.1" }, ("%.14g"):format(0.1))
is({ "0.10000000000000001" }, ("%.17g"):format(0.1))
is({ "0x1p+0" }, ("%a"):format(1))
is({ "0x1p-1" }, ("%a"):format(0.5))
is({ "inf -inf -0.000000" }, ("%f %f %f"):format(1 / 0, -1 / 0, -0.0))
is({ "  inf|" }, ("%5.1f|"):format(1 / 0))
is({ "a 1 1.5" }, ("%s %s %s"):format("a", 1, 1.5))
is({ "nil true" }, ("%s %s"):format(nil, true))
is({ "1e+100" }, ("%s"):format(1e100))
is({ "-0.0" }, ("%s"):format(-0.0))
is({ "   ab|cd   |" }, ("%5s|%-5s|"):format("ab", "cd"))
is({ "ab|    x|" }, ("%.2s|%5.1s|"):format("abc", "xyz"))
is({ "|" }, ("%.0s|"):format("abc"))
is({ "a\x00b" }, ("%s"):format("a\0b"))
fails("bad argument #1 to 'format' (string contains zeros)", function() return ("%5s"):format("a\0b") end)
is({ 99 }, #("%99s"):format("x"))
is({ 200 }, #("%5s"):format(("x"):rep(200)))
is({ "shown" }, ("%s"):format(setmetatable({}, { __tostring = function() return "shown" end })))
is({ "1" }, ("%s"):format(setmetatable({}, { __tostring = function() return 1 end })))
is({ '"say \\"hi\\"\\\n\\\\"' }, ("%q"):format('say "hi"\n\\'))
is({ '"a\\0b\\0019\\13\\9\\127"' }, ("%q"):format("a\0b\0019\r\t\127"))
is({ "255" }, ("%q"):format(255))
is({ "0x8000000000000000" }, ("%q"):format(math.mininteger))
is({ "0x1p-1" }, ("%q"):format(0.5))
is({ "1e9999" }, ("%q"):format(1 / 0))
is({ "-1e9999" }, ("%q"):format(-1 / 0))
is({ "(0/0)" }, ("%q"):format(0 / 0))
is({ "nil true" }, ("%q %q"):format(nil, true))
fails("bad argument #1 to 'format' (value has no literal form)", function() return ("%q"):format({}) end)
fails("specifier '%q' cannot have modifiers", function() return ("%5q"):format("x") end)
is({ "%" }, ("%%"):format())
is({ "100% of 3" }, ("100%% of %d"):format(3))
is({ "" }, (""):format())
is({ "no directives" }, ("no directives"):format(1, 2))
is({ "a\x001" }, ("a\0%d"):format(1))
fails("bad argument #1 to 'format' (no value)", function() return ("%d"):format() end)
fails("bad argument #2 to 'format' (no value)", function() return ("%d %d"):format(1) end)
fails("invalid conversion '%' to 'format'", function() return ("%"):format(1) end)
fails("invalid conversion '%y' to 'format'", function() return ("%y"):format(1) end)
fails("invalid conversion '%F' to 'format'", function() return ("%F"):format(1) end)
fails("invalid conversion '%n' to 'format'", function() return ("%n"):format(1) end)
fails("invalid conversion specification: '%100d'", function() return ("%100d"):format(1) end)
fails("invalid conversion specification: '%.100f'", function() return ("%.100f"):format(1) end)
fails("invalid conversion specification: '%#d'", function() return ("%#d"):format(1) end)
fails("invalid format (too long)", function() return ("%0000000000000000000000000d"):format(1) end)
fails("invalid conversion specification: '%-+ #0d'", function() return ("%-+ #0d"):format(1) end)
fails("bad argument #1 to 'format' (string expected, got no value)", function() return string.format() end)

group = "string: pack, unpack, packsize"
is({ "\x02\x01\x00\x00" }, string.pack("<i4", 258))
is({ "\x00\x00\x01\x02" }, string.pack(">i4", 258))
is({ "hi\x00" }, string.pack("z", "hi"))
is({ "\x02hi" }, string.pack("s1", "hi"))
is({ "\x02\x00hi\x07" }, string.pack("<s2B", "hi", 7))
is({ "hi\x00\x00\x00" }, string.pack("c5", "hi"))
fails("bad argument #2 to 'pack' (integer overflow)", function() return string.pack("b", 200) end)
fails(
  "bad argument #2 to 'pack' (string longer than given size)",
  function() return string.pack("c1", "hi") end
)
fails("invalid format option 'y'", function() return string.pack("y", 1) end)
is({ 12 }, string.packsize("<i4i8"))
is({ 16 }, string.packsize("!8i4i8"))
fails("bad argument #1 to 'packsize' (variable-length format)", function() return string.packsize("s") end)
is({ 258, 5 }, string.unpack("<i4", "\2\1\0\0"))
is({ "hi", 4 }, string.unpack("z", "hi\0rest"))
is({ 1, 2, 5 }, string.unpack("<I2I2", "\1\0\2\0"))
is({ 2, 5 }, string.unpack("<I2", "\1\0\2\0", 3))
is({ 1.5, 9 }, string.unpack("<d", string.pack("<d", 1.5)))
fails("bad argument #2 to 'unpack' (data string too short)", function() return string.unpack("i4", "abc") end)
fails(
  "bad argument #3 to 'unpack' (initial position out of string)",
  function() return string.unpack("b", "a", 3) end
)
is({ "", 1 }, string.unpack("c0", ""))

group = "table: concat"
is({ "" }, table.concat({}))
is({ "abc" }, table.concat({ "a", "b", "c" }))
is({ "a, b, c" }, table.concat({ "a", "b", "c" }, ", "))
is({ "b-c" }, table.concat({ "a", "b", "c" }, "-", 2))
is({ "b" }, table.concat({ "a", "b", "c" }, "-", 2, 2))
is({ "" }, table.concat({ "a", "b", "c" }, "-", 3, 2))
is({ "1 2.5 x" }, table.concat({ 1, 2.5, "x" }, " "))
is({ "e" }, table.concat({ [5] = "e" }, "", 5, 5))
fails(
  "invalid value (table) at index 2 in table for 'concat'",
  function() return table.concat({ "a", {}, "c" }) end
)
fails(
  "invalid value (nil) at index 3 in table for 'concat'",
  function() return table.concat({ "a", "b" }, "", 1, 3) end
)
is({ "" }, table.concat({ "a" }, "", math.maxinteger))
fails(
  "invalid value (boolean) at index 1 in table for 'concat'",
  function() return table.concat({ true }) end
)
fails("bad argument #1 to 'concat' (table expected, got string)", function() return table.concat("x") end)
is({ "m" }, table.concat({ [math.maxinteger] = "m" }, ",", math.maxinteger, math.maxinteger))

group = "table: insert and remove"
is({ { 1, 2, 3, 4 } }, list(function(t) table.insert(t, 4) end, 1, 2, 3))
is({ { 0, 1, 2, 3 } }, list(function(t) table.insert(t, 1, 0) end, 1, 2, 3))
is({ { 1, 9, 2, 3 } }, list(function(t) table.insert(t, 2, 9) end, 1, 2, 3))
is({ { 1, 2, 3, 9 } }, list(function(t) table.insert(t, 4, 9) end, 1, 2, 3))
is({ { 0, 1 } }, list(function(t) table.insert(t, "1", 0) end, 1))
fails(
  "bad argument #2 to 'insert' (position out of bounds)",
  function() return list(function(t) table.insert(t, 5, 9) end, 1, 2, 3) end
)
fails(
  "bad argument #2 to 'insert' (position out of bounds)",
  function() return list(function(t) table.insert(t, 0, 9) end, 1, 2, 3) end
)
fails(
  "bad argument #2 to 'insert' (position out of bounds)",
  function() return list(function(t) table.insert(t, -1, 9) end, 1, 2, 3) end
)
fails("wrong number of arguments to 'insert'", function() return list(function(t) table.insert(t) end, 1) end)
fails(
  "wrong number of arguments to 'insert'",
  function() return list(function(t) table.insert(t, 1, 2, 3) end, 1) end
)
fails("bad argument #1 to 'insert' (table expected, got nil)", function() return table.insert(nil, 1) end)
fails("bad argument #1 to 'insert' (table expected, got string)", function() return table.insert("x", 1) end)
fails(
  "bad argument #2 to 'insert' (number expected, got string)",
  function() return table.insert({}, "x", 1) end
)
is({ 3 }, table.remove({ 1, 2, 3 }))
is({ 1 }, table.remove({ 1, 2, 3 }, 1))
is({ 3 }, table.remove({ 1, 2, 3 }, 3))
is({ nil, n = 1 }, table.remove({ 1, 2, 3 }, 4))
is({ nil, n = 1 }, table.remove({}))
is({ nil, n = 1 }, table.remove({}, 0))
is({ "z" }, table.remove({ [0] = "z" }, 0))
is({ nil, n = 1 }, table.remove({ 1 }, 2))
is({ 1 }, table.remove({ 1 }, 1))
is({ { 1, 2 } }, list(function(t) table.remove(t) end, 1, 2, 3))
is({ { 2, 3 } }, list(function(t) table.remove(t, 1) end, 1, 2, 3))
is({ { 1, 3 } }, list(function(t) table.remove(t, 2) end, 1, 2, 3))
is({ { 1, 2, 3 } }, list(function(t) table.remove(t, 4) end, 1, 2, 3))

group = "table: move, pack, unpack"
is({ { 1, 1, 2, 3 } }, list(function(t) table.move(t, 1, 3, 2) end, 1, 2, 3))
is({ { 2, 3, 3 } }, list(function(t) table.move(t, 2, 3, 1) end, 1, 2, 3))
is({ { 1, 2, 1, 2, 3 } }, list(function(t) table.move(t, 1, 3, 3) end, 1, 2, 3))
is({ { 1, 2, 3 } }, list(function(t) table.move(t, 1, 0, 3) end, 1, 2, 3))
is({ { 1, 7, 8 } }, list(function(t) table.move({ 7, 8 }, 1, 2, 2, t) end, 1, 2, 3))
is({ 3 }, #table.move({ 1, 2, 3 }, 1, 3, 1, {}))
is({ "b" }, table.move({ "a", "b" }, 1, 2, 5)[6])
fails(
  "bad argument #4 to 'move' (destination wrap around)",
  function() return table.move({}, 1, math.maxinteger, 2) end
)
fails(
  "bad argument #3 to 'move' (too many elements to move)",
  function() return table.move({}, -1, math.maxinteger, 2) end
)
fails(
  "bad argument #4 to 'move' (destination wrap around)",
  function() return table.move({}, 1, 2, math.maxinteger) end
)
fails(
  "bad argument #3 to 'move' (too many elements to move)",
  function() return table.move({}, math.mininteger, -1, 1) end
)
fails("bad argument #4 to 'move' (number expected, got no value)", function() return table.move({}, 1, 2) end)
fails(
  "bad argument #5 to 'move' (table expected, got number)",
  function() return table.move({}, 1, 2, 3, 4) end
)
is({ 0 }, table.pack().n)
is({ 2 }, table.pack(nil, nil).n)
is({ "c" }, table.pack("a", nil, "c")[3])
is({ 3 }, table.pack("a", nil, "c").n)
is({ 1, 2, 3 }, table.unpack({ 1, 2, 3 }))
is({ 2, 3 }, table.unpack({ 1, 2, 3 }, 2))
is({ 2, 3 }, table.unpack({ 1, 2, 3 }, 2, 3))
is({ 3, nil, nil, n = 3 }, table.unpack({ 1, 2, 3 }, 3, 5))
is({}, table.unpack({ 1, 2, 3 }, 3, 2))
is({ nil, n = 1 }, table.unpack({}, 1, 1))
is({ "m" }, table.unpack({ [-1] = "m" }, -1, -1))
is({}, table.unpack({ 1 }, math.maxinteger, math.mininteger))
is({ "top" }, table.unpack({ [math.maxinteger] = "top" }, math.maxinteger, math.maxinteger))
fails("too many results to unpack", function() return table.unpack({}, 1, 100000000) end)
fails("too many results to unpack", function() return table.unpack({}, math.mininteger, math.maxinteger) end)

group = "table: sort"
is({ { 1, 2, 3 } }, list(function(t) table.sort(t) end, 3, 1, 2))
is({ {} }, list(function(t) table.sort(t) end))
is({ { 1 } }, list(function(t) table.sort(t) end, 1))
is({ { 1, 2 } }, list(function(t) table.sort(t) end, 2, 1))
is({ { -1, 1.5, 2, 10 } }, list(function(t) table.sort(t) end, 2, 1.5, -1, 10))
is(
  { { "", "B", "a", "a", "a\x00b", "ab", "b" } },
  list(function(t) table.sort(t) end, "b", "a", "B", "", "ab", "a\0b", "a")
)
is({ { 3, 2, 1 } }, list(function(t) table.sort(t, function(a, b) return a > b end) end, 3, 1, 2))
is({ { 1, 2, 3 } }, list(function(t) table.sort(t, nil) end, 3, 1, 2))
is(
  { { 0, 1, 2, 3, 3, 4, 5, 5, 6, 7, 8, 9, 11, 12, 13, 15, 19, 20 } },
  list(function(t) table.sort(t) end, 5, 3, 9, 1, 8, 2, 7, 3, 5, 20, 11, 15, 4, 6, 13, 12, 19, 0)
)
is(
  { { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 } },
  list(function(t) table.sort(t) end, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
)
is(
  { { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 } },
  list(function(t) table.sort(t) end, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
)
is(
  { { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 } },
  list(function(t) table.sort(t) end, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
)
fails("attempt to compare string with number", function() return table.sort({ 1, "x" }) end)
fails("attempt to compare two table values", function() return table.sort({ {}, {} }) end)
fails("attempt to compare boolean with number", function() return table.sort({ 1, true }) end)
fails(
  "bad argument #2 to 'sort' (function expected, got number)",
  function() return table.sort({ 1, 2 }, 3) end
)
fails("inside", function() return table.sort({ 1, 2 }, function() error("inside", 0) end) end)
fails("bad argument #1 to 'sort' (table expected, got number)", function() return table.sort(1) end)

group = "math"
is({ 3 }, math.abs(-3))
is({ 3.5 }, math.abs(-3.5))
is({ math.mininteger }, math.abs(math.mininteger))
is({ 2 }, math.ceil(1.2))
is({ -1 }, math.ceil(-1.2))
is({ 5 }, math.ceil(5))
is({ 1 }, math.floor(1.8))
is({ -2 }, math.floor(-1.8))
is({ 1e+100 }, math.floor(1e100))
is({ 1 }, math.fmod(7, 3))
is({ -1 }, math.fmod(-7, 3))
is({ 1.5 }, math.fmod(7.5, 2))
fails("bad argument #2 to 'fmod' (zero)", function() return math.fmod(1, 0) end)
is({ 3 }, math.max(1, 3, 2))
is({ 2.5 }, math.max(1, 2.5))
fails("bad argument #1 to 'max' (value expected)", function() return math.max() end)
is({ 2 }, math.min(4, 2, 8))
is({ -1 }, math.min(-1, 1 / 0))
is({ 3, 0.70000000000000018 }, math.modf(3.7))
is({ -3, -0.70000000000000018 }, math.modf(-3.7))
is({ 5, 0.0 }, math.modf(5))
is({ 1 / 0, 0.0 }, math.modf(1 / 0))
is({ 4.0 }, math.sqrt(16))
is({ 1.0 }, math.exp(0))
is({ 0.0 }, math.log(1))
is({ 3.0 }, math.log(8, 2))
is({ 2.0 }, math.log(100, 10))
is({ 3.0 }, math.log(27, 3))
is({ 0.0 }, math.sin(0))
is({ 1.0 }, math.cos(0))
is({ 0.0 }, math.tan(0))
is({ 0.0 }, math.asin(0))
is({ 0.0 }, math.acos(1))
is({ 0.0 }, math.atan(0))
is({ 0.0 }, math.atan(0, 1))
is({ 0.0 }, math.deg(0))
is({ 0.0 }, math.rad(0))
is({ 3 }, math.tointeger(3.0))
is({ nil, n = 1 }, math.tointeger(3.5))
is({ nil, n = 1 }, math.tointeger("x"))
is({ "integer" }, math.type(1))
is({ "float" }, math.type(1.0))
is({ nil, n = 1 }, math.type("1"))
fails("bad argument #1 to 'type' (value expected)", function() return math.type() end)
is({ true }, math.ult(1, -1))
is({ false }, math.ult(2, 1))
is({ math.maxinteger }, math.maxinteger)
is({ math.mininteger }, math.mininteger)
is({ true }, math.huge == 1 / 0)
is({ true }, math.pi > 3.14159 and math.pi < 3.1416)
is({ 3 }, math.floor("3.7"))
fails("bad argument #1 to 'floor' (number expected, got string)", function() return math.floor("x") end)
fails("bad argument #1 to 'floor' (number expected, got table)", function() return math.floor({}) end)

group = "utf8"
is({ "" }, utf8.char())
is({ "Hä€😀" }, utf8.char(72, 228, 8364, 128512))
is({ 6 }, #utf8.char(0x7FFFFFFF))
is({ "\x00" }, utf8.char(0))
fails("bad argument #1 to 'char' (value out of range)", function() return utf8.char(-1) end)
fails("bad argument #1 to 'char' (value out of range)", function() return utf8.char(0x80000000) end)
is({ 0 }, utf8.len(""))
is({ 4 }, utf8.len("aé€😀"))
is({ 3 }, utf8.len("aé€😀", 2))
is({ 2 }, utf8.len("aé€😀", 4, -1))
is({ nil, 3 }, utf8.len("aé€😀", 3))
is({ nil, 2 }, utf8.len("a\xffb"))
is({ nil, 1 }, utf8.len("\xc0\x80"))
is({ nil, 1 }, utf8.len("\xed\xa0\x80"))
is({ 1 }, utf8.len("\xed\xa0\x80", 1, -1, true))
is({ nil, 1 }, utf8.len("\u{7FFFFFFF}"))
is({ 1 }, utf8.len("\u{7FFFFFFF}", 1, -1, true))
is({ nil, 1 }, utf8.len("\xf4\x90\x80\x80"))
is({ nil, 1 }, utf8.len("\xe2\x82"))
fails("bad argument #2 to 'len' (initial position out of bounds)", function() return utf8.len("abc", 5) end)
is({ 0 }, utf8.len("abc", 4))
fails("bad argument #3 to 'len' (final position out of bounds)", function() return utf8.len("abc", 1, 4) end)
fails("bad argument #2 to 'len' (initial position out of bounds)", function() return utf8.len("abc", 0) end)
is({ 97, 233, 8364 }, utf8.codepoint("aé€", 1, -1))
is({ 233 }, utf8.codepoint("é"))
is({ 233 }, utf8.codepoint("aé", 2))
fails("invalid UTF-8 code", function() return utf8.codepoint("aé", 3) end)
fails("bad argument #3 to 'codepoint' (out of bounds)", function() return utf8.codepoint("abc", 4) end)
fails("bad argument #2 to 'codepoint' (out of bounds)", function() return utf8.codepoint("abc", 0) end)
fails("bad argument #3 to 'codepoint' (out of bounds)", function() return utf8.codepoint("abc", 1, 4) end)
is({}, utf8.codepoint("abc", 3, 2))
fails("invalid UTF-8 code", function() return utf8.codepoint("\u{110000}") end)
is({ 1114112 }, utf8.codepoint("\u{110000}", 1, 1, true))
is({ 4 }, utf8.offset("aé€😀", 3))
is({ 11 }, utf8.offset("aé€😀", 5))
is({ nil, n = 1 }, utf8.offset("aé€😀", 6))
is({ 7 }, utf8.offset("aé€😀", -1))
is({ 1 }, utf8.offset("aé€😀", -4))
is({ nil, n = 1 }, utf8.offset("aé€😀", -5))
is({ 2 }, utf8.offset("aé€😀", 0, 3))
is({ 4 }, utf8.offset("aé€😀", 0, 6))
fails("initial position is a continuation byte", function() return utf8.offset("aé€😀", 1, 3) end)
is({ 4 }, utf8.offset("aé€😀", 1, 4))
is({ 4 }, utf8.offset("aé€😀", 2, 2))
fails("bad argument #3 to 'offset' (position out of bounds)", function() return utf8.offset("abc", 1, 5) end)
is({ 1 }, utf8.offset("", 1))
is({ { { 1, 97 }, { 2, 233 }, { 4, 8364 }, { 7, 128512 } } }, all(utf8.codes("aé€😀")))
is({ {} }, all(utf8.codes("")))
fails("invalid UTF-8 code", function() return all(utf8.codes("a\xff")) end)
is({ { { 1, 55295 }, { 4, 57344 } } }, all(utf8.codes("\u{D7FF}\u{E000}")))
fails("invalid UTF-8 code", function() return all(utf8.codes("\xed\xa0\x80")) end)
is({ { { 1, 55296 } } }, all(utf8.codes("\xed\xa0\x80", true)))
is({ { { "a" }, { "é" }, { "€" } } }, all(("aé€"):gmatch(utf8.charpattern)))

-- Where the sandbox differs from liblua, or where only its own promise can be checked.

group = "no addresses in text"
is({ "table" }, ("%s"):format({}))
is({ "function" }, ("%s"):format(string.format))
is({ "price" }, ("%s"):format(setmetatable({}, { __name = "price" })))
is({ "  table" }, ("%7s"):format({}))
fails("invalid conversion '%p' to 'format'", function() return ("%p"):format({}) end)

group = "what is left out"
is({ nil, n = 1 }, string.dump)
is({ nil, n = 1 }, ("x").dump)

group = "sizes"
is({ "" }, (""):rep(math.maxinteger))
is({ "" }, (""):rep(math.maxinteger, ""))
fails("resulting string too large", function() return ("x"):rep(10000000000) end)
fails("resulting string too large", function() return ("x"):rep(math.maxinteger) end)
fails("resulting string too large", function() return ("x"):rep(math.maxinteger, "yy") end)
fails("'rep'", function() return ("x"):rep((64 << 20) + 1) end)
fails("resulting string too large", function() return string.pack("c70000000", "") end)
fails("resulting string too large", function() return string.pack("c60000000c60000000", "", "") end)
fails("string slice too long", function() return ("z"):rep(3000000):byte(1, -1) end)
fails("too many results to unpack", function() return table.unpack({}, 1, 1000001) end)

group = "long texts"
do
  local long = ("a"):rep(10000)
  is({ 10001, 10001 }, (long .. "b"):find("b"))
  is({ 10001, 10001 }, (long .. "b"):find("b", 1, true))
  is({ 9999, 10002 }, (long .. "bc"):find("aabc", 1, true))
  is({ 9999, 10002 }, (long .. "bc"):find("aabc"))
  is({ nil, n = 1 }, long:find(("a"):rep(10001), 1, true))
  is({ 1, 10000 }, long:find(long, 1, true))
  is({ 4097, 4098 }, (("x"):rep(4096) .. "yz"):find("yz", 1, true))
  is({ 4096, 4097 }, (("x"):rep(4095) .. "yz"):find("yz", 1, true))
  is({ 10000 }, select(2, long:gsub("a", "")))
  is({ 20000 }, #long:gsub("a", "bb"))
  is({ 10000 }, #long:upper())
  is({ 1, 10000 }, long:find("^a*$"))
  is({ 10000 }, #table.concat({ long:sub(1, 5000), long:sub(5001) }))
end

group = "raw access"
do
  local liar = setmetatable({ 2, 1 }, {
    __len = function() return 1 << 40 end,
    __index = function() return 7 end,
    __newindex = function() error("a metamethod was called") end,
  })
  table.sort(liar)
  is({ 1, 2 }, rawget(liar, 1), rawget(liar, 2))
  table.insert(liar, 3)
  is({ 3 }, rawget(liar, 3))
  is({ 1, 2, 3 }, table.unpack(liar))
  is({ "1,2,3" }, table.concat(liar, ","))
  is({ nil, n = 1 }, table.unpack(liar, 4, 4))
  is({ 3 }, table.remove(liar))
  fails("table expected", function() return table.unpack("abc", 1, 1) end)
end

group = "sort: orders that contradict themselves"
do
  local function shuffled()
    local items = {}
    for i = 1, 500 do items[i] = i * 7919 % 503 end
    return items
  end
  local function sum(items)
    local total = 0
    for i = 1, #items do total = total + items[i] end
    return total
  end
  local flip = false
  local orders = {
    function() return true end,
    function() return false end,
    function() flip = not flip; return flip end,
    function(a, b) return a <= b end,
    function(a, b) return (a + b) % 3 == 0 end,
  }
  for i = 1, #orders do
    local items = shuffled()
    local before = sum(items)
    local sorted, reason = pcall(table.sort, items, orders[i])
    is({ true }, sorted or reason:find("invalid order function", 1, true) ~= nil)
    is({ 500, before }, #items, sum(items))
  end
  local growing = shuffled()
  pcall(table.sort, growing, function(a, b) growing[#growing + 1] = a; return a < b end)
  is({ true }, #growing > 500)
  local shrinking = shuffled()
  is({ false }, (pcall(table.sort, shrinking, function(a, b) shrinking[#shrinking] = nil; return a < b end)))
end

group = "sort: larger lists"
do
  local makers = {
    function(i) return i end,
    function(i) return -i end,
    function() return 5 end,
    function(i) return i % 7 end,
    function(i) return i < 500 and i or 1000 - i end,
    function(i) return i * 7919 % 1009 end,
    function(i) return tostring(i * 7919 % 1009) end,
  }
  for m = 1, #makers do
    local items, back = {}, {}
    for i = 1, 1000 do items[i], back[i] = makers[m](i), makers[m](i) end
    table.sort(items)
    table.sort(back, function(a, b) return a > b end)
    local ordered = true
    for i = 2, 1000 do
      ordered = ordered and not (items[i] < items[i - 1]) and not (back[i] > back[i - 1])
    end
    for i = 1, 1000 do ordered = ordered and items[i] == back[1001 - i] end
    is({ true }, ordered)
  end
  local by_rank = setmetatable({}, { __index = function(_, rank)
    return setmetatable({ rank = rank }, { __lt = function(a, b) return a.rank < b.rank end })
  end })
  local first = by_rank[1]
  local ranks = { by_rank[3], first, by_rank[2] }
  -- Values with one `__lt` each: the left one's is asked.
  table.sort(ranks)
  is({ 1, 2, 3 }, ranks[1].rank, ranks[2].rank, ranks[3].rank)
end

group = "utf8: stray continuation bytes"
fails("invalid UTF-8 code", function() return all(utf8.codes("é\x80")) end)
fails("invalid UTF-8 code", function() return all(utf8.codes("\x80")) end)

return { cases = cases }

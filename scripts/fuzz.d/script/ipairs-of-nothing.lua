for _, s in ipairs(nothing) do end
local step = ipairs({}) step(5, 0)
-- Asks LuaJIT's FFI for layouts, and makes and takes calls by it: a program of its own. Its arguments and answers are those of
-- ctypes_child.py. Nothing is compiled just in time: a callback must not come out of compiled code.

jit.off()
local ffi = require "ffi"

ffi.cdef [[
extern unsigned char abi_in[65536], abi_out[65536];
extern void *abi_functions[4096];
extern void *abi_target;
void abi_main(void);
]]
local NOT_READY = 70 -- the exit status where the functions could not be made

-- JSON, as far as it is needed.

local ESCAPES = { n = "\n", t = "\t", r = "\r", b = "\b", f = "\f" }
local value

local function text_at(text, at)
  local last = at + 1
  while text:sub(last, last) ~= '"' do
    last = last + (text:sub(last, last) == "\\" and 2 or 1)
  end
  return text:sub(at + 1, last - 1):gsub("\\(.)", function(letter) return ESCAPES[letter] or letter end), last + 1
end

local function items_at(text, at, closing, take)
  at = text:match("^%s*()", at + 1)
  while text:sub(at, at) ~= closing do
    at = text:match("^%s*,?%s*()", take(at))
  end
  return at + 1
end

function value(text, at)
  at = text:match("^%s*()", at)
  local first = text:sub(at, at)
  if first == '"' then return text_at(text, at) end
  if first == "{" then
    local found = {}
    return found, items_at(text, at, "}", function(here)
      local name, item
      name, here = text_at(text, here)
      item, here = value(text, text:match("^%s*:()", here))
      found[name] = item
      return here
    end)
  end
  if first == "[" then
    local found = {}
    return found, items_at(text, at, "]", function(here)
      local item
      item, here = value(text, here)
      found[#found + 1] = item
      return here
    end)
  end
  local word, after = text:match("^([%w%.%+%-]+)()", at)
  if word == "true" then return true, after end
  if word == "false" then return false, after end
  if word == "null" then return nil, after end
  return tonumber(word), after
end

local function quoted(text)
  return '"' .. text:gsub('[%c"\\]', function(letter) return ("\\u%04x"):format(letter:byte()) end) .. '"'
end

-- What an error says, in a line, without our own place.
local function words_of(message)
  return (tostring(message):gsub("^[^\n]*luajit_child%.lua:%d+: ", ""):gsub("\n.*", ""))
end

-- Layouts.

local function address(object)
  return tonumber(ffi.cast("uintptr_t", ffi.cast("void *", object)))
end

-- The bit offset of a member, and the width of a bit-field, or nil.
local function place(record, path)
  local here, at, width = record, 0, nil
  for number, step in ipairs(path) do
    local goes_on = number < #path
    if type(step) == "number" then
      -- An array and a number are a pointer to the element, whatever the element is.
      local element = here + step
      at, here = at + 8 * (address(element) - address(here)), goes_on and element[0]
    else
      local offset, position, size = ffi.offsetof(ffi.typeof(here), step)
      at, width = at + 8 * offset + (position or 0), size
      here = goes_on and here[step]
    end
  end
  return at, width
end

local function layout(asked)
  ffi.cdef(asked.text)
  local record = ffi.typeof(asked.own_name)
  local object, places = ffi.new(record), {}
  for number, path in ipairs(asked.own_members) do
    local at, width = place(object, path)
    places[number] = ("[%d, %s]"):format(at, width or "null")
  end
  return ('{"size": %d, "align": %d, "places": [%s]}'):format(
    ffi.sizeof(record), ffi.alignof(record), table.concat(places, ", "))
end

-- Calls.

-- What LuaJIT lays out otherwise it would pass otherwise: another question.
local function measure(name, slot)
  local size = ffi.sizeof(ffi.typeof(name))
  if size ~= slot.own then error(("%s would be passed as %d bytes, not %d"):format(name, size, slot.own)) end
end

-- A prototype with the pointer types of its values.
local function question(asked)
  ffi.cdef(asked.text)
  local made = { slots = asked.arguments, result = asked.result, live = asked.live, types = {} }
  made.type, made.unnamed, made.variadic = ffi.typeof(asked.pointer), asked.unnamed, asked.variadic
  made.named = #asked.names - asked.unnamed
  for number, name in ipairs(asked.names) do
    measure(name, asked.arguments[number])
    made.types[number] = ffi.typeof(asked.pointers[number])
    if number > made.named and asked.records[number] then error("a record among unnamed arguments is passed by its address") end
  end
  if made.result then
    measure(asked.returned, made.result)
    made.returns = ffi.typeof(asked.returned_pointer)
  end
  made.own = {}
  for number, name in ipairs(asked.names) do made.own[number] = ffi.typeof(name) end
  return made
end

local function load(pointer, at) return ffi.cast(pointer, at)[0] end

-- Put a value into its slot, a narrow integer widened.
local function store(pointer, slot, at, given)
  if not slot.narrow or slot.narrow == 0 then
    ffi.cast(pointer, at)[0] = given
  else
    if type(given) == "boolean" then given = given and 1 or 0 end
    ffi.cast("int64_t *", at)[0] = tonumber(given)
  end
end

local function loaded(made, inside)
  local arguments = {}
  for number, slot in ipairs(made.slots) do
    local one = load(made.types[number], inside + slot.offset)
    -- Without a type of its own a number among unnamed arguments is passed as a double.
    arguments[number] = number > made.named and ffi.new(made.own[number], one) or one
  end
  return arguments
end

local function called_with(made, target, arguments)
  return ffi.cast(made.type, target)(unpack(arguments, 1, #made.slots))
end

-- Raise what LuaJIT raises for a call of this type: it calls a function that looks at no argument.
local function try(made)
  local memory = ffi.new("unsigned char[65536]")
  local answer = called_with(made, ffi.C.getppid, loaded(made, memory + 0))
  for number, slot in ipairs(made.slots) do store(made.types[number], slot, memory + slot.offset, load(made.types[number], memory + 0)) end
  if made.result then store(made.returns, made.result, memory + 0, answer) end
end

local function can(asked)
  local fine, made = pcall(question, asked)
  local words = not fine and words_of(made) or ""
  if fine then
    local tried, message = pcall(try, made)
    if not tried then words = words_of(message) end
  end
  if words ~= "" then return words, words end
  if made.variadic then return "", "a callback is not variadic" end
  local taken, callback = pcall(ffi.cast, made.type, function() end)
  if not taken then return "", words_of(callback) end
  callback:free()
  return "", ""
end

-- A function of nothing that calls what the driver names with the arguments in abi_in.
local function calling(made, library)
  return ffi.cast("void (*)(void)", function()
    pcall(function()
      local inside, outside = library.abi_in + 0, library.abi_out + 0
      local answer = called_with(made, library.abi_target, loaded(made, inside))
      if made.result then store(made.returns, made.result, outside + made.result.offset, answer) end
      for _, slot in ipairs(made.live) do ffi.copy(outside + slot.offset, inside + slot.offset, slot.size) end
    end)
  end)
end

-- A callback that stores its parameters in abi_out and returns what abi_in holds.
local function called(made, library)
  return ffi.cast(made.type, function(...)
    local given = { ... }
    for number, slot in ipairs(made.slots) do
      store(made.types[number], slot, library.abi_out + slot.offset, given[number])
    end
    if made.result then return load(made.returns, library.abi_in + 0) end
  end)
end

local function serve(questions, path)
  local library, kept = ffi.load(path), {}
  for number, asked in ipairs(questions) do
    local made = question(asked)
    local call = calling(made, library)
    kept[#kept + 1], library.abi_functions[2 * number - 2] = call, ffi.cast("void *", call)
    if asked.taken then
      local callback = called(made, library)
      kept[#kept + 1], library.abi_functions[2 * number - 1] = callback, ffi.cast("void *", callback)
    end
  end
  return library, kept
end

local function told(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  return (value(text, 1))
end

ffi.cdef "int getppid(void);"
local mode = arg[1]
if mode == "--version" then
  print(jit.version)
elseif mode == "--can" and #arg == 2 then
  for _, asked in ipairs(told(arg[2])) do
    local call, callback = can(asked)
    print(("[%s, %s]"):format(quoted(call), quoted(callback)))
  end
elseif mode == "--serve" and #arg == 3 then
  local fine, library = pcall(function()
    local library, kept = serve(told(arg[2]), arg[3])
    KEPT = kept
    return library
  end)
  if not fine then
    io.stderr:write(words_of(library), "\n")
    os.exit(NOT_READY)
  end
  library.abi_main()
elseif mode then
  io.stderr:write("error: LuaJIT's FFI takes no options\n")
  os.exit(1)
else
  local answers = {}
  for number, asked in ipairs((value(io.read("*a"), 1))) do
    local fine, answer = pcall(layout, asked)
    answers[number] = fine and answer or ('{"words": %s}'):format(quoted(words_of(answer)))
  end
  print("[" .. table.concat(answers, ", ") .. "]")
end

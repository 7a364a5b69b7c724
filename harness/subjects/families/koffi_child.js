// Asks koffi, a library of Node, for layouts, and makes and takes calls by it: a program of its own. Its arguments and answers
// are those of ctypes_child.py.

"use strict";

const fs = require("node:fs");
const path = require("node:path");

const NOT_READY = 70; // the exit status where the functions could not be made
const NAMES = {
  _Bool: "bool", char: "char", "signed char": "int8_t", "unsigned char": "uint8_t", short: "short",
  "unsigned short": "ushort", int: "int", "unsigned int": "uint", long: "long", "unsigned long": "ulong",
  "long long": "longlong", "unsigned long long": "ulonglong", float: "float", double: "double",
};

class Unsupported extends Error {}

// koffi as `npm install -g koffi` puts it, as NODE_PATH names it, or of the folder in which the program was started.
function found() {
  const installed = path.join(path.dirname(process.execPath), "..", "lib", "node_modules");
  const places = [process.cwd(), ...(process.env.NODE_PATH || "").split(path.delimiter), installed];
  return require.resolve("koffi", { paths: places.filter(Boolean) });
}

let koffi;

// The types of a question (JSON as `abiprobe.oracles.language.lang` writes them), each record made once.
class Types {
  constructor() { this.records = new Map(); }

  of(type) {
    switch (type.type) {
      case "Scalar":
        if (type.kind in NAMES) return koffi.type(NAMES[type.kind]);
        break;
      case "Pointer":
        return koffi.pointer("void");
      case "Array":
        if (!type.length) throw new Unsupported("an array has elements");
        return koffi.array(this.of(type.element), type.length, "Array");
      case "Typedef":
        if (type.align == null) return this.of(type.base);
        break;
      case "Record": {
        const key = JSON.stringify(type);
        if (!this.records.has(key)) this.records.set(key, this.record(type));
        return this.records.get(key);
      }
    }
    throw new Unsupported(`there is no ${type.kind || type.type}`);
  }

  record(record) {
    if (record.align || record.ms_struct != null || (record.pack && record.pack !== 1)) {
      throw new Unsupported("a record is packed or has no attribute");
    }
    const members = {};
    for (const [number, member] of record.members.entries()) {
      if (member.width != null) throw new Unsupported("there are no bit-fields");
      if (member.packed || member.alignas) throw new Unsupported("a member has no attribute but its alignment");
      const type = this.of(member.type);
      // koffi takes an alignment below that of the type as it stands, C does not.
      const raised = member.align > koffi.alignof(type);
      members[member.name || `anonymous_${number}`] = raised ? [member.align, type] : type;
    }
    if (record.union) {
      if (record.packed || record.pack) throw new Unsupported("no union is packed");
      return koffi.union(members);
    }
    return record.packed || record.pack ? koffi.pack(members) : koffi.struct(members);
  }
}

// What an error says, in a line.
function wordsOf(error) { return `${error.name}: ${error.message}`.split("\n")[0]; }

// Layouts.

function layout(asked) {
  const record = new Types().of(asked.type);
  const places = asked.members.map((steps) => [8 * offset(record, steps), null]);
  return { size: koffi.sizeof(record), align: koffi.alignof(record), places };
}

// The byte at which a member is.
function offset(record, steps) {
  let at = 0;
  let here = record;
  for (const step of steps) {
    if (typeof step === "number") {
      here = here.ref;
      at += step * here.size;
    } else {
      const hidden = holder(here, step);
      for (const name of hidden) {
        at += here.members[name].offset;
        here = here.members[name].type;
      }
    }
  }
  return at;
}

// The way to a member, which may be one of an anonymous record.
function holder(record, name) {
  if (name in record.members) return [name];
  for (const [other, member] of Object.entries(record.members)) {
    if (other.startsWith("anonymous_")) {
      const inner = holder(member.type, name);
      if (inner) return [other, ...inner];
    }
  }
  return null;
}

// Calls.

class Question {
  constructor(asked) {
    const types = new Types();
    Object.assign(this, { slots: asked.arguments, result: asked.result, live: asked.live, variadic: asked.variadic });
    this.params = asked.types.map((type) => types.of(type));
    this.returns = this.result ? types.of(asked.returns) : koffi.type("void");
    this.params.forEach((type, number) => measure(type, this.slots[number]));
    if (this.result) measure(this.returns, this.result);
    this.named = this.params.length - asked.unnamed;
    const named = this.params.slice(0, this.named);
    this.type = koffi.proto(this.returns, this.variadic ? [...named, "..."] : named);
  }

  call(target, values) {
    const given = values.flatMap((value, number) => (number < this.named ? [value] : [this.params[number], value]));
    return koffi.call(target, this.type, ...given);
  }

  // Raise what koffi raises for a call of this type: it calls a function that looks at no argument.
  made(target) {
    const memory = koffi.alloc("uint8_t", 65536);
    const answer = this.call(target, this.params.map((type) => koffi.decode(memory, type)));
    this.params.forEach((type, number) => store(type, this.slots[number], memory, 0, koffi.decode(memory, type)));
    if (this.result) store(this.returns, this.result, memory, 0, answer);
    koffi.free(memory);
  }

  taken() {
    if (this.variadic) throw new Unsupported("a callback is not variadic");
    koffi.unregister(koffi.register(() => 0, koffi.pointer(this.type)));
  }
}

// What koffi lays out otherwise it would pass otherwise: another question.
function measure(type, slot) {
  const size = koffi.sizeof(type);
  if (size !== slot.own) throw new Unsupported(`${type.name} would be passed as ${size} bytes, not ${slot.own}`);
}

// Put a value into its slot, a narrow integer widened.
function store(type, slot, memory, at, value) {
  if (slot.narrow) koffi.encode(memory, at, "int64_t", BigInt(value));
  else koffi.encode(memory, at, type, value);
}

function words(work) {
  try {
    work();
    return "";
  } catch (error) {
    return wordsOf(error);
  }
}

function can(asked, target) {
  let question;
  const call = words(() => { question = new Question(asked); question.made(target); });
  return [call, call || words(() => question.taken())];
}

// A function of nothing that calls what the driver names with the arguments in abi_in.
function calling(question, driver) {
  return koffi.register(() => {
    const values = question.params.map((type, number) => koffi.decode(driver.inside, question.slots[number].offset, type));
    const answer = question.call(koffi.decode(driver.target, "void *"), values);
    if (question.result) store(question.returns, question.result, driver.outside, question.result.offset, answer);
    for (const slot of question.live) {
      for (let at = slot.offset; at < slot.offset + slot.size; at++) {
        koffi.encode(driver.outside, at, "uint8_t", koffi.decode(driver.inside, at, "uint8_t"));
      }
    }
  }, koffi.pointer(koffi.proto("void", [])));
}

// A callback that stores its parameters in abi_out and returns what abi_in holds.
function called(question, driver) {
  return koffi.register((...values) => {
    question.params.forEach((type, number) => {
      store(type, question.slots[number], driver.outside, question.slots[number].offset, values[number]);
    });
    return question.result ? koffi.decode(driver.inside, question.returns) : undefined;
  }, koffi.pointer(question.type));
}

function serve(asked, file) {
  let library;
  try {
    library = koffi.load(file);
    const [inside, outside, functions, target] = ["abi_in", "abi_out", "abi_functions", "abi_target"].map((name) => library.symbol(name));
    const driver = { inside, outside, target };
    for (const [number, one] of asked.entries()) {
      const question = new Question(one);
      koffi.encode(functions, 16 * number, "void *", calling(question, driver));
      if (one.taken) koffi.encode(functions, 16 * number + 8, "void *", called(question, driver));
    }
  } catch (error) {
    process.stderr.write(`${wordsOf(error)}\n`);
    process.exit(NOT_READY);
  }
  library.func("abi_main", "void", [])();
}

function told(file) { return JSON.parse(fs.readFileSync(file, "utf-8")); }

function main(mode, ...files) {
  if (mode === undefined || mode.startsWith("--")) koffi = require(found());
  if (mode === "--version") {
    const loaded = Object.keys(require.cache).filter((file) => file.endsWith(".node"));
    console.log([`koffi ${koffi.version} of Node ${process.version}`, ...loaded].join("\n"));
  } else if (mode === "--can" && files.length === 1) {
    const target = koffi.load(null).symbol("getppid");
    for (const asked of told(files[0])) console.log(JSON.stringify(can(asked, target)));
  } else if (mode === "--serve" && files.length === 2) {
    serve(told(files[0]), files[1]);
  } else if (mode !== undefined) {
    process.stderr.write("error: koffi takes no options\n");
    process.exitCode = 1;
  } else {
    const answers = JSON.parse(fs.readFileSync(0, "utf-8")).map((asked) => {
      let answer;
      const refusal = words(() => { answer = layout(asked); });
      return refusal ? { words: refusal } : answer;
    });
    console.log(JSON.stringify(answers));
  }
}

main(...process.argv.slice(2));

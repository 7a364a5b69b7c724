// Asks Java's foreign function and memory interface (final since Java 22) for layouts, and makes and takes calls by it: a
// program of its own, which `java` compiles when it starts. Its arguments and answers are those of ctypes_child.py.

import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public final class FfmChild {
    static final int NOT_READY = 70; // the exit status where the functions could not be made
    static final long AREA = 65536, FUNCTIONS = 4096;
    static final Linker LINKER = Linker.nativeLinker();
    static final Arena ARENA = Arena.global();
    static final AddressLayout POINTER = ValueLayout.ADDRESS;
    static final Map<String, String> NAMES = Map.ofEntries(
        Map.entry("_Bool", "bool"), Map.entry("char", "char"), Map.entry("signed char", "char"),
        Map.entry("unsigned char", "char"), Map.entry("short", "short"), Map.entry("unsigned short", "short"),
        Map.entry("int", "int"), Map.entry("unsigned int", "int"), Map.entry("long", "long"),
        Map.entry("unsigned long", "long"), Map.entry("long long", "long long"),
        Map.entry("unsigned long long", "long long"), Map.entry("float", "float"), Map.entry("double", "double"));

    /** What the interface has no way to say. */
    static final class Unsupported extends RuntimeException {
        Unsupported(String words) { super(words); }
    }

    // JSON, of which Java's library has nothing: objects, lists, strings, numbers, true, false and null.

    static final class Json {
        private final String text;
        private int at;

        private Json(String text) { this.text = text; }

        static Object read(String text) { return new Json(text).value(); }

        private char next() {
            while (Character.isWhitespace(text.charAt(at))) at++;
            return text.charAt(at);
        }

        private boolean take(char wanted) {
            boolean there = next() == wanted;
            if (there) at++;
            return there;
        }

        private Object value() {
            switch (next()) {
                case '{': {
                    Map<String, Object> found = new LinkedHashMap<>();
                    at++;
                    while (!take('}')) {
                        String name = string();
                        take(':');
                        found.put(name, value());
                        take(',');
                    }
                    return found;
                }
                case '[': {
                    List<Object> found = new ArrayList<>();
                    at++;
                    while (!take(']')) {
                        found.add(value());
                        take(',');
                    }
                    return found;
                }
                case '"':
                    return string();
                default:
                    int start = at;
                    while (at < text.length() && ",]}".indexOf(text.charAt(at)) < 0) at++;
                    String word = text.substring(start, at).strip();
                    return switch (word) {
                        case "null" -> null;
                        case "true", "false" -> word.equals("true");
                        default -> Long.valueOf(word);
                    };
            }
        }

        private String string() {
            StringBuilder found = new StringBuilder();
            next();
            for (at++; text.charAt(at) != '"'; at++) {
                char one = text.charAt(at);
                if (one == '\\') {
                    one = text.charAt(++at);
                    if (one == 'n') one = '\n';
                    if (one == 'u') {
                        one = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                        at += 4;
                    }
                }
                found.append(one);
            }
            at++;
            return found.toString();
        }

        static String quoted(String words) {
            return '"' + words.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object value) { return (Map<String, Object>) value; }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object value) { return (List<Object>) value; }

    static boolean has(Map<String, Object> from, String name) {
        Object value = from.get(name);
        return value != null && !value.equals(false) && !value.equals(0L);
    }

    static long number(Object value) { return (Long) value; }

    // Types, as JSON of `abiprobe.oracles.language.lang`.

    static MemoryLayout layout(Map<String, Object> type) {
        String sort = (String) type.get("type");
        switch (sort) {
            case "Scalar":
                String name = NAMES.get((String) type.get("kind"));
                if (name != null) return LINKER.canonicalLayouts().get(name);
                break;
            case "Pointer":
                return POINTER;
            case "Array":
                Object length = type.get("length");
                return MemoryLayout.sequenceLayout(length == null ? 0 : number(length), layout(map(type.get("element"))));
            case "Typedef":
                if (type.get("align") == null) return layout(map(type.get("base")));
                break;
            case "Record":
                return record(type);
            default:
        }
        throw new Unsupported("there is no " + (type.get("kind") == null ? sort : type.get("kind")));
    }

    /** The interface pads nothing by itself: each member is put where C puts it. */
    static GroupLayout record(Map<String, Object> record) {
        for (String name : List.of("packed", "pack", "align", "ms_struct")) {
            if (has(record, name)) throw new Unsupported("a record has no attributes");
        }
        boolean union = has(record, "union");
        List<MemoryLayout> parts = new ArrayList<>();
        long end = 0, align = 1;
        int number = 0;
        for (Object one : list(record.get("members"))) {
            Map<String, Object> member = map(one);
            if (member.get("width") != null) throw new Unsupported("there are no bit-fields");
            if (has(member, "packed") || has(member, "align") || has(member, "alignas")) {
                throw new Unsupported("a member has no attributes");
            }
            MemoryLayout type = layout(map(member.get("type")));
            align = Math.max(align, type.byteAlignment());
            long start = union ? 0 : -Math.floorDiv(-end, type.byteAlignment()) * type.byteAlignment();
            if (start > end) parts.add(MemoryLayout.paddingLayout(start - end));
            String called = has(member, "name") && !member.get("name").equals("") ? (String) member.get("name") : "anonymous_" + number;
            parts.add(type.withName(called));
            end = union ? Math.max(end, type.byteSize()) : start + type.byteSize();
            number++;
        }
        long size = -Math.floorDiv(-end, align) * align;
        if (size > end && !union) parts.add(MemoryLayout.paddingLayout(size - end));
        if (size > end && union) parts.add(MemoryLayout.paddingLayout(size));
        MemoryLayout[] all = parts.toArray(MemoryLayout[]::new);
        return union ? MemoryLayout.unionLayout(all) : MemoryLayout.structLayout(all);
    }

    /** The offset in bytes of a member, which may be one of an anonymous record. */
    static long offset(MemoryLayout record, List<Object> steps) {
        long at = 0;
        MemoryLayout here = record;
        for (Object step : steps) {
            if (step instanceof Long index) {
                here = ((SequenceLayout) here).elementLayout();
                at += index * here.byteSize();
            } else {
                for (String name : way((GroupLayout) here, (String) step)) {
                    PathElement path = PathElement.groupElement(name);
                    at += here.byteOffset(path);
                    here = here.select(path);
                }
            }
        }
        return at;
    }

    static List<String> way(GroupLayout record, String name) {
        for (MemoryLayout member : record.memberLayouts()) {
            String called = member.name().orElse("");
            if (called.equals(name)) return List.of(name);
            if (called.startsWith("anonymous_") && member instanceof GroupLayout inner) {
                List<String> further = way(inner, name);
                if (!further.isEmpty()) {
                    List<String> found = new ArrayList<>(List.of(called));
                    found.addAll(further);
                    return found;
                }
            }
        }
        return List.of();
    }

    static String answer(Map<String, Object> asked) {
        try {
            MemoryLayout record = layout(map(asked.get("type")));
            List<String> places = new ArrayList<>();
            for (Object steps : list(asked.get("members"))) places.add("[" + 8 * offset(record, list(steps)) + ", null]");
            return "{\"size\": " + record.byteSize() + ", \"align\": " + record.byteAlignment() + ", \"places\": " + places + "}";
        } catch (RuntimeException error) {
            return "{\"words\": " + Json.quoted(words(error)) + "}";
        }
    }

    static String words(Throwable error) {
        return (error.getClass().getSimpleName() + ": " + error.getMessage()).split("\n")[0];
    }

    // Calls.

    record Slot(long offset, boolean narrow, long own) {
        static Slot of(Object told) {
            Map<String, Object> slot = map(told);
            return new Slot(number(slot.get("offset")), has(slot, "narrow"), number(slot.get("own")));
        }
    }

    /** The runtime as a shared library, and its buffers. */
    record Driver(MemorySegment inside, MemorySegment outside, MemorySegment functions, MemorySegment target, MemorySegment main) {
        static Driver of(String file) {
            SymbolLookup library = SymbolLookup.libraryLookup(Path.of(file), ARENA);
            return new Driver(
                library.findOrThrow("abi_in").reinterpret(AREA), library.findOrThrow("abi_out").reinterpret(AREA),
                library.findOrThrow("abi_functions").reinterpret(FUNCTIONS * POINTER.byteSize()),
                library.findOrThrow("abi_target").reinterpret(POINTER.byteSize()), library.findOrThrow("abi_main"));
        }
    }

    static final class Question {
        final List<MemoryLayout> params = new ArrayList<>();
        final List<Slot> slots = new ArrayList<>();
        final List<Boolean> unsigned = new ArrayList<>();
        final MemoryLayout returns;
        final boolean unsignedResult, variadic;
        final Slot result;
        final List<Object> live;
        final int named;

        Question(Map<String, Object> asked) {
            for (Object type : list(asked.get("types"))) {
                params.add(layout(map(type)));
                unsigned.add(isUnsigned(map(type)));
            }
            for (Object slot : list(asked.get("arguments"))) slots.add(Slot.of(slot));
            result = asked.get("result") == null ? null : Slot.of(asked.get("result"));
            returns = result == null ? null : layout(map(asked.get("returns")));
            unsignedResult = result != null && isUnsigned(map(asked.get("returns")));
            live = list(asked.get("live"));
            variadic = has(asked, "variadic");
            named = params.size() - (int) number(asked.get("unnamed"));
            for (int n = 0; n < params.size(); n++) measure(params.get(n), slots.get(n));
            if (result != null) measure(returns, result);
        }

        FunctionDescriptor descriptor() {
            MemoryLayout[] all = params.toArray(MemoryLayout[]::new);
            return result == null ? FunctionDescriptor.ofVoid(all) : FunctionDescriptor.of(returns, all);
        }

        MethodHandle calling() {
            return variadic ? LINKER.downcallHandle(descriptor(), Linker.Option.firstVariadicArg(named)) : LINKER.downcallHandle(descriptor());
        }

        Object call(MethodHandle handle, MemorySegment target, MemorySegment from) throws Throwable {
            List<Object> given = new ArrayList<>(List.of(target));
            if (returns instanceof GroupLayout) given.add((java.lang.foreign.SegmentAllocator) (size, align) -> Arena.ofAuto().allocate(size, align));
            for (int n = 0; n < params.size(); n++) given.add(load(params.get(n), from.asSlice(slots.get(n).offset())));
            return handle.invokeWithArguments(given);
        }

        /** What the interface makes of a callback: parameters go to abi_out, the result comes from abi_in. */
        MemorySegment taken(Driver driver) throws ReflectiveOperationException {
            if (variadic) throw new Unsupported("a callback is not variadic");
            MethodType type = descriptor().toMethodType();
            MethodHandle body = MethodHandles.lookup().bind(new Callback(this, driver), "called", MethodType.methodType(Object.class, Object[].class));
            return LINKER.upcallStub(body.asCollector(Object[].class, params.size()).asType(type), descriptor(), ARENA);
        }
    }

    static boolean isUnsigned(Map<String, Object> type) {
        if ("Typedef".equals(type.get("type"))) return isUnsigned(map(type.get("base")));
        return type.get("kind") instanceof String kind && (kind.startsWith("unsigned") || kind.equals("_Bool"));
    }

    /** What is laid out otherwise would be passed otherwise: another question. */
    static void measure(MemoryLayout type, Slot slot) {
        if (type.byteSize() != slot.own()) {
            throw new Unsupported("a value would be passed as " + type.byteSize() + " bytes, not " + slot.own());
        }
    }

    static Object load(MemoryLayout type, MemorySegment from) {
        return switch (type) {
            case ValueLayout.OfBoolean is -> from.get(is, 0);
            case ValueLayout.OfByte is -> from.get(is, 0);
            case ValueLayout.OfShort is -> from.get(is, 0);
            case ValueLayout.OfInt is -> from.get(is, 0);
            case ValueLayout.OfLong is -> from.get(is, 0);
            case ValueLayout.OfFloat is -> from.get(is, 0);
            case ValueLayout.OfDouble is -> from.get(is, 0);
            case AddressLayout is -> from.get(is, 0);
            default -> from.asSlice(0, type.byteSize());
        };
    }

    /** Put a value into its slot, a narrow integer widened as C would. */
    static void store(MemoryLayout type, Slot slot, MemorySegment to, Object value, boolean unsigned) {
        MemorySegment at = to.asSlice(slot.offset());
        switch (value) {
            case Boolean is -> at.set(ValueLayout.JAVA_LONG, 0, is ? 1 : 0);
            case Byte is when slot.narrow() -> at.set(ValueLayout.JAVA_LONG, 0, unsigned ? Byte.toUnsignedLong(is) : is);
            case Short is when slot.narrow() -> at.set(ValueLayout.JAVA_LONG, 0, unsigned ? Short.toUnsignedLong(is) : is);
            case Integer is when slot.narrow() -> at.set(ValueLayout.JAVA_LONG, 0, unsigned ? Integer.toUnsignedLong(is) : is);
            case Long is -> at.set(ValueLayout.JAVA_LONG, 0, is);
            case Float is -> at.set(ValueLayout.JAVA_FLOAT, 0, is);
            case Double is -> at.set(ValueLayout.JAVA_DOUBLE, 0, is);
            case MemorySegment is when type instanceof AddressLayout -> at.set(POINTER, 0, is);
            case MemorySegment is -> at.copyFrom(is);
            default -> throw new IllegalStateException("no value of C is a " + value.getClass());
        }
    }

    /** A function of nothing that calls what the driver names with the arguments in abi_in. */
    record Caller(Question question, MethodHandle handle, Driver driver) implements Runnable {
        @Override
        public void run() {
            try {
                Object answer = question.call(handle, driver.target().get(POINTER, 0), driver.inside());
                if (question.result != null) store(question.returns, question.result, driver.outside(), answer, question.unsignedResult);
                for (Object one : question.live) {
                    long at = number(map(one).get("offset")), size = number(map(one).get("size"));
                    driver.outside().asSlice(at, size).copyFrom(driver.inside().asSlice(at, size));
                }
            } catch (Throwable error) {
                fail(error);
            }
        }
    }

    record Callback(Question question, Driver driver) {
        Object called(Object... values) {
            for (int n = 0; n < values.length; n++) {
                store(question.params.get(n), question.slots.get(n), driver.outside(), values[n], question.unsigned.get(n));
            }
            return question.result == null ? null : load(question.returns, driver.inside());
        }
    }

    static void fail(Throwable error) {
        System.err.println(words(error));
        Runtime.getRuntime().halt(1);
    }

    static MemorySegment procedure(Runnable body) throws ReflectiveOperationException {
        MethodHandle run = MethodHandles.lookup().findVirtual(Runnable.class, "run", MethodType.methodType(void.class)).bindTo(body);
        return LINKER.upcallStub(run, FunctionDescriptor.ofVoid(), ARENA);
    }

    /** Why the interface cannot make a call, and why it cannot take it; the call is of a function that looks at no argument. */
    static String can(Map<String, Object> asked) {
        Question question;
        try {
            question = new Question(asked);
            MemorySegment target = LINKER.defaultLookup().findOrThrow("getpid");
            question.call(question.calling(), target, Arena.ofAuto().allocate(AREA, 64));
        } catch (Throwable error) {
            return "[" + Json.quoted(words(error)) + ", " + Json.quoted(words(error)) + "]";
        }
        try {
            question.taken(null);
            return "[\"\", \"\"]";
        } catch (Throwable error) {
            return "[\"\", " + Json.quoted(words(error)) + "]";
        }
    }

    static void serve(List<Object> asked, String file) throws Throwable {
        Driver driver = null;
        try {
            driver = Driver.of(file);
            for (int n = 0; n < asked.size(); n++) {
                Map<String, Object> one = map(asked.get(n));
                Question question = new Question(one);
                driver.functions().setAtIndex(POINTER, 2 * n, procedure(new Caller(question, question.calling(), driver)));
                if (has(one, "taken")) driver.functions().setAtIndex(POINTER, 2 * n + 1, question.taken(driver));
            }
        } catch (Throwable error) {
            System.err.println(words(error));
            System.exit(NOT_READY);
        }
        LINKER.downcallHandle(driver.main(), FunctionDescriptor.ofVoid()).invoke();
    }

    static List<Object> told(String file) throws IOException { return list(Json.read(Files.readString(Path.of(file)))); }

    public static void main(String[] arguments) throws Throwable {
        PrintStream out = System.out;
        String mode = arguments.length == 0 ? "" : arguments[0];
        if (mode.equals("--version")) {
            out.println("foreign functions of Java " + Runtime.version());
            for (String file : List.of("lib/server/libjvm.so", "lib/modules")) {
                out.println(Path.of(System.getProperty("java.home"), file));
            }
        } else if (mode.equals("--can") && arguments.length == 2) {
            for (Object one : told(arguments[1])) out.println(can(map(one)));
        } else if (mode.equals("--serve") && arguments.length == 3) {
            serve(told(arguments[1]), arguments[2]);
        } else if (!mode.isEmpty()) {
            System.err.println("error: java takes no options");
            System.exit(1);
        } else {
            List<String> answers = new ArrayList<>();
            for (Object one : list(Json.read(new String(System.in.readAllBytes())))) answers.add(answer(map(one)));
            out.println(answers);
        }
    }
}

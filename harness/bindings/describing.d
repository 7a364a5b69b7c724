// Describes declarations as JSON while it is compiled, as describing.zig does. D 2.100 and later.
string abi_number(long value)
{
    if (value < 0)
        return value == long.min ? "-9223372036854775808" : "-" ~ abi_number(-value);
    string digit = [cast(char)('0' + value % 10)];
    return value < 10 ? digit : abi_number(value / 10) ~ digit;
}

// The bytes of a text in hexadecimal: it may have quotes.
string abi_text(string text)
{
    string found;
    foreach (char one; text)
        found ~= ["0123456789abcdef"[one / 16], "0123456789abcdef"[one % 16]];
    return `"` ~ found ~ `"`;
}

string abi_sized(T)(string kind)
{
    return `{"kind":"` ~ kind ~ `","name":` ~ abi_text(T.stringof) ~ `,"size":` ~ abi_number(T.sizeof)
        ~ `,"align":` ~ abi_number(T.alignof);
}

string abi_described(T)()
{
    static if (is(T == const U, U) && !is(T == U))
        return abi_described!U();
    else static if (is(T == immutable V, V) && !is(T == V))
        return abi_described!V();
    else static if (is(T == void) || is(T == noreturn))
        return `{"kind":"none"}`;
    else static if (is(T Base == enum))
        return abi_described!Base();
    else static if (is(T == struct) || is(T == union))
    {
        static if (__traits(compiles, T.sizeof))
            return abi_sized!T("record") ~ "}";
        else
            return `{"kind":"record","name":` ~ abi_text(T.stringof) ~ "}";
    }
    else static if (is(T : U[n], U, size_t n) && __traits(isStaticArray, T))
        return abi_sized!T("array") ~ `,"element":` ~ abi_described!U() ~ "}";
    else static if (is(T == U*, U))
        return abi_sized!T("pointer") ~ "}";
    else static if (__traits(isIntegral, T) && !is(T == __vector))
        return abi_sized!T("integer") ~ `,"signed":` ~ (__traits(isUnsigned, T) ? "false" : "true") ~ "}";
    else static if (is(T == float) || is(T == double) || is(T == real))
        return abi_sized!T("real") ~ "}";
    else
        return `{"kind":"unknown"}`;
}

// A bit-field has no address, and its place no name before D 2.110. A record of which no member can be reached is refused.
string abi_fields(T)()
{
    string text;
    static if (is(T == struct) || is(T == union))
        static if (__traits(compiles, T.sizeof))
        {
            static foreach (at, Field; typeof(T.tupleof))
                static if (__traits(compiles, (ref T one) => &one.tupleof[at]))
                {
                    static if (!is(typeof(abi_reached)))
                        enum abi_reached = true;
                    text ~= (text.length ? "," : "") ~ `{"name":` ~ abi_text(__traits(identifier, T.tupleof[at]))
                        ~ `,"at":` ~ abi_number(T.tupleof[at].offsetof) ~ `,"width":0,"type":`
                        ~ abi_described!Field() ~ "}";
                }
            static assert(T.tupleof.length == 0 || is(typeof(abi_reached)));
        }
    return "[" ~ text ~ "]";
}

string abi_enumerators(T)()
{
    string text;
    static if (is(T == enum))
        static foreach (name; __traits(allMembers, T))
            text ~= (text.length ? "," : "") ~ "[" ~ abi_text(name) ~ ","
                ~ abi_number(cast(long) __traits(getMember, T, name)) ~ "]";
    return "[" ~ text ~ "]";
}

string abi_function(F)()
{
    string text;
    static if (is(F Parameters == __parameters))
        static foreach (Parameter; Parameters)
            text ~= (text.length ? "," : "") ~ abi_described!Parameter();
    static if (is(F Result == return))
        return `{"parameters":[` ~ text ~ `],"result":` ~ abi_described!Result() ~ `,"variadic":`
            ~ (__traits(getFunctionVariadicStyle, F) == "none" ? "false" : "true") ~ "}";
}

string abi_declared(string name)()
{
    alias declared = __traits(getMember, abi_binding, name);
    static if (is(declared))
        return `"type":` ~ abi_described!declared() ~ `,"fields":` ~ abi_fields!declared()
            ~ `,"enumerators":` ~ abi_enumerators!declared();
    else static if (is(typeof(declared) == function))
        return `"function":` ~ abi_function!(typeof(declared))();
    else static if (__traits(compiles, &declared))
        return ""; // a variable
    else static if (__traits(isIntegral, typeof(declared)) && is(typeof(() { enum long value = declared; })))
        return `"number":` ~ abi_number(declared);
    else static if (is(typeof(declared) : const(char)[]) && is(typeof(() { enum string value = declared; })))
        return `"text":` ~ abi_text(declared);
    else
        return "";
}

static foreach (abi_name; __traits(allMembers, abi_binding))
    static if (__traits(compiles, abi_declared!abi_name()))
        pragma(msg, "abi_said ", abi_name, " {", abi_declared!abi_name(), "}");
    else
        pragma(msg, "abi_refused ", abi_name);

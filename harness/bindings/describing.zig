// Describes declarations as JSON while it is compiled, as ctypes_child.py does while it runs. Zig 0.14 and later.
fn abi_number(comptime value: comptime_int) []const u8 {
    comptime {
        if (value < 0) return "-" ++ abi_number(-value);
        const digit: []const u8 = &[_]u8{'0' + @as(u8, value % 10)};
        return if (value < 10) digit else abi_number(value / 10) ++ digit;
    }
}
fn abi_flag(comptime value: bool) []const u8 {
    return if (value) "true" else "false";
}
// The bytes of a text in hexadecimal: it may have quotes.
fn abi_text(comptime text: []const u8) []const u8 {
    comptime {
        @setEvalBranchQuota(100_000_000);
        var found: [2 * text.len]u8 = undefined;
        for (text, 0..) |byte, at| {
            found[2 * at] = "0123456789abcdef"[byte / 16];
            found[2 * at + 1] = "0123456789abcdef"[byte % 16];
        }
        const done = found;
        return "\"" ++ &done ++ "\"";
    }
}
fn abi_sized(comptime kind: []const u8, comptime T: type) []const u8 {
    return "{\"kind\":\"" ++ kind ++ "\",\"name\":" ++ abi_text(@typeName(T)) ++
        ",\"size\":" ++ abi_number(@sizeOf(T)) ++ ",\"align\":" ++ abi_number(@alignOf(T));
}
fn abi_described(comptime T: type) []const u8 {
    comptime return switch (@typeInfo(T)) {
        .void, .noreturn => "{\"kind\":\"none\"}",
        .bool => abi_sized("integer", T) ++ "}",
        .int => |one| abi_sized("integer", T) ++ ",\"signed\":" ++ abi_flag(one.signedness == .signed) ++ "}",
        .@"enum" => |one| abi_described(one.tag_type),
        .float => abi_sized("real", T) ++ "}",
        .pointer, .optional => abi_sized("pointer", T) ++ "}",
        .array => |one| abi_sized("array", T) ++ ",\"element\":" ++ abi_described(one.child) ++ "}",
        .@"struct", .@"union" => abi_sized("record", T) ++ "}",
        .@"opaque" => "{\"kind\":\"record\",\"name\":" ++ abi_text(@typeName(T)) ++ "}",
        else => "{\"kind\":\"unknown\"}",
    };
}
// Zig 0.17 lists names where older ones list fields.
fn abi_names(comptime one: anytype) []const []const u8 {
    comptime {
        var found: []const []const u8 = &.{};
        if (@hasField(@TypeOf(one), "field_names")) {
            for (one.field_names) |name| found = found ++ .{name};
        } else {
            for (one.fields) |field| found = found ++ .{field.name};
        }
        return found;
    }
}
fn abi_fields(comptime T: type) []const u8 {
    comptime {
        var text: []const u8 = "";
        switch (@typeInfo(T)) {
            inline .@"struct", .@"union" => |one, tag| for (abi_names(one)) |name| {
                const Field = @TypeOf(@field(@as(T, undefined), name));
                const is_packed = one.layout == .@"packed";
                const at = if (tag == .@"union") 0 else if (is_packed) @bitOffsetOf(T, name) else @offsetOf(T, name);
                text = text ++ (if (text.len == 0) "" else ",") ++ "{\"name\":" ++ abi_text(name) ++
                    ",\"at\":" ++ abi_number(at) ++ ",\"width\":" ++ abi_number(if (is_packed) @bitSizeOf(Field) else 0) ++
                    ",\"type\":" ++ abi_described(Field) ++ "}";
            },
            else => {},
        }
        return "[" ++ text ++ "]";
    }
}
fn abi_enumerators(comptime T: type) []const u8 {
    comptime {
        var text: []const u8 = "";
        switch (@typeInfo(T)) {
            .@"enum" => |one| for (abi_names(one)) |name| {
                text = text ++ (if (text.len == 0) "" else ",") ++ "[" ++ abi_text(name) ++ "," ++
                    abi_number(@intFromEnum(@field(T, name))) ++ "]";
            },
            else => {},
        }
        return "[" ++ text ++ "]";
    }
}
fn abi_function(comptime F: type) []const u8 {
    comptime {
        const one = @typeInfo(F).@"fn";
        const named = @hasField(@TypeOf(one), "param_types");
        var text: []const u8 = "";
        for (if (named) one.param_types else one.params) |param| {
            text = text ++ (if (text.len == 0) "" else ",") ++ abi_described((if (named) param else param.type).?);
        }
        const variadic = if (named) one.attrs.varargs else one.is_var_args;
        return "{\"parameters\":[" ++ text ++ "],\"result\":" ++ abi_described(one.return_type.?) ++
            ",\"variadic\":" ++ abi_flag(variadic) ++ "}";
    }
}
fn abi_constant(comptime value: anytype) []const u8 {
    comptime return switch (@typeInfo(@TypeOf(value))) {
        .int, .comptime_int => "{\"number\":" ++ abi_number(value) ++ "}",
        .@"enum" => "{\"number\":" ++ abi_number(@intFromEnum(value)) ++ "}",
        .bool => "{\"number\":" ++ abi_number(@intFromBool(value)) ++ "}",
        .pointer => |one| if (@typeInfo(one.child) == .array and @typeInfo(one.child).array.child == u8)
            "{\"text\":" ++ abi_text(value) ++ "}"
        else
            "{}",
        else => "{}",
    };
}
fn abi_declared(comptime value: anytype) []const u8 {
    comptime {
        @setEvalBranchQuota(100_000_000);
        if (@TypeOf(value) == type) {
            return "{\"type\":" ++ abi_described(value) ++ ",\"fields\":" ++ abi_fields(value) ++
                ",\"enumerators\":" ++ abi_enumerators(value) ++ "}";
        }
        if (@typeInfo(@TypeOf(value)) == .@"fn") return "{\"function\":" ++ abi_function(@TypeOf(value)) ++ "}";
        return abi_constant(value);
    }
}

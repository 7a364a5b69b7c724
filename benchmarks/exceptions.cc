/* Half of a program whose frames are of two compilers: `UNIT` is first or second, and MAIN makes the one with `main`.

   A frame is drawn: it makes objects, passes and returns some, calls a frame of either half, and catches, replaces or
   throws on what comes back; the innermost one throws. Objects are counted when they are made and when they go. */

extern "C" int printf(const char *, ...);
extern "C" int atoi(const char *);
typedef unsigned long long word;

struct State {
    word seed, trace;
    long live, thrown, ended, passed;
    unsigned below(unsigned count) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        return (unsigned)(seed >> 33) % count;
    }
    void note(word what) { trace = trace * 1099511628211u + what + 1; }
};
extern State state;

struct Counted {
    word value;
    explicit Counted(word value) : value(value) { ++state.live; }
    Counted(const Counted &other) : value(other.value) { ++state.live; }
    ~Counted() { --state.live; state.note(value); }
};

struct Failure {
    Counted inner;
    explicit Failure(word value) : inner(value) {}
    virtual ~Failure() {}
    virtual word told() const { return inner.value; }
};
struct Plain : Failure {
    Counted own;
    explicit Plain(word value) : Failure(value), own(value + 1) {}
    word told() const override { return own.value; }
};
struct Left : virtual Failure {
    explicit Left(word value) : Failure(value) {}
};
struct Right : virtual Failure {
    Counted own;
    explicit Right(word value) : Failure(value), own(value + 2) {}
    word told() const override { return own.value * 2; }
};
struct Both : Left, Right {
    explicit Both(word value) : Failure(value), Left(value), Right(value) {}
};
struct Other { double real; };

struct Called {
    virtual Counted made(Counted given, int depth) = 0;
};
typedef word (*Frame)(Counted given, int depth);
extern const Frame frames[2];
extern Called *const objects[2];

namespace UNIT {

[[noreturn]] void thrown(word value) {
    ++state.thrown;
    Counted passed_by(value);
    switch (state.below(7)) {
    case 0: throw Plain(value);
    case 1: throw Both(value);
    case 2: throw Right(value);
    case 3: throw Counted(value);
    case 4: throw value;
    case 5: throw &state;
    default: throw Other{(double)(value % 1000)};
    }
}

word ended(word what) {
    ++state.ended;
    state.note(what);
    return what;
}

word called(int depth) {
    if (depth == 0)
        thrown(state.below(1000));
    Counted local(depth);
    unsigned which = state.below(2);
    if (state.below(3))
        return frames[which](local, depth - 1) + local.value;
    return objects[which]->made(local, depth - 1).value;
}

word caught_by_base(int depth) {
    try {
        return called(depth);
    } catch (const Failure &failure) {
        const Both *both = dynamic_cast<const Both *>(&failure);
        const Left *left = dynamic_cast<const Left *>(&failure);
        return ended(failure.told() + (both ? 1 : 0) + (left ? 2 : 0));
    }
}

word caught_by_value(int depth) {
    try {
        return called(depth);
    } catch (Plain plain) {
        return ended(plain.told());
    } catch (Left &left) {
        return ended(left.told());
    } catch (Counted counted) {
        return ended(counted.value);
    }
}

word caught_of_no_class(int depth) {
    try {
        return called(depth);
    } catch (word value) {
        return ended(value);
    } catch (const State *at) {
        return ended(at == &state);
    } catch (Other other) {
        return ended((word)other.real);
    }
}

word passed_on(int depth) {
    Counted objects[3] = {Counted(1), Counted(2), Counted(3)};
    try {
        return called(depth);
    } catch (...) {
        ++state.passed;
        state.note(objects[depth % 3].value);
        throw;
    }
}

word replaced(int depth) {
    try {
        return called(depth);
    } catch (...) {
        ended(depth);
        thrown(depth);
    }
}

word caught_inside(int depth) {
    try {
        return called(depth);
    } catch (...) {
        word inner = 0;
        try {
            inner = called(depth / 2);
        } catch (...) {
            inner = ended(7);
        }
        ended(inner);
        return inner;
    }
}

struct Holder {
    Counted first;
    word second;
    Holder(int depth) try : first(depth), second(called(depth)) {
    } catch (const Failure &failure) {
        state.note(failure.told());
        ++state.passed;
    }
};

word in_constructor(int depth) {
    Holder holder(depth);
    return holder.second;
}

word frame(Counted given, int depth) {
    static word (*const forms[])(int) = {called, passed_on, caught_by_base, caught_by_value, called,
                                         caught_of_no_class, replaced, caught_inside, in_constructor};
    return given.value + forms[state.below(9)](depth);
}

struct Second {
    virtual word unused() { return 0; }
    Counted kept{5};
};
struct Callee : Second, Called {
    Counted made(Counted given, int depth) override {
        Counted result(frame(given, depth));
        state.note(kept.value);
        return result;
    }
};
Called *object() {
    static Callee callee;
    return &callee;
}

}

#ifdef MAIN
namespace second {
word frame(Counted given, int depth);
Called *object();
}
State state;
const Frame frames[2] = {first::frame, second::frame};
Called *const objects[2] = {first::object(), second::object()};

int main(int, char **words) {
    long lost = 0, rounds = 0, before = state.live;
    for (long wanted = atoi(words[1]); state.thrown < wanted; ++rounds) {
        state.seed = rounds;
        try {
            state.note(frames[state.below(2)](Counted(9), 1 + state.below(9)));
        } catch (const Failure &failure) {
            first::ended(failure.told());
        } catch (...) {
            first::ended(8);
        }
        lost += state.live != before;
        state.live = before;
    }
    printf("%ld %ld %ld %ld %llx\n", state.thrown, state.ended, state.passed, lost, state.trace);
}
#endif

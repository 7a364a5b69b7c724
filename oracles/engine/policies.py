"""Policies of the engine: the points at which compilers are known to depart from a text.

Every rule follows the text by the defaults here. A quirk (`oracles.quirks`) sets fields for the compilers that have it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.language.lang import Convention, Kind


class BitFieldsAs(Enum):
    """The value that a compiler has for a bit-field that travels in a register of its own."""

    THEMSELVES = "themselves"
    DECLARED = "declared"
    """its declared type, at the byte in which it begins"""
    INTEGER = "integer"
    """the next integer type that is wide enough, at the byte in which it begins"""


class Sort(Enum):
    """Structs and unions."""

    STRUCT = "struct"
    UNION = "union"


class ValueKind(Enum):
    """A kind of value, as far as compilers tell two apart."""

    SCALAR = "scalar"
    """also a complex number, a vector or a `_BitInt`"""
    RECORD = "record"
    """a struct or a union"""


class Unflattened(Enum):
    """A member without bytes that a compiler cannot flatten past."""

    FLEXIBLE_ARRAY = "flexible array"
    ZERO_LENGTH_ARRAY = "array of length zero"
    EMPTY_ELEMENTS = "array of empty records"


class Direction(Enum):
    """The directions in which values of a call travel."""

    ARGUMENT = "argument"
    RESULT = "result"


class Argument(Enum):
    """The arguments of a call by what the prototype says of them."""

    NAMED = "named"
    """those that have a parameter"""
    UNNAMED = "unnamed"
    """variable arguments"""

    @classmethod
    def of(cls, *, named: bool) -> Argument:
        """Return the sort of an argument."""
        return cls.NAMED if named else cls.UNNAMED


class ClassHabit(Enum):
    """A point in which a compiler lays out classes of C++ otherwise than the Itanium ABI says."""

    __hash__ = object.__hash__  # as for `Kind`
    OVERLAPPING_PODS = "overlapping PODs"
    """A POD with a potentially-overlapping member, its own or a member's, lends its tail padding as any other class does."""
    DECLARED_ENDS = "declared ends"
    """A potentially-overlapping member ends, where an oversized bit-field is its last one, with the declared type of that."""
    UNNAMED_ACCESS = "unnamed access"
    """A private or protected bit-field makes a class no POD even without a name."""
    INT128 = "__int128"
    """`__int128` is an integral type in which an oversized bit-field may begin."""
    NEARLY_EMPTY_BY_SIZE = "nearly empty by size"
    """A dynamic class is nearly empty if its non-virtual size is that of a pointer."""
    EMPTY_IS_NO_DATA = "empty is no data"
    """A class with empty data members may be nearly empty."""
    EMPTY_MEMBER_MOVES = "empty member moves"
    """A class is not nearly empty if an empty base has an empty member that is not at the beginning, as if that were a base."""
    UNASKED_EMPTIES = "unasked empties"
    """An empty base or member aligns its class only if an alignment is asked for there, and not as bit-fields of no bits align it."""
    WHOLE_ALIGNMENT = "whole alignment"
    """A class without its virtual bases is aligned as with them where its size is the same, and both or none ask for an alignment."""
    INTEGER_SIZED = "integer sized"
    """A complete class that is as large and as aligned as an integer, and so are its parts, counts as one that asks for no alignment."""
    EMPTY_ENDS_BYTE = "empty ends byte"
    """A bit-field behind an empty member begins in a byte of its own."""
    EMPTY_IN_BYTE = "empty in byte"
    """An empty member that is not at the beginning may lie in the byte that a bit-field fills in part."""
    EMPTY_UNALIGNED = "empty unaligned"
    """An empty member that is not at the beginning begins its search where its class is aligned, whatever is asked for the member."""
    EMPTY_VIRTUAL_COUNTS = "empty virtual counts"
    """A potentially-overlapping member reaches to the offset of an empty virtual base, and over what that has for bases and members."""
    WHOLE_BYTES = "whole bytes"
    """A potentially-overlapping member reaches so many bytes behind the one in which its last bit-field begins as that has bits for."""
    DEFAULTED_CONSTRUCTORS = "defaulted constructors"
    """A constructor that is defaulted or deleted makes a class no POD."""
    DEFAULTED_OTHERS = "defaulted others"
    """So does an assignment operator or a destructor."""
    LAST_BITS = "last bits"
    """An oversized bit-field holds its value in its last bits where bits count from the most significant one."""
    NEAR_EMPTIES = "near empties"
    """Of a component that is not empty only those empty subobjects are remembered that lie no farther than the size of the largest empty class before."""
    NEAR_OWN_EMPTIES = "near own empties"
    """Of a base or member that is neither empty nor potentially-overlapping only those are remembered that lie before the size of the largest empty class in the class."""
    MEMBERS_IN_PART = "members in part"
    """The size of a class covers no more of a potentially-overlapping member than may not overlap others."""
    EMPTY_LOWERED = "empty lowered"
    """The attribute `aligned` on an empty member may ask for less than the alignment of its type, and `packed` means nothing there."""
    ANONYMOUS_ENDS = "anonymous ends"
    """An anonymous struct or union ends with the last byte of its members, so that the next member of the class overlaps its tail padding."""
    TYPE_STEPS = "steps by type"
    """A packed member that would be where another object of its type is goes as much farther as its type is aligned."""


class CallHabit(Enum):
    """A point in which a compiler calls functions of C++ otherwise than the Itanium ABI and the C ABI say."""

    DECLARED_DELETIONS = "declared deletions"
    """A class that has no copy and move constructor to use is non-trivial for calls only if one of them is declared."""
    MOVED_PARTS = "moved parts"
    """A class is non-trivial for calls if to move a part of it runs code, whether it has a move constructor or not."""
    PARTS_IN_MEMORY = "parts in memory"
    """A class that is trivial for calls is MEMORY on x86-64 if a part of it is not."""
    PARTS_IN_INTEGERS = "parts in integers"
    """A class that is trivial for calls has no members in floating-point registers of RISC-V if a part of it is not trivial."""
    SIZED_EMPTY_RESULTS = "sized empty results"
    """A result of an empty class is returned as that of any other class of its size."""
    EMPTY_BYTES = "empty bytes"
    """A named argument of an empty class is passed as one byte, however the class is aligned."""
    UNNAMED_EMPTY_BYTES = "unnamed empty bytes"
    """An unnamed argument of an empty class is."""
    ALIGNED_EMPTY_PARTS = "aligned empty parts"
    """The byte that stands for an empty class has the alignment of its bases and members."""
    SIZED_EMPTY_MEMBERS = "sized empty members"
    """A member of an empty class that has a place of its own is no nothing, but bits without a name."""
    OVERLOOKED_EMPTY_MEMBERS = "overlooked empty members"
    """The type of an empty data member counts nothing for the alignment that members give a class."""
    OVERLOOKED_EMPTY_BASES = "overlooked empty bases"
    """An empty base counts nothing for that alignment."""
    OVERLOOKED_BASES = "overlooked bases"
    """No other base does either."""
    NO_EMPTY_ARGUMENTS = "no empty arguments"
    """Nothing is passed for a named argument of an empty class."""
    NO_EMPTY_UNNAMED = "no empty unnamed arguments"
    """Nothing is passed for an unnamed argument of an empty class."""
    OPAQUE_MEMBER_POINTERS = "opaque member pointers"
    """A pointer to a data member is no integer where it is a member itself."""
    NO_ZERO_WIDTHS = "no zero widths"
    """Bit-fields of width zero are overlooked when values are classified."""
    NO_UNNAMED_BASES = "no unnamed bases"
    """A base with nothing but bit-fields without a name is overlooked when values are classified."""
    UNNAMED_VALUES = "unnamed values"
    """An unnamed argument of a class that is non-trivial for calls since nothing can copy it is one by value."""
    EMPTY_ON_STACK = "empty on the stack"
    """An argument of an empty class, or of one with nothing but padding, has a place on the stack, as its size and alignment ask for."""
    EMPTY_PARTS_IN_MEMORY = "empty parts in memory"
    """A class with a member of an empty one is passed on the stack and returned in memory."""
    EMPTY_RESULTS_IN_MEMORY = "empty results in memory"
    """A result of an empty class is returned in memory."""
    LONE_SCALARS_FIRST = "lone scalars first"
    """The one scalar of a class is at the beginning of its register, even if members of empty classes precede it."""
    RIGHT_ALIGNED_REALS = "right-aligned reals"
    """A class of one real with a part that is not trivial for calls is at the end of a floating-point register of s390x."""
    LONE_REALS = "lone reals"
    """A class of one real or vector is passed as that, even if it is non-trivial for calls."""


class TableHabit(Enum):
    """A point in which a compiler writes tables of classes otherwise than the Itanium ABI says."""

    ALWAYS_INFORMATION = "always information"
    """Tables of classes without virtual functions lead to type information, too."""
    NO_CONSTRUCTION_DESTRUCTORS = "no construction destructors"
    """In tables for construction there are no destructors, but null pointers."""
    INHERITED_ENTRIES = "inherited entries"
    """Where a result is adjusted, `this` is so as for the nearest base that has the entry without that, declared there or not."""
    LOST_THUNKS = "lost thunks"
    """Behind the entry of a deleted function that would lead to a thunk the entries of a group of tables lead to none."""
    REVISITED_BASES = "revisited bases"
    """The bases of a virtual base count as repeated where that is reached in more than one way."""


class NameHabit(Enum):
    """A point in which a compiler names entities of C++ otherwise than the Itanium ABI says."""

    NULLPTR = "nullptr"
    """A template argument of type `decltype(nullptr)` is written as the expression `nullptr`."""
    DECLARED = "declared parameters"
    """An argument of a function template that does not tell what its parameter is stands behind a declaration of that."""
    DECLARED_UNSCOPED = "declared parameters of unscoped templates"
    """So does one of a function template at global scope or in std, whose name is no nested one, if its parameter is `auto`."""
    WRITTEN_OUT = "written-out parameters"
    """Where the name of a function template is nested, its arguments stand in its type in place of its parameters."""
    NO_EMPTY_PACKS = "no empty packs"
    """Nothing is written for an empty pack of template arguments, and no arguments where nothing else is there."""
    NUMBERED_ABBREVIATIONS = "numbered abbreviations"
    """`std::string` and the other specializations with an abbreviation are numbered for substitution as well."""
    ARRAYS_FIRST = "arrays first"
    """An array type is numbered for substitution before its element type."""
    CONST_POINTERS = "const pointers"
    """A pointer type that is const has no number of its own for substitution, unless a reference leads to it."""
    AS_DECLARED = "specializations as declared"
    """In the type of a function template whose name is not nested, arrays and specializations at global scope or in std are
    written anew each time, the latter without packs and numbered without their arguments; other names that are no template
    parameters stand for the type that the place has in the instance, which behind an array or a function is that itself."""


@dataclass(frozen=True)
class Policies:
    """The points in which a compiler departs from the text; the defaults are the text."""

    opaque_atomics: bool = False
    """Atomic types are not looked into: one is no composite of its members, and has no fundamental type to be classified by."""
    flattens_atomics: bool = False
    """Of a struct or complex number that is atomic each scalar is an argument of its own, on 64-bit Windows."""

    unaligned_names: frozenset[ValueKind] = frozenset()
    """The kinds of values that travel as their type does without the alignment that a typedef name gives it."""
    opaque_flexible_arrays: bool = False
    """No record with a flexible array is looked into: it is in memory or by reference, and none of its members has a register of its own."""
    memory_unions: bool = False
    """A union with a flexible array is in memory."""
    counts_flexible_nothing: bool = False
    """An argument of no bytes with a flexible array counts as a register that it does not take."""
    flexible_words: bool = False
    """An argument of no bytes takes a word if it has a flexible array."""
    aligned_nothing: frozenset[Argument] = frozenset()
    """The arguments of no bytes that align the stack as if they were there."""
    aligned_flexible: frozenset[Argument] = frozenset()
    """The arguments of no bytes with a flexible array that take nothing else than what lies before their alignment."""
    unpadded_va_start: bool = False
    """`va_start` knows nothing of the padding before a named argument of no bytes that is the last one."""
    unplaced_empties: frozenset[Argument] = frozenset()
    """The arguments without a named member that have no place, whatever their size."""
    placed_empties: frozenset[Argument] = frozenset()
    """The arguments without a named member that are passed as others are, to a family that passes none."""
    natural_copies: bool = False
    """The memory of an argument by reference is aligned as its type is, where the text asks for more."""
    most_aligned_copy: int = 0
    """The largest alignment in bytes of the memory to which a value is copied that travels by reference; 0 for any."""
    unflattened: frozenset[Unflattened] = frozenset()
    """The members without bytes that keep a record which has them from being flattened."""
    skips_unnamed_bit_fields: bool = False
    """A bit-field without a name is no field of an aggregate that is classified, of whatever width."""

    unaligned_pairs: frozenset[ValueKind] = frozenset()
    """The kinds of unnamed arguments that are aligned to two registers of RISC-V and may start at an odd one."""
    two_words_on_stack: bool = False
    """An argument that is aligned to two words is so on a stack of RISC-V that is aligned to one, too."""
    stack_in_words: bool = False
    """The arguments on the stack of i386 begin at any word."""
    records_in_words: bool = False
    """A record or a complex number on the stack of i386 is aligned to a word, whatever is in it."""
    float128_in_words: frozenset[Argument] = frozenset()
    """The arguments of type `__float128` that are aligned to a word on the stack of i386."""
    declared_bit_fields: bool = False
    """The natural alignment of a record of Arm's is at least that of the types of its bit-fields, which may be packed."""
    declared_bit_ints: bool = False
    """The natural alignment of a record of Arm's is at least that of each `_BitInt` of its bit-fields, which `#pragma pack` may lower."""
    elements_on_stack: frozenset[Argument] = frozenset()
    """A candidate for VFP, or for SIMD registers with one member, is aligned on the stack as its elements are, which may be packed."""
    all_elements_on_stack: frozenset[Argument] = frozenset()
    """The same of candidates for SIMD registers with several members."""
    adjusted_alignment: bool = False
    """A composite of Apple's is aligned on the stack as the whole record is, not as its members are."""
    unaligned_va_arg: bool = False
    """`va_arg` of Windows on AArch64 takes what follows, whatever its alignment."""
    nothing_on_stack: frozenset[Argument] = frozenset()
    """The arguments of no bytes that have no word of SPARC's parameter array in memory."""
    unassigned_nothing: frozenset[Argument] = frozenset()
    """The arguments of no bytes that have no word of SPARC's parameter array at all."""
    aligned_names: bool = False
    """A scalar of SPARC or MIPS is passed as its typedef name asks."""
    held_on_stack: bool = False
    """A structure of SPARC that is held as one integer is in memory behind the general registers, its reals, too."""
    argument_in_one: bool = False
    """An argument of SPARC that is held as one integer is read from its general register alone, though a real follows in it."""
    result_in_one: bool = False
    """A result of SPARC that is held as one integer is read from its general register alone, though a real follows in it."""
    unaligned_structures: bool = False
    """A structure of SPARC is in the next word, whatever its alignment."""
    uncounted_floats: bool = False
    """When a structure of SPARC is aligned, the words of floats are not counted, nor those that are left out for a quad."""
    floats_in_doublewords: bool = False
    """A float on the stack of 32-bit PowerPC has a doubleword there, at the first word of which it is."""
    va_arg_aligns_addresses: bool = False
    """`va_arg` of 32-bit PowerPC takes the address of a record from where the record would be aligned."""

    stack_of_sixteen: bool = False
    """An argument that is aligned to more than 16 bytes is in the next eightbyte of the stack of x86-64."""
    trimmed_on_stack: bool = False
    """A record of x86-64 that finds no registers is on the stack without its last eightbyte, if that is padding."""
    aligned_from_frame: bool = False
    """An argument that is aligned to more than 16 bytes on the stack of x86-64 is so by its distance from the frame pointer."""

    # x86-64: the classification of the psABI.
    counts_empty_arrays: bool = False
    """An array without elements is a field as if it had one; on x86-64 where it does not begin an eightbyte."""
    aligned_first_elements: bool = False
    """Of an array only the first element is asked whether its fields are unaligned."""
    va_arg_stores_reals: bool = False
    """`va_arg` stores whole vector registers of x86-64 into a struct that ends inside of an eightbyte of reals."""
    half_complex_goes_on: bool = False
    """A complex number of two halves inside of an eightbyte is in the next one, too."""
    records_are_no_fields: bool = False
    """Of a field that is a record its parts alone are asked whether they are unaligned."""
    zero_width_in_unions: bool = False
    """A zero-width bit-field of a union is INTEGER."""
    union_bit_fields_by_mode: bool = False
    """A bit-field of a union is unaligned where the least integer that holds it would be."""
    zero_width_in_structs: bool = False
    """A zero-width bit-field inside an eightbyte makes it INTEGER."""
    filling_bit_fields_are_members: bool = False
    """A bit-field that fills an aligned integer of its record is a member, which may be unaligned in what the record is in."""
    unaligned_bit_ints: bool = False
    """A `_BitInt` of 33 to 64 bits is not asked whether it is unaligned."""
    skips_unnamed_members: bool = False
    """A record whose bits are all unnamed is passed nowhere."""
    va_list_counts_unnamed: bool = False
    """The list of arguments begins behind room for a record whose bits are all unnamed, where that finds no registers."""
    halves_int128_vectors: bool = False
    """Of a record of one vector of one `__int128` the first half alone is passed."""
    int128_vectors_in_memory: bool = False
    """A vector of several `__int128` has class MEMORY."""
    splits_int128: frozenset[Argument] = frozenset()
    """An `__int128` of these is two integers, of which one may be in the last register, and the other on the stack."""
    int128_drains_registers: frozenset[Argument] = frozenset()
    """An `__int128` of these on the stack leaves no integer register for others."""
    float128_in_memory: bool = False
    """A `__float128` inside an aggregate has class MEMORY."""
    vectors_of_unit: bool = False
    """A vector of more than 16 bytes has class MEMORY, though its function has a target attribute for it."""
    wide_vectors_on_stack: bool = False
    """A vector of more than 16 bytes is on the stack in any function that takes variable arguments."""
    counts_apart: frozenset[Argument] = frozenset()
    """A count that is not LLVM's tells whether a record or complex number among these finds registers."""
    wide_vectors_alone: bool = False
    """Whatever stands beside a wide vector in a struct puts it in memory, also what has no bytes."""
    overlooks_arrays: bool = False
    """An array of more than 16 bytes in a union has no class, and a wide vector beside it goes on to the end of the union."""
    float128_unions_in_integers: frozenset[Argument] = frozenset()
    """The first half of a union of a `__float128` and two reals is INTEGER, as one of these arguments; as a named one, in a result, too."""
    small_reals_in_integers: frozenset[Argument] = frozenset()
    """A first eightbyte of one `__bf16` or two halves is INTEGER where what LLVM has of the next is not aligned to 8, as one of these arguments; as a named one, in a result, too."""
    plain_scalable_records: bool = False
    """No record is a pure scalable type."""
    marks_no_scalars: bool = False
    """A function that has no scalable vector in registers has no mark of its convention."""
    marks_no_tuples: bool = False
    """Nor has one that has tuples of them alone."""
    restores_results: bool = False
    """A function that preserves most or all registers restores those in which its result is."""
    names_vectors: bool = False
    """An unnamed scalable vector is passed as a named one."""
    reads_vectors_themselves: bool = False
    """`va_arg` takes the next words for a scalable vector itself, and goes on with the first of them."""
    unnamed_fixed_on_stack: bool = False
    """An unnamed fixed-point number is on the stack."""
    unnamed_float128_on_stack: bool = False
    """An unnamed `__float128` is on the stack."""
    local_unnamed: bool = False
    """The address of the unnamed arguments of PTX leads into the local window, and is no generic one."""
    splits_unnamed: bool = False
    """A caller puts an unnamed record of PTX part by part, each where it is aligned."""
    one_member_of_unions: bool = False
    """Of a union in vector registers, or in parameters of PTX, the bytes are carried that its one member for LLVM does not have as padding."""
    loses_upper_parts: bool = False
    """Of a record of one wide vector that is a result the first 16 bytes alone are returned."""
    one_class: bool = False
    """A value has one class for all of its eightbytes, merged from its members, of which arrays and bit-fields are INTEGER."""

    classes_by_beginning: bool = False
    """An eightbyte of a record has the class of what begins in it, by offsets in the innermost record, and of an array's first element."""
    records_need_two: bool = False
    """A record of one class goes in registers only where two of them are left."""
    unpadded_stack: bool = False
    """Arguments on the stack stand one behind the other, without alignment, and records without padding."""
    long_doubles_in_x87: bool = False
    """A result of two `long double` is returned as a complex one."""

    open_vector_count: bool = False
    """al holds anything where a function takes variable arguments."""
    unnamed_memory_by_reference: bool = False
    """An unnamed argument that the text has on the stack for its class is passed by reference."""

    # The flattened structs of RISC-V.
    counts_empty_unions: bool = False
    """A union without members is a field that keeps its struct from being flattened."""
    zero_width_before_second: bool = False
    """A zero-width bit-field before the second field keeps its struct from being flattened."""
    flattens_no_halves: bool = False
    """A half-precision real keeps its struct from being flattened."""
    pointers_are_integers: bool = False
    """A pointer beside a real has a register of its own, as an integer has."""
    passes_members: bool = False
    """A struct whose one or two members are numbers, one of them a real, is passed as these members would be; no other is flattened."""
    records_by_reference: bool = False
    """Every record is passed by reference, and returned in memory."""
    splits_complex_integers: bool = False
    """The parts of a complex integer that is all that a struct has are in registers of their own."""
    bit_fields_as: BitFieldsAs = BitFieldsAs.THEMSELVES
    """The treatment of a bit-field beside a real in a register, and before the real."""
    loses_argument_ends: bool = False
    """A value that has a register of its own and goes beyond the end of a struct that is an argument carries nothing."""
    loses_result_ends: bool = False
    """The same of a result."""
    reads_from_beginning: bool = False
    """A bit-field of more than 32 bits behind a real in a result is in its register with what is in front of it."""
    reads_real_behind: bool = False
    """A real behind a bit-field of more than 32 bits in a result is in the register of that, as in memory."""
    pads_behind_bit_ints: bool = False
    """The member behind a `_BitInt` is looked for behind padding that begins at its last byte with bits."""

    vectors_by_reference_on_stack: bool = False
    """A vector of 32 bytes on the stack is replaced by its address, as one in a register is."""

    # Homogeneous aggregates of Arm.
    zero_width_is_a_member: frozenset[Sort] = frozenset()
    """A zero-width bit-field of these keeps an aggregate from being homogeneous."""
    large_groups_by_reference: bool = False
    """A homogeneous aggregate of more than 16 bytes is passed by reference, as any other composite."""
    bf16_is_no_real: bool = False
    """A `__bf16` keeps an aggregate from being homogeneous."""
    halves_are_homogeneous: bool = False
    """An aggregate of half-precision reals is homogeneous on AArch32."""
    padded_part_is_a_member: bool = False
    """A record inside that has padding keeps an aggregate from being homogeneous, even where other members lie in that."""
    splits_homogeneous_bf16: bool = False
    """The members of an aggregate of `__bf16` are passed one by one, in registers and on the stack."""
    int128_vectors_as_integers: bool = False
    """A vector of one `__int128` is returned in general registers, as the integer is."""
    int128_groups_as_integers: frozenset[Argument] = frozenset()
    """Homogeneous aggregates of vectors of one `__int128` among these arguments are in consecutive general registers, and of results their members."""
    int128_groups_apart: bool = False
    """The last double-word of such an aggregate is passed by itself; one of a single vector as the integer."""
    int128_groups_by_elements: bool = False
    """Such an aggregate is aligned on the stack as its vectors are, though it is packed."""
    halves_vectors_of_long_double: bool = False
    """Of a vector of one `long double` half is passed."""
    vectors_in_registers: frozenset[Argument] = frozenset()
    """Vectors among these arguments of a variadic function are in vector registers for Windows on AArch64."""
    splits_no_composite: frozenset[Argument] = frozenset()
    """No composite among these arguments of a variadic function is split for Windows on AArch64."""

    va_arg_takes_right_end: bool = False
    """`va_arg` takes a vector of less than 8 bytes from the right end of its double-word."""
    va_arg_of_wide_vectors: bool = False
    """`va_arg` takes a vector of more than 16 bytes itself, which callers pass by reference."""
    rounded_to_alignment: bool = False
    """For Windows on AArch64 a composite takes as many bytes as its alignment, though it has less."""
    va_arg_of_reals_in_general: bool = False
    """`va_arg` of AArch64 takes a vector of reals of less than 8 bytes from general registers, which callers put on the stack."""
    va_arg_of_nothing: bool = False
    """`va_arg` of Windows on AArch64 takes a record without a named member, which callers do not pass."""

    # 64-bit PowerPC.
    unwraps_unions: bool = False
    """A union of one real or vector, beside what has no named member, is passed like it."""
    unwraps_zero_width: bool = False
    """An argument that is a struct of one real and zero-width bit-fields is passed like the real."""
    float128_is_unlike_vectors: bool = False
    """A `_Float128` and a vector are members of different types."""
    lists_rest_of_doubleword: bool = False
    """Of a doubleword of which a part is in f13 the list has the other part alone."""
    loses_second_doubles: bool = False
    """The second double of a long double whose first is in f13 is passed nowhere, where the list has a register for it."""
    # SPARC.
    unions_as_storage: bool = False
    """A union is promoted as the one member by which it is described to LLVM."""
    promotes_unnamed_reals: bool = False
    """The single-precision reals of an unnamed record are in floating-point registers."""
    left_complex_integers: bool = False
    """A complex integer of less than a word is in the left part of it, as a structure is."""
    va_arg_takes_whole_vectors: bool = False
    """`va_arg` of SPARC takes a vector as it lies in memory, where callers have each element in a word."""
    va_arg_takes_left_vectors: bool = False
    """`va_arg` of SPARC takes a vector of less than a word from its left part."""
    word_vectors_on_stack: bool = False
    """A vector of four bytes on the stack of SPARC is taken from the right half of its first word, where callers have one element."""
    overwrites_arguments: bool = False
    """A real of an argument of SPARC is lost whose register a later one is loaded into as well."""
    overwrites_results: bool = False
    """The same of a result."""
    unaligned_parts: bool = False
    """A value of more than a word that LLVM splits does not begin at an even word of SPARC."""
    packed_reals_in_words: bool = False
    """No real of a record with a packed member is in a floating-point register."""
    double_long_doubles: bool = False
    """`long double` is what `double` is."""
    va_arg_takes_quads: bool = False
    """`va_arg` of 32-bit SPARC takes a `long double` from the words, where callers have its address."""
    vectors_in_elements: bool = False
    """Each element of a vector of 32-bit SPARC has words or registers of its own, as an argument and as a result."""
    unimp_behind_nothing: bool = False
    """An `unimp` instruction follows a call whose result has no bytes."""

    # i386 and 32-bit PowerPC.
    no_shadow_of_later_aggregates: bool = False
    """By `vectorcall` a homogeneous vector aggregate in registers, behind six arguments, has no 8 bytes of the stack."""
    vectorcall_divides_records: bool = False
    """By vectorcall on i386 a record of two to four scalars of whole words is taken apart, and each of its reals in a vector register."""
    stacked_reals_themselves: bool = False
    """By `vectorcall` a real for which there is no register is on the stack, and not its address."""
    addresses_in_registers: bool = False
    """By `vectorcall` of i386 the address of a vector for which there is no register is in a general one."""
    vectorcall_as_fastcall: bool = False
    """An argument that is in no vector register by `vectorcall` of i386 is passed as by `fastcall`."""
    loses_reals_beside_mmx: bool = False
    """On 32-bit Windows a call with a value in an MMX register promises no real a place."""
    loses_mmx_beside_reals: bool = False
    """Where reals are among the arguments, it promises none to the vector either."""
    no_mmx_registers: bool = False
    """A `__m64` of integers is an integer of two words and returned as a vector of 16 bytes, one of reals is a vector of 16 bytes."""
    pops_aligned_areas: bool = False
    """The bytes that `stdcall` and its like take off the stack of i386 is counted up to the alignment of the arguments."""
    float128_in_words_with: frozenset[Convention] = frozenset()
    """A `__float128` on the stack of i386 is aligned to a word in calls of these conventions."""
    words_for_flexible_nothing: frozenset[Argument] = frozenset()
    """The arguments that have a word on the stack of i386 if they are records of no bytes with a flexible array."""
    stacked_use_registers: bool = False
    """The arguments that `fastcall` of Windows has on the stack, records and integers of more than a word, uses up registers."""
    two_words_use_registers: bool = False
    """Among what `fastcall` has on the stack, and clang counts, are integers of two words."""
    records_as_held: bool = False
    """A record is returned on 32-bit Windows as the number or vector that gcc holds it as, or in memory."""
    records_by_parts: bool = False
    """A record is returned in registers on 32-bit Windows only if each part of it could be."""
    records_of_reals: bool = False
    """A record of one `float` or `double` is returned in st0 on 32-bit Windows."""
    bit_ints_use_registers: bool = False
    """A `_BitInt` of more than a word uses up the registers of `fastcall`, and goes on the stack."""
    other_reals_use_registers: bool = False
    """Under `regparm` reals but `float` and `double`, and complex numbers, use general registers as integers of their size do; one of up to two words is in a vector register."""
    va_arg_of_vectors: bool = False
    """`va_arg` of i386 takes a vector as any other value, which callers divide into vectors of 16 bytes, or widen to one."""
    va_arg_of_bit_ints: bool = False
    """`va_arg` of i386 takes a `_BitInt` of more than 64 bits itself, which callers pass by reference."""
    widens_unnamed_m64: frozenset[Kind] = frozenset()
    """An unnamed `__m64` of these is on the stack as a vector of 16 bytes."""
    float128_address_on_stack: bool = False
    """The address of a `__float128` result is on the stack, whatever registers there are for arguments."""
    complex_by_reference: bool = False
    """A complex number is passed by reference, and returned in memory."""
    va_arg_vectors_in_general: bool = False
    """`va_arg` takes a vector from the general registers, and counts one for it."""
    va_arg_doublewords_in_general: bool = False
    """`va_arg` takes a vector of doublewords from four general registers."""
    va_arg_takes_left_end: bool = False
    """`va_arg` takes a `_BitInt` of less than a word from the left end of it."""
    va_arg_takes_left_records: bool = False
    """`va_arg` of ELFv1 takes a record of less than a doubleword from the beginning of it."""
    va_arg_of_fixed_points: bool = False
    """`va_arg` takes a fixed-point number as no integer: from the left end of its word, or from the next register, of which it counts one."""
    va_arg_takes_values: bool = False
    """`va_arg` takes a `_BitInt` of more than 64 bits itself, from where its address is."""
    va_arg_halves_long_doubles: bool = False
    """`va_arg` counts one floating-point register for a long double."""

    counts_vectors_as_integers: bool = False
    """A scalable vector in vector registers is counted as an integer register where a struct is flattened."""

    # PTX.
    undeclared_nothing: bool = False
    """A result of no bytes is not declared."""
    empty_classes: bool = False
    """A record without members has a byte, as a class of C++ has."""
    idle_zero_width: bool = False
    """A packed zero-width bit-field ends no unit, and one under `#pragma pack` a unit of no more than that allows."""
    least_param_align: int = 0
    """The least alignment in bytes with which a record is declared that is a parameter of a device function; 0 for any."""
    llvm_params: bool = False
    """A record that is a parameter is declared with the alignment of its LLVM type, where that is the greater one."""
    llvm_results: bool = False
    """A record that is a result is declared with the alignment of its LLVM type."""
    plain_pointers: bool = False
    """A call through a pointer declares a record with the alignment of its C type, whatever that of a function is raised to."""
    runs_of_bit_fields: bool = False
    """An LLVM type has one integer for each run of bit-fields without a gap between them, instead of some that are cheap to access."""

    # WebAssembly.
    unions_of_one_scalar: bool = False
    """A union whose members are scalars of one size, reals or none of them, is passed as the first."""

    # Microsoft's x64 convention.
    halves_in_general_registers: frozenset[Kind] = frozenset()
    """Half-precision reals of these types are passed and returned as integers."""
    widens_vectors: bool = False
    """A vector of 8 bytes and several elements is passed as one of 16, by reference, and returned in xmm0; of one, as that."""
    widens_vectors_of_one: bool = False
    """A vector of one `double` is passed by reference."""
    int128_vectors_in_words: bool = False
    """A vector of `__int128` is passed in words, each a position, and one of 16 bytes returned in two registers."""
    takes_references_for_values: bool = False
    """An unnamed argument that is passed by reference is taken from the words themselves."""
    va_arg_by_size: bool = False
    """`va_arg` takes an argument of 1, 2, 4 or 8 bytes itself, and the address of any other one, whatever its type."""
    float128_in_register: bool = False
    """A `__float128` is in the vector register of its position."""
    returns_float128_in_register: bool = False
    """A `__float128` is returned in xmm0."""
    named_reals_in_one_register: bool = False
    """A named real of a function with variable arguments is in its vector register alone."""
    va_arg_skips_unnamed_members: bool = False
    """The list of arguments has no word for a record whose bits are all unnamed, a parameter or not."""
    skips_unnamed_results: bool = False
    """A result whose bits are all unnamed is returned nowhere."""
    unextended_atomics: bool = False
    """No integer that is atomic is extended in a register or on the stack, as if nothing were said of what is above it."""

    # Constants and debug information.
    constants_overlap: bool = False
    """The constant of a bit-field loses whole bytes behind that of a wide `_BitInt`, which goes on beyond its type."""
    constants_have_padding: bool = False
    """Padding is written into constants, too."""
    constant_fills_words: bool = False
    """A constant of a bit-field of more than 128 bits, behind others and aligned to a word, fills whole integers and words."""
    dwarf_whole_bit_fields: bool = False
    """DWARF has a bit-field that is as wide as its type at the byte in which it begins, as if it were none."""
    dwarf_tells_attribute: bool = False
    """DWARF has the alignment that an attribute of a record asks for, be it less than the record has."""
    dwarf_containing_objects: bool = False
    """DWARF has a bit-field of a union as far behind as gcc takes the object that contains it to begin before the union."""
    dwarf_byte_predicates: bool = False
    """DWARF has a byte for each bit of a predicate of SVE."""

    records: str = ""
    """The compiler, `tcc` or `pcc`, whose own rules lay out records, instead of those of the text."""
    classes: frozenset[ClassHabit] = frozenset()
    """The points in which classes of C++ are laid out otherwise."""
    calls: frozenset[CallHabit] = frozenset()
    """The points in which functions of C++ are called otherwise."""
    tables: frozenset[TableHabit] = frozenset()
    """Points in which tables of C++ classes are not as the Itanium ABI says."""
    names: frozenset[NameHabit] = frozenset()
    """The points in which entities of C++ are named otherwise."""
    packs_no_enum: bool = False
    """`packed` on an enumeration is ignored."""

    attributes_on_member: bool = False
    """Attributes between the star and the name of a pointer are the member's, and not those of the pointer type."""
    unpacked_zero_width: bool = False
    """Packing does not limit a zero-width bit-field of MinGW."""
    vectors_ask_for_alignment: bool = False
    """The alignment of a vector is one that is asked for, which outlives packing where records are Microsoft's."""
    ignores_unnamed: bool = False
    """Bit-fields without a name count nothing for the alignment of a record."""
    packs_no_characters: bool = False
    """`packed` on a member that is a vector of characters is ignored, as on a character."""
    alignment_of_place: bool = False
    """`__alignof__` of a member tells the alignment of its place in its record, up to that of its type."""
    most_told: int = 0
    """The largest alignment that gcc tells of a type which has no attribute for it; 0 for that of the text."""
    vectors_as_long: bool = False
    """A vector is aligned to its size."""
    most_aligned_vector: int = 0
    """The bytes up to which a vector is aligned to its size, where larger ones are aligned to as much; 0 for the text's alignment."""
    bit_int_chunk: int = 0
    """The bytes of the pieces of a `_BitInt` of more than 64 bits; 0 for those of the text."""
    unnamed_bit_int_align: int = 0
    """The alignment in bytes by which a `_BitInt` of more than 64 bits is taken from variable arguments; 0 for that of the text."""
    unextended_bit_ints: frozenset[Direction] = frozenset()
    """The directions in which no `_BitInt` is extended, not even to the end of its bytes."""
    open_bit_ints: bool = False
    """The unused bits of a `_BitInt` in a record hold anything."""
    bit_ints_in_bytes: frozenset[Direction] = frozenset()
    """Of a `_BitInt` only the bytes that hold its bits are stored; where these are not all, it is not extended in these directions."""
    extended_bit_ints: bool = False
    """The unused bits of a `_BitInt` are copies of its sign, or zero, where the text leaves them open."""
    open_lone_bit_ints: bool = False
    """Of a `_BitInt` that is in no record they are open all the same."""
    extended_one_bit: bool = False
    """The unused bits of an unsigned `_BitInt(1)` are zero, where the text leaves them open."""
    extended_unnamed_one_bit: bool = False
    """So are those of one that is an unnamed argument."""
    naturally_aligned_int128: bool = False
    """`__int128` is aligned to its size."""
    naturally_aligned_reals: bool = False
    """Reals are aligned to their size."""
    naturally_aligned_words: bool = False
    """Integers and pointers of four bytes are aligned to their size."""
    result_address_on_stack: bool = False
    """The address of a result in memory is the first argument of m68k, which the callee takes off the stack."""
    small_records_in_registers: bool = False
    """Records of m68k that gcc holds as a number are returned as that."""
    va_arg_of_references: bool = False
    """An aggregate of m68k is taken from variable arguments by its address."""
    aligned_records_on_stack: bool = False
    """A record on the stack of m68k is aligned as its type."""
    small_records_as_integers: bool = False
    """A record of Hexagon of up to two words is on the stack as an integer if it is aligned to its size, or clang has counted a register for it."""
    last_register_after_records: bool = False
    """A record of Hexagon that finds no pair leaves R5 to what is no record, or one that is aligned to its size."""
    records_of_two_words: bool = False
    """A record on the stack of Hexagon takes at least two words."""
    va_arg_in_words: bool = False
    """Unnamed arguments of Hexagon are taken from the stack by whole words, from right behind the named ones on."""
    narrow_records_at_end: bool = False
    """A record of m68k that is narrower than a word is at the end of it."""
    mixed_results_in_memory: bool = False
    """A record that is no homogeneous aggregate is returned in memory on POWER, however small it is."""
    word_aggregates_in_memory: bool = False
    """An aggregate of Xtensa that a word holds is returned in memory."""
    quad_aligned_in_memory: bool = False
    """What is aligned to 16 bytes is returned in memory on Xtensa."""
    uncounted_result_address: bool = False
    """The registers of Xtensa that are left are counted without that of a result's address."""
    va_arg_counts_named_twice: bool = False
    """`va_arg` of Xtensa skips as many registers as named arguments have, and aligns on the stack from where they end."""
    va_arg_aligns_by_words: bool = False
    """`va_arg` of Xtensa finds the end of named arguments on the stack by alignments counted from the first register on."""
    zero_extended_bytes: bool = False
    """A signed integer of one byte is returned on Xtensa with zeros above it."""
    unaligned_int128: frozenset[Argument] = frozenset()
    """The arguments of type `__int128` that MIPS takes no even slot for, and WebAssembly only a multiple of 8."""
    unaligned_nothing: bool = False
    """On MIPS an argument of no bytes aligns nothing."""
    complex_parts_apart: frozenset[Argument] = frozenset()
    """The arguments of MIPS that are a complex number and have a slot for each part, wherever that is."""
    loses_wide_complex: bool = False
    """An unnamed `long double _Complex` of MIPS has places, and nothing is put there."""
    splits_complex_results: bool = False
    """The parts of a complex integer are returned in a register each."""
    unsigned_enums: bool = False
    """An enumeration without negative values is unsigned where the text has an `int`."""
    bit_units_of_types: bool = False
    """Bit-fields are in storage units of their types where the text has units of its own."""
    whole_ms_units: bool = False
    """The unit of a packed bit-field of an `ms_struct` is aligned as if it were not packed."""
    ms_units_in_a_byte: bool = False
    """The size in bits of a storage unit of an `ms_struct`, and what is left of it, are kept in a byte each."""
    plain_flexible_arrays: bool = False
    """A flexible array of an `ms_struct` is aligned as in any other record."""
    largest_atomic: int = 0
    """The size in bytes of the largest atomic type that clang aligns to its size; 0 for that of the dialect."""
    most_aligned_atomic: int = 0
    """The bytes to which gcc aligns an atomic type at most; 0 for those of the dialect."""
    plain_atomic_arrays: bool = False
    """An array of what is atomic is aligned as if it were not."""
    signed_words: bool = False
    """An unsigned word is extended as a signed one where the text says that of other variants alone."""
    open_on_stack: bool = False
    """Integers on the stack are not extended."""
    open_arguments: int = 0
    """The bytes below which an integer that is an argument is not extended."""
    open_complex_parts: bool = False
    """The parts of a complex integer are not extended."""
    aligned_as_number: bool = False
    """A record that is held as one number is aligned no more than that number, where the data model limits it."""
    extends_to_32: bool = False
    """On x86-64 an argument that is a narrower integer is extended to 32 bits."""
    extends_apple_results: bool = False
    """On Apple's platforms a narrow result is extended as an argument is."""
    extended_arguments: int = 0
    """The bytes to which an argument is extended that is a narrower integer, where the text leaves open what is above it."""
    extended_on_stack: int = 0
    """The same of arguments on the stack."""
    extended_results: int = 0
    """The same of results."""
    extended_bit_int_results: int = 0
    """The same of results that are a `_BitInt`."""
    stack_sign_extended: bool = False
    """An unsigned integer of less than four bytes on the stack is extended as a signed one."""

    @cached_property
    def extends_as_told(self) -> bool:
        """Return whether what is above an integer in its place is as the text has it."""
        return not (
            self.unextended_atomics
            or self.unextended_bit_ints
            or self.bit_ints_in_bytes
            or self.extended_arguments
            or self.extended_on_stack
            or self.extended_results
            or self.extended_bit_int_results
            or self.stack_sign_extended
            or self.open_on_stack
            or self.open_arguments
        )

    def changed(self, fields: Mapping[str, object]) -> Policies:
        """Return these policies with other values in some fields; a set is united with what is there.

        Raises `TypeError` for a field that there is none of.
        """
        united = {
            name: value | getattr(self, name) if isinstance(value, frozenset) else value
            for name, value in fields.items()
        }
        return replace(self, **united)  # type: ignore[arg-type]


TEXT = Policies()
"""The text, as it is written."""
HABITS: Mapping[Reading | None, Policies] = {
    Reading.CLANG: Policies(attributes_on_member=True, unpacked_zero_width=True),
    Reading.GCC: Policies(aligned_as_number=True),
}
"""Policies in which a family's dialect departs from the text everywhere, where it is asked for without quirks."""

# The stack pointer, and what the engine does for the driver (driver.c), on WebAssembly.
#
# abi_enter has the engine call abi_entry, which calls what it was told to; so abi_leave can return from it by a trap. What
# knows the types of functions is linked with each unit (entries.py).

    .globaltype __stack_pointer, i32
    .tabletype __indirect_function_table, funcref

    .functype abi_guarded () -> ()
    .import_module abi_guarded, abiprobe
    .import_name abi_guarded, guarded

    .section .text.abi_enter,"",@
    .globl abi_enter
    .type abi_enter,@function
abi_enter:
    .functype abi_enter (i32) -> ()
    .local i32
    global.get __stack_pointer
    local.set 1
    i32.const 0
    local.get 0
    i32.store abi_entering
    i32.const 0
    local.get 1
    i32.store abi_driver_sp
    call abi_guarded
    local.get 1
    global.set __stack_pointer
    end_function

    .section .text.abi_entry,"",@
    .globl abi_entry
    .type abi_entry,@function
    .export_name abi_entry, abi_entry
abi_entry:
    .functype abi_entry () -> ()
    i32.const 0
    i32.load abi_entering
    call_indirect () -> ()
    end_function

    .section .bss.abi_entering,"",@
    .globl abi_entering
    .p2align 2
abi_entering:
    .int32 0
    .size abi_entering, 4

    .section .bss.abi_driver_sp,"",@
    .globl abi_driver_sp
    .p2align 2
abi_driver_sp:
    .int32 0
    .size abi_driver_sp, 4

"""D, as the compiler of LLVM has it: `extern (C)` in the subset without a runtime (`-betterC`)."""

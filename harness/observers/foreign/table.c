/* The table of functions of an image in a process that makes them as it runs; the driver reads it as a unit's. */

enum { FUNCTIONS = 4096 };

void (*abi_functions[FUNCTIONS])(void);

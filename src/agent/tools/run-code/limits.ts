const KIB = 1_024;
const MIB = KIB * KIB;

/**
 * Fuel of one program: loop iterations and function calls in the engine's machine code (see
 * scripts/quickjs/meter.ts). The clock cannot serve, as it stands still while a Worker computes; nor can
 * the engine's own interrupts, which count one indexOf in a long list like one addition. A unit was
 * measured at 1 to 5 ns, mostly 3, and at 10 for random memory access: an endless loop ends after 0.6 s,
 * anything after 2 s. One iteration of an empty loop takes about 10 units.
 */
export const FUEL = 200_000_000;

/** Fuel to explain an error after the program has ended. */
export const CLOSING_FUEL = 10_000_000;

/** Memory of the program's values. */
export const MEMORY_BYTES = 32 * MIB;

/** Memory including the room to explain that it is used up. */
export const CLOSING_MEMORY_BYTES = MEMORY_BYTES + 4 * MIB;

/** 48 MiB in pages of WebAssembly: the engine, the program's memory, its input and its output. */
export const WASM_PAGES = 768;

/** Stack of the engine, well below the host's own stack. */
export const STACK_BYTES = 192 * KIB;

/** The most bytes of `input` and `answers` as JSON. */
export const INPUT_BYTES = 8 * MIB;

/** The most stored bytes of a return value; with the console it fits one row. */
export const VALUE_BYTES = 448 * KIB;

/** The most stored bytes of the console's lines. */
export const CONSOLE_BYTES = 32 * KIB;

/** The deepest nesting; deeper data could exhaust the stack of the code that walks it. */
export const VALUE_DEPTH = 128;

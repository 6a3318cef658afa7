const KIB = 1_024;
const MIB = KIB * KIB;

/**
 * Fuel of one program: turns of loops and calls of functions in the engine's machine code (see
 * scripts/quickjs/meter.ts). The clock cannot serve: it stands still while a Worker computes; and the
 * engine's own interrupts cannot, for one indexOf in a long list counts as much as one addition. A
 * unit was measured at 1 to 5 ns, most at 3, and at 10 where memory is read at random: so an endless
 * loop ends after 0.6 s, and anything after 2 s. A turn of an empty loop takes some 10 units.
 */
export const FUEL = 200_000_000;

/** Fuel for putting what happened into words once the program is over. */
export const CLOSING_FUEL = 10_000_000;

/** What the program's values may take. */
export const MEMORY_BYTES = 32 * MIB;

/** Room to say that the memory is used up. */
export const CLOSING_MEMORY_BYTES = MEMORY_BYTES + 4 * MIB;

/** 48 MiB in pages of WebAssembly: the engine, the program's memory and what goes in and out. */
export const WASM_PAGES = 768;

/** Stack of the engine, well under what the host's own stack bears. */
export const STACK_BYTES = 192 * KIB;

/** What a program may be given: `input` and `answers` as JSON. */
export const INPUT_BYTES = 8 * MIB;

/** What a program may return, as it is stored; with the console it fits one row. */
export const VALUE_BYTES = 448 * KIB;

/** The console's lines, as they are stored. */
export const CONSOLE_BYTES = 32 * KIB;

/** Lists and objects in one another; deeper data could exhaust the stack of whoever walks it next. */
export const VALUE_DEPTH = 128;

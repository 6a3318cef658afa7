/**
 * The little of the WebAssembly binary format (core specification 2.0, chapter 5) that is needed to
 * find instructions in a function: where each one ends. What is not known here is refused.
 */

export interface Read {
  value: number;
  /** Where the next thing begins. */
  end: number;
}

/** An unsigned LEB128 number of at most 32 bits. */
export function readUnsigned(bytes: Uint8Array, at: number): Read {
  let value = 0;
  for (let index = 0; index < 5; index++) {
    const byte = byteAt(bytes, at + index);
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: at + index + 1 };
  }
  throw new Error(`a number at ${at} does not end`);
}

/** A number as unsigned LEB128. */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}

export function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new Error(`the module ends early, at ${at}`);
  return byte;
}

export function concat(parts: readonly ArrayLike<number>[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Where the declarations of a function's locals end and its instructions begin. */
export function localsEnd(code: Uint8Array): number {
  const groups = readUnsigned(code, 0);
  let at = groups.end;
  // A group is a count and a type of one byte.
  for (let index = 0; index < groups.value; index++) at = readUnsigned(code, at).end + 1;
  return at;
}

/** Where the instruction that begins at `at` ends, its immediates included. */
export function instructionEnd(bytes: Uint8Array, at: number): number {
  const opcode = byteAt(bytes, at);
  const next = at + 1;
  switch (opcode) {
    case 0x02: // block
    case 0x03: // loop
    case 0x04: // if
    case 0x41: // i32.const
    case 0x42: // i64.const
      return numberEnd(bytes, next);
    case 0x0e: // br_table
      return numbersEnd(bytes, next, 1);
    case 0x11: // call_indirect
      return numberEnd(bytes, numberEnd(bytes, next));
    case 0x43: // f32.const
      return next + 4;
    case 0x44: // f64.const
      return next + 8;
    case 0xfc:
      return prefixedEnd(bytes, next);
  }
  if (TAKES_NOTHING.some(([from, to]) => opcode >= from && opcode <= to)) return next;
  if (TAKES_AN_INDEX.some(([from, to]) => opcode >= from && opcode <= to)) {
    return numberEnd(bytes, next);
  }
  // Loads and stores: alignment and offset.
  if (opcode >= 0x28 && opcode <= 0x3e) return numberEnd(bytes, numberEnd(bytes, next));
  throw new Error(`unknown instruction ${opcode.toString(16)}`);
}

/** unreachable, nop; else, end, return; drop, select; comparisons, arithmetic and conversions. */
const TAKES_NOTHING = [
  [0x00, 0x01],
  [0x05, 0x05],
  [0x0b, 0x0b],
  [0x0f, 0x0f],
  [0x1a, 0x1b],
  [0x45, 0xc4],
] as const;

/** br, br_if; call; locals and globals; memory.size, memory.grow. */
const TAKES_AN_INDEX = [
  [0x0c, 0x0d],
  [0x10, 0x10],
  [0x20, 0x24],
  [0x3f, 0x40],
] as const;

function prefixedEnd(bytes: Uint8Array, at: number): number {
  const { value, end } = readUnsigned(bytes, at);
  // Saturating conversions.
  if (value <= 7) return end;
  if (value === 10) return end + 2; // memory.copy
  if (value === 11) return end + 1; // memory.fill
  throw new Error(`unknown instruction fc ${value}`);
}

/** The end of any LEB128 number, signed or not. */
function numberEnd(bytes: Uint8Array, at: number): number {
  let end = at;
  while (byteAt(bytes, end) >= 0x80) end++;
  return end + 1;
}

/** The end of a counted list of numbers and of `more` numbers behind it. */
function numbersEnd(bytes: Uint8Array, at: number, more: number): number {
  const { value, end } = readUnsigned(bytes, at);
  let last = end;
  for (let index = 0; index < value + more; index++) last = numberEnd(bytes, last);
  return last;
}

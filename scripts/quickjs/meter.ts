import { byteAt, concat, instructionEnd, localsEnd, readUnsigned, unsigned } from "./wasm.ts";

/** The export through which the host fills the meter and reads what is left. */
const EXPORT_NAME = "fuel";

/** So many bytes (as a power of two) that a bulk instruction moves cost as much as a loop's turn. */
const BULK_SHIFT = 6;

const SECTION = { global: 6, export: 7, code: 10 } as const;
const OP = {
  unreachable: 0x00,
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Const: 0x41,
  i32LessThan: 0x48,
  i32Sub: 0x6b,
  i32ShiftRight: 0x76,
  prefix: 0xfc,
} as const;
const MEMORY_COPY = 10;
const MEMORY_FILL = 11;
const I32 = 0x7f;
const NO_RESULT = 0x40;
const MUTABLE = 0x01;
const GLOBAL_KIND = 0x03;
/** 2^31 - 1 as signed LEB128: full until the host says otherwise, so that the module can start. */
const FULL = [0xff, 0xff, 0xff, 0xff, 0x07];

/**
 * Gives a WebAssembly module a meter: each turn of a loop and each call of a function takes one from
 * the exported global `fuel`, and below zero the module traps. So all that it computes ends, also in
 * builtin functions that its own interrupt handler never hears of.
 */
export function meter(module: Uint8Array): Uint8Array {
  const sections = sectionsOf(module);
  const globals = sections.find(({ id }) => id === SECTION.global);
  if (globals === undefined) throw new Error("the module has no globals");
  const fuel = readUnsigned(globals.body, 0).value;
  const metered = sections.map(({ id, body }) => section(id, changed(id, body, fuel)));
  return concat([module.subarray(0, HEADER_BYTES), ...metered]);
}

function changed(id: number, body: Uint8Array, fuel: number): Uint8Array {
  switch (id) {
    case SECTION.global:
      return appended(body, [variable(FULL), variable([0])]);
    case SECTION.export: {
      const name = [...EXPORT_NAME].map((letter) => letter.charCodeAt(0));
      return appended(body, [[name.length, ...name, GLOBAL_KIND, ...unsigned(fuel)]]);
    }
    case SECTION.code:
      return chargedCode(body, charges(fuel));
    default:
      return body;
  }
}

interface Section {
  id: number;
  body: Uint8Array;
}

/** The magic number and the version. */
const HEADER_BYTES = 8;

function sectionsOf(module: Uint8Array): Section[] {
  const sections: Section[] = [];
  let at = HEADER_BYTES;
  while (at < module.length) {
    const size = readUnsigned(module, at + 1);
    const end = size.end + size.value;
    sections.push({ id: byteAt(module, at), body: module.subarray(size.end, end) });
    at = end;
  }
  return sections;
}

function section(id: number, body: Uint8Array): Uint8Array {
  return concat([[id], unsigned(body.length), body]);
}

/** A list with more items at its end, where they change no index that is in use. */
function appended(body: Uint8Array, items: readonly number[][]): Uint8Array {
  const count = readUnsigned(body, 0);
  return concat([unsigned(count.value + items.length), body.subarray(count.end), ...items]);
}

function variable(initial: readonly number[]): number[] {
  return [I32, MUTABLE, OP.i32Const, ...initial, OP.end];
}

/** The instructions that are put in. */
interface Charges {
  turn: number[];
  bulk: number[];
}

function charges(fuelIndex: number): Charges {
  const fuel = unsigned(fuelIndex);
  // The number of bytes lies on top of the stack and has to be there again afterwards.
  const bytes = unsigned(fuelIndex + 1);
  const trapWhenEmpty = [
    ...[OP.globalGet, ...fuel, OP.i32Const, 0, OP.i32LessThan],
    ...[OP.if, NO_RESULT, OP.unreachable, OP.end],
  ];
  return {
    turn: [
      ...[OP.globalGet, ...fuel, OP.i32Const, 1, OP.i32Sub, OP.globalSet, ...fuel],
      ...trapWhenEmpty,
    ],
    bulk: [
      ...[OP.globalSet, ...bytes, OP.globalGet, ...fuel],
      ...[OP.globalGet, ...bytes, OP.i32Const, BULK_SHIFT, OP.i32ShiftRight],
      ...[OP.i32Sub, OP.globalSet, ...fuel],
      ...trapWhenEmpty,
      ...[OP.globalGet, ...bytes],
    ],
  };
}

function chargedCode(body: Uint8Array, put: Charges): Uint8Array {
  const count = readUnsigned(body, 0);
  const parts: ArrayLike<number>[] = [unsigned(count.value)];
  let at = count.end;
  for (let index = 0; index < count.value; index++) {
    const size = readUnsigned(body, at);
    at = size.end + size.value;
    const code = chargedFunction(body.subarray(size.end, at), put);
    parts.push(unsigned(code.length), code);
  }
  return concat(parts);
}

function chargedFunction(code: Uint8Array, put: Charges): Uint8Array {
  const start = localsEnd(code);
  const parts: ArrayLike<number>[] = [code.subarray(0, start), put.turn];
  for (let at = start; at < code.length; ) {
    const end = instructionEnd(code, at);
    const instruction = code.subarray(at, end);
    if (isBulk(instruction)) parts.push(put.bulk);
    parts.push(instruction);
    if (instruction[0] === OP.loop) parts.push(put.turn);
    at = end;
  }
  return concat(parts);
}

function isBulk([opcode, second]: Uint8Array): boolean {
  return opcode === OP.prefix && (second === MEMORY_COPY || second === MEMORY_FILL);
}

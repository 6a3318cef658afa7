import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { meter } from "../../../scripts/quickjs/meter.ts";
import { METERED, meteredQuickjs } from "../../../scripts/quickjs.ts";

/** `loop` takes n turns, `fill` sets n bytes, `nest` calls itself n times; and a global of its own. */
const MODULE = Uint8Array.from(
  [
    [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    [0x01, 0x05, 0x01, 0x60, 0x01, 0x7f, 0x00],
    [0x03, 0x04, 0x03, 0x00, 0x00, 0x00],
    [0x05, 0x03, 0x01, 0x00, 0x01],
    [0x06, 0x06, 0x01, 0x7f, 0x01, 0x41, 0x00, 0x0b],
    [0x07, 0x16, 0x03],
    [0x04, ...Buffer.from("loop"), 0x00, 0x00],
    [0x04, ...Buffer.from("fill"), 0x00, 0x01],
    [0x04, ...Buffer.from("nest"), 0x00, 0x02],
    [0x0a, 0x2b, 0x03],
    // loop; local.get 0; i32.const 1; i32.sub; local.tee 0; br_if 0; end
    [0x0e, 0x00, 0x03, 0x40, 0x20, 0x00, 0x41, 0x01, 0x6b, 0x22, 0x00, 0x0d, 0x00, 0x0b, 0x0b],
    // i32.const 0; i32.const 7; local.get 0; memory.fill
    [0x0b, 0x00, 0x41, 0x00, 0x41, 0x07, 0x20, 0x00, 0xfc, 0x0b, 0x00, 0x0b],
    // local.get 0; if; local.get 0; i32.const 1; i32.sub; call 2; end
    [0x0e, 0x00, 0x20, 0x00, 0x04, 0x40, 0x20, 0x00, 0x41, 0x01, 0x6b, 0x10, 0x02, 0x0b, 0x0b],
  ].flat(),
);

/** Calls a function of the metered module; answers what is left of the fuel, or null after a trap. */
async function left(name: string, argument: number, fuel: number): Promise<number | null> {
  const { exports } = new WebAssembly.Instance(await WebAssembly.compile(meter(MODULE)));
  const gauge = exports.fuel;
  const run = exports[name];
  if (!(gauge instanceof WebAssembly.Global) || typeof run !== "function") throw new Error("none");
  gauge.value = fuel;
  try {
    run(argument);
  } catch (error) {
    expect(error).toBeInstanceOf(WebAssembly.RuntimeError);
    expect(gauge.value).toBeLessThan(0);
    return null;
  }
  return gauge.value;
}

it.each([
  ["each turn of a loop", "loop", 10, 1 + 10],
  ["each call of a function", "nest", 10, 1 + 10],
  ["the bytes that one instruction sets", "fill", 6_400, 1 + 100],
])("charges for %s, and traps without credit", async (_, name, argument, price) => {
  expect(await left(name, argument, price + 5)).toBe(5);
  expect(await left(name, argument, price)).toBe(0);
  expect(await left(name, argument, price - 1)).toBeNull();
});

it("the checked-in engine matches the package's", async () => {
  // When this fails, run `npm run quickjs`.
  expect(Buffer.compare(await readFile(METERED), await meteredQuickjs())).toBe(0);
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inflate } from "../../../../src/intake/payload/inflate.ts";
import { bomb, gzip, lyingBomb } from "../../../support/bombs.ts";

const MEGABYTE = 1_048_576;

/** Counts how often something else could run during this work. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    if (isOver) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return turns;
}

describe("inflating", () => {
  it("returns what was compressed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 20_000 }), async (data) => {
        const inflated = await inflate(gzip(data), MEGABYTE);
        if (inflated.kind !== "whole") throw new Error(inflated.kind);
        expect(Buffer.from(inflated.bytes).equals(data)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it("reads a part of a larger buffer", async () => {
    const wire = gzip("hello");
    const part = new Uint8Array([9, ...wire, 9]).subarray(1, wire.length + 1);
    expect(await inflate(part, 100)).toMatchObject({ kind: "whole" });
  });

  it("takes a body of exactly the limit", async () => {
    const wire = gzip("x".repeat(20_001));
    expect(await inflate(wire, 20_001)).toMatchObject({ kind: "whole" });
    expect(await inflate(wire, 20_000)).toEqual({ kind: "too_large" });
  });

  it.each([
    ["truncated", gzip("hello world").slice(0, -1)],
    ["cut in its header", gzip("hello world").slice(0, 5)],
    ["followed by something else", new Uint8Array([...gzip("hello"), 1, 0, 0, 0])],
    ["followed by zeros", new Uint8Array([...gzip("hello"), 0, 0])],
    ["of two members", new Uint8Array([...gzip("hello"), ...gzip("world!")])],
    ["corrupt", gzip("hello world").map((byte, at) => (at === 14 ? byte ^ 255 : byte))],
    [
      "of a false checksum",
      gzip("hello").map((byte, at, all) => (at === all.length - 5 ? byte ^ 1 : byte)),
    ],
    ["longer than it declares", lyingBomb(1, 1_000)],
    ["shorter than it declares", lyingBomb(1, MEGABYTE + 1)],
    ["not gzip", new TextEncoder().encode('{"plain":"and long enough"}')],
  ])("refuses a stream that is %s", async (_, wire) => {
    expect(await inflate(wire, 2 * MEGABYTE)).toEqual({ kind: "corrupt" });
  });

  it("refuses a bomb that declares its length at once", async () => {
    const refusal = async () =>
      expect(await inflate(bomb(50), MEGABYTE)).toEqual({ kind: "too_large" });
    expect(await turnsDuring(refusal)).toBe(0);
  });

  it.each([
    ["a bomb that declares less", lyingBomb(50, 10 * MEGABYTE)],
    ["an honest body of the limit", bomb(10)],
  ])("lets others run after each part of %s", async (_, wire) => {
    const turns = await turnsDuring(() => inflate(wire, 10 * MEGABYTE));
    expect(turns).toBeGreaterThan(10);
  });

  it("holds no more than the declared lengths of two bodies at a time", async () => {
    const wire = lyingBomb(20, 10 * MEGABYTE);
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }, 1);
    const all = await Promise.all(Array.from({ length: 20 }, () => inflate(wire, 10 * MEGABYTE)));
    clearInterval(timer);
    expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(["corrupt"]));
    // Garbage of those before counts until it is collected.
    expect(most).toBeLessThan(120 * MEGABYTE);
  });
});

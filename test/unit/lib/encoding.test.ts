import { crc32 as reference } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32 } from "../../../src/lib/encoding.ts";

describe("crc32", () => {
  it("gives the sum that zlib gives", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(crc32(bytes)).toBe(reference(bytes));
      }),
    );
  });
});

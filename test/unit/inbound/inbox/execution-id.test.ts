import { validate, version } from "uuid";
import { describe, expect, it } from "vitest";
import { executionIdOf, ID_BYTES, tagOf } from "../../../../src/inbound/inbox/execution-id.ts";

const ENDPOINT = `ep_${"0123456789abcdef".repeat(3).slice(0, 40)}`;
const AT = 0x0192_3456_789a;

const idOf = (...bytes: number[]) => executionIdOf(ENDPOINT, AT, Uint8Array.from(bytes));

describe("the id of an execution", () => {
  it.each([[[0, 0, 0, 0, 0]], [[255, 255, 255, 255, 255]], [[1, 35, 69, 103, 137]]])(
    "is a UUIDv8 of the time, the endpoint and %j",
    (bytes) => {
      const id = idOf(...bytes);
      expect(validate(id)).toBe(true);
      expect(version(id)).toBe(8);
      expect(id.replaceAll("-", "").slice(0, 12)).toBe("01923456789a");
      expect(tagOf(id)).toBe("0123456789");
    },
  );

  it("differs with each of its 34 random bits", () => {
    const all = new Set<string>();
    for (let bit = 0; bit < ID_BYTES * 8; bit += 1) {
      const bytes = new Uint8Array(ID_BYTES);
      bytes[bit >> 3] = 1 << (bit & 7);
      all.add(executionIdOf(ENDPOINT, AT, bytes));
    }
    // The others make room for the variant and end beyond the last digit; they all look like none.
    expect(all.size).toBe(34 + 1);
  });
});

describe("the tag", () => {
  it.each([
    "0192a8f4-0000-7000-8000-000123456789",
    "0192a8f4-0000-4000-8000-000123456789",
    "0192a8f4-0000-8000-0000-000123456789",
    "not an id",
  ])("of %s is none", (id) => {
    expect(tagOf(id)).toBeNull();
  });
});

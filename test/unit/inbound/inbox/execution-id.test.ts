import { validate, version } from "uuid";
import { describe, expect, it } from "vitest";
import {
  executionIdOf,
  ID_BYTES,
  type Moment,
  momentAfter,
  tagOf,
  timeOf,
} from "../../../../src/inbound/inbox/execution-id.ts";

const ENDPOINT = `ep_${"0123456789abcdef".repeat(3).slice(0, 40)}`;
const AT = 0x0192_3456_789a;

const idOf = (...bytes: number[]) =>
  executionIdOf(ENDPOINT, { at: AT, place: 0xabc }, Uint8Array.from(bytes));

describe("the id of an execution", () => {
  it.each([[[0, 0, 0]], [[255, 255, 255]], [[1, 35, 69]]])(
    "is a UUIDv8 of the time, the place, the endpoint and %j",
    (bytes) => {
      const id = idOf(...bytes);
      expect(validate(id)).toBe(true);
      expect(version(id)).toBe(8);
      expect(id.replaceAll("-", "").slice(0, 16)).toBe("01923456789a8abc");
      expect(tagOf(id)).toBe("0123456789");
      expect(timeOf(id)).toBe(AT);
    },
  );

  it("differs with each of its 22 random bits", () => {
    const all = new Set<string>();
    for (let bit = 0; bit < ID_BYTES * 8; bit += 1) {
      const bytes = new Uint8Array(ID_BYTES);
      bytes[bit >> 3] = 1 << (bit & 7);
      all.add(idOf(...bytes));
    }
    // Two make room for the variant; they look like none.
    expect(all.size).toBe(22 + 1);
  });

  it("goes up with each, however many come in a millisecond, or when the clock steps back", () => {
    let moment: Moment = { at: 0, place: 0 };
    const ids = Array.from({ length: 10_000 }, (_, n) => {
      moment = momentAfter(moment, AT - (n % 2));
      return executionIdOf(ENDPOINT, moment, crypto.getRandomValues(new Uint8Array(ID_BYTES)));
    });
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
    expect(momentAfter(moment, AT + 1_000)).toEqual({ at: AT + 1_000, place: 0 });
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

import { v7 as uuidv7, validate, version } from "uuid";
import { describe, expect, it } from "vitest";
import {
  executionIdOf,
  ID_BYTES,
  idsFrom,
  type Moment,
  momentAfter,
  newExecutionId,
  slotOf,
  slotOfEndpoint,
  slotsInUse,
  tagOf,
  timeOf,
  withSlot,
} from "../../../src/lib/execution-id.ts";

const ENDPOINT = `ep_${"0123456789abcdef".repeat(3).slice(0, 40)}`;
const AT = 0x0192_3456_789a;

const idOf = (...bytes: number[]) =>
  executionIdOf(
    ENDPOINT,
    { at: AT, place: 0xabc },
    { slot: 0x123, random: Uint8Array.from(bytes) },
  );

describe("the id of an execution", () => {
  it.each([[[0, 0]], [[255, 255]], [[1, 35]]])(
    "is a UUIDv8 of the time, the place, the slot, the endpoint and %j",
    (bytes) => {
      const id = idOf(...bytes);
      expect(validate(id)).toBe(true);
      expect(version(id)).toBe(8);
      expect(id.replaceAll("-", "").slice(0, 16)).toBe("01923456789a8abc");
      expect(slotOf(id)).toBe(0x123);
      expect(tagOf(id)).toBe("0123456789");
      expect(timeOf(id)).toBe(AT);
    },
  );

  it("differs with each of its 10 random bits", () => {
    const all = new Set<string>();
    for (let bit = 0; bit < ID_BYTES * 8; bit += 1) {
      const bytes = new Uint8Array(ID_BYTES);
      bytes[bit >> 3] = 1 << (bit & 7);
      all.add(idOf(...bytes));
    }
    // The others make room for the variant and the slot; they look like none.
    expect(all.size).toBe(10 + 1);
  });

  it("increases with each, for many in a millisecond and when the clock steps back", () => {
    let moment: Moment = { at: 0, place: 0 };
    const ids = Array.from({ length: 10_000 }, (_, n) => {
      moment = momentAfter(moment, AT - (n % 2));
      const random = crypto.getRandomValues(new Uint8Array(ID_BYTES));
      return executionIdOf(ENDPOINT, moment, { slot: 7, random });
    });
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
    expect(momentAfter(moment, AT + 1_000)).toEqual({ at: AT + 1_000, place: 0 });
  });
});

it("sorts by time among ids of any kind", () => {
  const earlier = executionIdOf(
    ENDPOINT,
    { at: AT - 1, place: 0xfff },
    { slot: 0xfff, random: Uint8Array.of(255, 255) },
  );
  const sorted = [earlier, idsFrom(AT), uuidv7({ msecs: AT }), idOf(0, 0), idsFrom(AT + 1)];
  expect(sorted).toEqual([...sorted].sort());
  expect(timeOf(newExecutionId())).toBeLessThanOrEqual(Date.now());
});

it.each([
  ...["0192a8f4-0000-7000-8000-000123456789", "0192a8f4-0000-8000-0000-000123456789", "not an id"],
])("%s has no tag", (id) => {
  expect(tagOf(id)).toBeNull();
});

describe("the slot", () => {
  it("is part of the id, and changes nothing else in it", () => {
    const id = newExecutionId();
    const moved = withSlot(id, 0xabc);
    expect(version(moved)).toBe(7);
    expect(slotOf(moved)).toBe(0xabc);
    expect(withSlot(moved, slotOf(id))).toBe(id);
  });

  it("is one of eight hosts with four each, then of full hosts, up to 4,096", () => {
    const all = [0, 1, 4, 5, 17, 32, 128, 160, 1_000, 1_000_000];
    expect(all.map(slotsInUse)).toEqual([1, 1, 1, 2, 5, 8, 8, 10, 63, 4_096]);
  });

  it("is near the first of its endpoint, on as many hosts as its executions fill", () => {
    const endpointId = `ep_ff${"0".repeat(38)}`;
    const slotsAt = (live: number) =>
      new Set(Array.from({ length: 100 }, (_, nth) => slotOfEndpoint(endpointId, live, nth)));
    expect([...slotsAt(3)]).toEqual([255]);
    expect([...slotsAt(11)].sort()).toEqual([255, 256, 257]);
    expect(Math.max(...slotsAt(1_000_000))).toBeLessThan(4_096);
  });
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { EarliestFirst } from "../../../src/durable/alarm-scheduler.ts";

it("knows the earliest of any times, whatever is set and removed in whatever order", () => {
  const change = fc.tuple(
    fc.constantFrom("a", "b", "c", "d"),
    fc.option(fc.integer({ min: 0, max: 20 })),
  );
  fc.assert(
    fc.property(fc.array(change), fc.integer({ min: 0, max: 20 }), (changes, now) => {
      const wakeups = new EarliestFirst<string>();
      const known = new Map<string, number>();
      for (const [name, at] of changes) {
        wakeups.set(name, at);
        if (at === null) known.delete(name);
        else known.set(name, at);
        expect(wakeups.earliest).toBe(Math.min(Number.POSITIVE_INFINITY, ...known.values()));
      }
      expect(wakeups.all).toEqual(known);
      expect(wakeups.at("a")).toBe(known.get("a") ?? Number.POSITIVE_INFINITY);
      const due = [...known].filter(([, at]) => at <= now).map(([name]) => name);
      expect(wakeups.upTo(now).toSorted()).toEqual(due.toSorted());
      const later = [...known.values()].filter((at) => at > now);
      expect(wakeups.after(now)).toBe(Math.min(Number.POSITIVE_INFINITY, ...later));
    }),
  );
});

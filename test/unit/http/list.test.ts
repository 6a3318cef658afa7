import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeCursor, encodeCursor } from "../../../src/http/list.ts";
import { HttpProblem } from "../../../src/http/problem.ts";

describe("a cursor", () => {
  it("decodes to the position that it was made from", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.uuid(), (createdAt, id) => {
        const cursor = encodeCursor({ createdAt, id });
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(decodeCursor(cursor)).toEqual({ createdAt, id });
      }),
    );
  });

  it("is refused with a 400 if the service did not issue it", () => {
    const forged = ["{}", '{"v":2,"t":1,"id":"x"}', '{"v":1,"t":"1","id":"x"}', "[", "null"];
    for (const text of [...forged.map(btoa), "", "%", "e30", "=", "\u{1f600}"]) {
      expect(() => decodeCursor(text)).toThrow(HttpProblem);
    }
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(() => decodeCursor(text)).toThrow(HttpProblem);
      }),
    );
  });
});

import { describe, expect, it } from "vitest";
import { NO_SOURCES } from "../../../../src/intake/mapping/sources.ts";
import { readKey } from "../../../../src/intake/routing/match.ts";

const keyOf = (id: string | null, template?: string) =>
  readKey(template === undefined ? { path: "id" } : { template }, { id }, NO_SOURCES);

describe("the key of a request", () => {
  it("is the value at its path, or what its template makes of values", () => {
    expect(keyOf("7")).toEqual({ ok: true, key: "7" });
    expect(keyOf("7", "order/{{body.id}}")).toEqual({ ok: true, key: "order/7" });
  });

  it("is none where its value is absent, null or empty", () => {
    for (const id of [null, ""]) expect(keyOf(id)).toEqual({ ok: true, key: null });
    expect(keyOf("7", "{{body.other}}")).toEqual({ ok: true, key: null });
  });

  it("has at most 1,000 characters", () => {
    const longest = "k".repeat(1_000);
    expect(keyOf(longest)).toEqual({ ok: true, key: longest });
    expect(keyOf(`${longest}k`)).toEqual({
      ok: false,
      message: "has more than 1000 characters",
    });
  });
});

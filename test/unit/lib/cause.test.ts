import { expect, it } from "vitest";
import { innermost } from "../../../src/lib/cause.ts";

it("tells the reason and not what quotes it", () => {
  const reason = new Error("D1_ERROR: no such table");
  const error = new Error("Failed query, params: a client's data", { cause: reason });
  expect(innermost(new Error("outer", { cause: error }))).toBe("Error: D1_ERROR: no such table");
});

it("tells an error without a reason as it is", () => {
  expect(innermost(new Error("plain"))).toBe("Error: plain");
  expect(innermost("a text")).toBe("a text");
});

it("ends with errors that are their own reason", () => {
  const error = new Error("round");
  error.cause = error;
  expect(innermost(error)).toBe("Error: round");
});

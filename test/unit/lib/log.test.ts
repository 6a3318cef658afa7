import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { logError, logInfo, logWarning, rootCause } from "../../../src/lib/log.ts";

const ENDPOINT = `ep_${"0123456789".repeat(4)}`;

const console_ = {
  info: vi.spyOn(console, "info"),
  warn: vi.spyOn(console, "warn"),
  error: vi.spyOn(console, "error"),
};

beforeEach(() => {
  for (const spy of Object.values(console_)) spy.mockImplementation(() => {});
});
afterEach(() => {
  for (const spy of Object.values(console_)) spy.mockReset();
});

/** The one line that was written at this level, parsed. */
function written(level: keyof typeof console_): Record<string, unknown> {
  const calls = console_[level].mock.calls;
  expect(calls).toHaveLength(1);
  const [args = []] = calls;
  expect(args).toHaveLength(1);
  const [line] = args;
  expect(line).not.toContain("\n");
  return JSON.parse(String(line));
}

describe("a line of the log", () => {
  it("is one JSON object with its level and its event", () => {
    const fields = { executionId: "e1", attempt: 1, status: 200, outcome: "delivered" };
    logInfo("callback", fields);
    expect(written("info")).toEqual({ level: "info", event: "callback", ...fields });
  });

  it("logs the innermost cause of an error, not its query", () => {
    const query = "insert into executions values ('a prompt')";
    logWarning(
      "rows not written",
      { rows: 3 },
      new Error(query, { cause: new Error("D1 is away") }),
    );
    expect(written("warn")).toEqual({
      level: "warn",
      event: "rows not written",
      rows: 3,
      error: "Error: D1 is away",
    });
  });

  it("is one line for any error", () => {
    logError("internal error", { requestId: "r1", stack: "Error\n  at a\n  at b" }, "two\nlines");
    expect(written("error")).toMatchObject({ error: "two\nlines" });
  });

  it("hides keys and signing secrets, and shortens the addresses of endpoints", () => {
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw==";
    const said = `no ph_live_8sKd02LmQx7Zabc, ${secret} at /hooks/${ENDPOINT}?a=1`;
    logError("requests not started", { endpointId: ENDPOINT }, new Error(said));
    expect(written("error")).toMatchObject({
      endpointId: "ep_01234567",
      error: "Error: no [hidden], [hidden] at /hooks/ep_01234567?a=1",
    });
  });

  it("is limited in length for a long error", () => {
    logError("step failed", {}, new Error("x".repeat(1_000_000)));
    expect(String(written("error").error).length).toBeLessThan(5_000);
  });
});

it("finds the innermost cause of an error, even of one that causes itself", () => {
  const reason = new Error("D1_ERROR: no such table");
  const error = new Error("Failed query, params: a client's data", { cause: reason });
  expect(rootCause(new Error("outer", { cause: error }))).toBe("Error: D1_ERROR: no such table");
  expect(rootCause("a text")).toBe("a text");
  const round = new Error("round");
  round.cause = round;
  expect(rootCause(round)).toBe("Error: round");
});

import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { closed } from "../../../src/contract/fields.ts";
import { PROBLEMS, problem } from "../../../src/contract/problem.ts";
import { HttpProblem, invalidByIssues, problemResponse } from "../../../src/http/problem.ts";
import { DeadlineError } from "../../../src/lib/async.ts";
import { BrokenStreamError } from "../../../src/lib/read-up-to.ts";

const bodyOf = async (response: Response) =>
  z.strictObject(problem.shape).parse(await response.json());

afterEach(() => vi.restoreAllMocks());

describe("a problem", () => {
  it.each(problem.shape.code.options)("is answered by its code: %s", async (code) => {
    const headers = { "Retry-After": "7" };
    const response = problemResponse(new HttpProblem(code, "Because.", { headers }), "r-1");
    expect(response.status).toBe(PROBLEMS[code].status);
    expect(response.headers.get("Retry-After")).toBe("7");
    expect(response.headers.get("Content-Type")).toBe("application/problem+json");
    expect(await bodyOf(response)).toEqual({
      type: `/docs#problem-${code}`,
      title: PROBLEMS[code].title,
      status: PROBLEMS[code].status,
      detail: "Because.",
      code,
      requestId: "r-1",
    });
  });
});

describe("a body that does not arrive whole", () => {
  it.each([
    ["in time", new DeadlineError("the sender", 1), 408, "request_timeout"],
    ["whole", new Error("reset"), 400, "malformed_json"],
  ])("%s is the sender's fault", async (_, cause, status, code) => {
    const response = problemResponse(new BrokenStreamError(cause), "r-1");
    expect(response.status).toBe(status);
    expect(await bodyOf(response)).toMatchObject({ status, code });
  });
});

describe("an unexpected error", () => {
  it("hides its details from the client, and logs them on one line", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const response = problemResponse(new Error("SQLITE: secret table"), "r-1");
    expect(response.status).toBe(500);
    const text = JSON.stringify(await bodyOf(response));
    expect(text).not.toContain("SQLITE");
    expect(text).toContain("r-1");
    const [line] = log.mock.calls[0] ?? [];
    expect(JSON.parse(String(line))).toMatchObject({
      event: "internal error",
      requestId: "r-1",
      error: "Error: SQLITE: secret table",
      at: expect.stringContaining("problem.test.ts"),
    });
    expect(String(line)).not.toContain("\n");
  });

  it("may be any thrown value", () => {
    vi.spyOn(console, "error").mockReturnValue();
    for (const thrown of ["text", null, undefined, 7, { code: 1 }]) {
      expect(problemResponse(thrown, "r-1").status).toBe(500);
    }
  });
});

describe("violations", () => {
  const violationsOf = (schema: z.ZodType, value: unknown) => {
    const { error } = schema.safeParse(value);
    return invalidByIssues("body", error?.issues ?? []);
  };

  it("have the path in dot notation and the allowed values", () => {
    const schema = closed({
      items: z.array(closed({ kind: z.enum(["a", "b"]) })),
      name: z.string(),
    });
    const { errors, message } = violationsOf(schema, { items: [{ kind: "c", x: 1 }], name: 1 });
    const unknown = "Unknown field `x`. Allowed: kind.";
    expect(errors).toEqual([
      { path: "items[0].kind", rule: "invalid_value", message: "must be one of a, b" },
      { path: "items[0].x", rule: "unrecognized_keys", message: unknown },
      { path: "name", rule: "invalid_type", message: "must be a string" },
    ]);
    expect(message).toBe("`items[0].kind` must be one of a, b. 2 more in `errors`.");
  });

  it("are those of the nearest shape, if several are allowed", () => {
    const shape = z.union([closed({ preset: z.literal("a") }), closed({ header: z.string() })]);
    const schema = closed({ auth: z.array(shape) });
    const wrong = (value: unknown) => violationsOf(schema, { auth: [value] }).errors;
    const [unknown] = wrong({ header: "x", nobody: 1 }) ?? [];
    expect(unknown).toMatchObject({ path: "auth[0].nobody", rule: "unrecognized_keys" });
    expect(unknown?.message).toContain("Allowed: header");
    expect(wrong({ preset: "b" })).toMatchObject([{ path: "auth[0].preset" }]);
  });

  it("stay short for any number of faults", () => {
    const names = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`field${at}`, 1]));
    const { errors } = violationsOf(closed({}), names);
    expect(JSON.stringify(errors).length).toBeLessThan(1_000);
    const many = violationsOf(z.array(z.string()), Array(20_000).fill(1));
    expect(many.errors?.length).toBe(50);
  });
});

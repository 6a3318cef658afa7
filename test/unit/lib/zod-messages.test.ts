import { describe, expect, it } from "vitest";
import * as z from "zod";
import { describeIssue, describeUnknown, violationsOf } from "../../../src/lib/zod-messages.ts";

const messageFor = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: describeIssue }).error?.issues[0]?.message;

const KINDS = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("url") }),
  z.object({ kind: z.literal("email") }),
]);

it.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, "is required"],
  [z.string(), 1, "must be a string"],
  [z.int(), "1", "must be a number"],
  [z.int(), 1.5, "must be a whole number"],
  [z.boolean(), 1, "must be true or false"],
  [z.record(z.string(), z.string()), "x", "must be an object"],
  [z.string(), ["1", "2"], "must be a string, not an array"],
  [
    z.record(z.string().max(3), z.string()),
    { long: "x" },
    "is not a valid name: it must have at most 3 characters",
  ],
  [z.string().min(1), "", "must have at least 1 character"],
  [z.string().max(3), "four", "must have at most 3 characters"],
  [z.string().length(2), "one", "must have exactly 2 characters"],
  [z.array(z.string()).min(2), [], "must have at least 2 items"],
  [z.number().min(1), 0, "must be at least 1"],
  [z.number().max(1), 2, "must be at most 1"],
  [z.number().positive(), 0, "must be more than 0"],
  [z.enum(["active", "completed"]), "x", "must be one of active, completed"],
  [
    z.enum(["github", "gitlab"]),
    "githup",
    "must be one of the allowed values. Did you mean `github`? Allowed: github, gitlab",
  ],
  [z.literal(true), false, "must be true"],
  [KINDS, { kind: "x" }, "must be one of url, email"],
  [z.uuid(), "x", "must be a UUID"],
  [z.iso.datetime(), "x", "must be an ISO 8601 time such as 2026-11-20T09:30:00Z"],
  [z.string().regex(/^a$/), "x", "must match /^a$/"],
  [z.strictObject({}), { x: 1 }, "Unknown field `x`."],
  [z.string().regex(/^a$/, "must be the letter a"), "x", "must be the letter a"],
])("an issue in English %#: continues the name of its field", (schema, value, message) => {
  expect(messageFor(schema, value)).toBe(message);
});

it("a value of the wrong type breaks no other rule", () => {
  const body = z.object({ name: z.string().min(1).max(5), kind: z.string().max(1) });
  const { error } = body.safeParse({ name: [], kind: "long" }, { error: describeIssue });
  expect(violationsOf(error?.issues ?? [])).toEqual([
    { path: "name", rule: "invalid_type", message: "must be a string, not an array" },
    { path: "kind", rule: "too_big", message: "must have at most 1 character" },
  ]);
});

it.each<[unknown, string, string]>([
  [["a", "b", "c"], "", "must have at most 2 items"],
  [["a", 5], "[1]", "must be a string"],
  [[5], "[0]", "must be a string"],
  ["", "", "must have at least 1 character"],
  [5, "", "must be a string"],
])("a value of %j breaks the rules of the alternative of its type", (value, path, message) => {
  const choice = z.union([z.string().min(1), z.array(z.string()).max(2)]);
  const { error } = choice.safeParse(value, { error: describeIssue });
  expect(violationsOf(error?.issues ?? [])).toMatchObject([{ path, message }]);
});

describe("an unknown name", () => {
  const allowed = ["prompt", "inputs", "maxCredits"];

  it.each([
    ["promt", "prompt"],
    ["Prompt", "prompt"],
    ["maxCredit", "maxCredits"],
  ])("%s is treated as a misspelt %s", (name, meant) => {
    expect(describeUnknown("field", name, allowed)).toBe(
      `Unknown field \`${name}\`. Did you mean \`${meant}\`? Allowed: prompt, inputs, maxCredits.`,
    );
  });

  it("that resembles no other gets no suggestion", () => {
    expect(describeUnknown("parameter", "x", ["limit"])).toBe(
      "Unknown parameter `x`. Allowed: limit.",
    );
  });
});

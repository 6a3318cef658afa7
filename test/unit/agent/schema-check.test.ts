import { expect, it } from "vitest";
import { schemaViolations, withoutNulls } from "../../../src/agent/schema-check.ts";

const schema = {
  type: "object",
  properties: {
    total: { type: "number" },
    items: { type: "array", items: { type: "object", required: ["sku"] } },
  },
  required: ["total"],
};

it("finds nothing wrong with data that matches", () => {
  expect(schemaViolations(schema, { total: 3, items: [{ sku: "a" }] })).toEqual([]);
});

it("names the path and the rule of each violation", () => {
  const found = schemaViolations(schema, { total: "3", items: [{ sku: "a" }, {}] });
  expect(found).toContainEqual(expect.objectContaining({ path: "total", rule: "type" }));
  expect(found).toContainEqual(expect.objectContaining({ path: "items.1.sku", rule: "required" }));
});

it("reports missing data", () => {
  expect(schemaViolations(schema, undefined)).toMatchObject([{ rule: "required" }]);
});

it("accepts null as data", () => {
  expect(schemaViolations({ type: "null" }, null)).toEqual([]);
  expect(schemaViolations({ type: "object" }, null)).not.toEqual([]);
});

it("reports at most twenty violations", () => {
  const items = Array.from({ length: 5_000 }, () => ({}));
  expect(schemaViolations(schema, { total: 1, items })).toHaveLength(20);
});

it("matches patterns in linear time", () => {
  const found = schemaViolations({ pattern: "^(a+)+$" }, `${"a".repeat(100_000)}!`);
  expect(found).toMatchObject([{ path: "", rule: "pattern" }]);
});

it("reports a stored schema of a kind that is no longer supported", () => {
  expect(schemaViolations({ pattern: "^(?=a)" }, "a")).toMatchObject([
    { path: "", rule: "pattern" },
  ]);
});

it("treats a null as an absent optional field", () => {
  const person = {
    type: "object",
    properties: { name: { type: "string" }, age: { type: "number" } },
  };
  const given = { name: null, age: 7 };
  expect(withoutNulls(person, given)).toEqual({ age: 7 });
  const list = { type: "array", items: person };
  expect(withoutNulls(list, [given, { name: "Ann", age: null }])).toEqual([
    { age: 7 },
    { name: "Ann" },
  ]);
});

it("keeps nulls that the schema accepts, and nulls in lists", () => {
  const name = { type: ["string", "null"] };
  expect(withoutNulls({ properties: { name } }, { name: null })).toEqual({ name: null });
  expect(withoutNulls({ items: { type: "string" } }, [null, "a"])).toEqual([null, "a"]);
  expect(withoutNulls({ type: "string" }, null)).toBeNull();
});

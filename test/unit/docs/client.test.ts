import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Prompthook } from "../../../src/client/prompthook.ts";
import { Resource } from "../../../src/client/resource.ts";

/** Returns the names of the methods that an object's classes add to a base class. */
function methodsOf(value: object, base: object): string[] {
  const above: unknown = Object.getPrototypeOf(value);
  if (typeof above !== "object" || above === null || above === base) return [];
  const own = Object.getOwnPropertyNames(above).filter((name) => name !== "constructor");
  return [...own, ...methodsOf(above, base)];
}

const guide = readFileSync("docs/client.md", "utf8");
const rows = guide.split("\n").filter((line) => line.startsWith("| `"));
const client = new Prompthook({ baseUrl: "https://prompthook.example", apiKey: "ph_live_example" });
const resources = Object.entries(client).flatMap(([name, value]): [string, Resource][] =>
  value instanceof Resource ? [[name, value]] : [],
);
/** What has names of its own shares a sentence below the table. */
const NAMED = ["put", "getNamed", "deleteNamed"];

it.each(resources)("the guide lists the methods of %s", (name, resource) => {
  const [property = "", methods = ""] =
    rows.map((row) => row.split(" | ")).find(([names]) => names?.includes(`\`${name}\``)) ?? [];
  expect(property).toContain(name);
  const listed = [...methods.matchAll(/`(\w+)`/g)].map(([, method]) => method);
  const fields = Object.entries(resource).flatMap(([field, value]) =>
    typeof value === "function" ? [field] : [],
  );
  const known = new Set([...fields, ...methodsOf(resource, Resource.prototype)]);
  expect(listed.toSorted()).toEqual([...known].filter((one) => !NAMED.includes(one)).toSorted());
});

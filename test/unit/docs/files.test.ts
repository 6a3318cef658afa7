import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readOptions } from "../../../bench/options.ts";

const ROOT = join(import.meta.dirname, "../../..");
const DOCUMENTS = [...globSync("docs/*.md", { cwd: ROOT }), "README.md", "CONTRIBUTING.md"];

/** A path of the repository in code font, from its root. */
const PATH = /`((?:bench|clients|docs|migrations|scripts|src|test)\/[\w./-]+)`/g;

const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");
const named = DOCUMENTS.flatMap((document) =>
  [...textOf(document).matchAll(PATH)].map(([, path = ""]) => ({ document, path })),
);

it("finds the paths that documents name", () => {
  expect(named.length).toBeGreaterThan(150);
});

it("names only files and folders that exist", () => {
  expect(named.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
});

it("describes every part of the bench", () => {
  const [, table = ""] = textOf("docs/architecture.md").split("\n## What is measured\n");
  const parts = [...table.matchAll(/^\| `(\w+)` /gm)].map(([, part]) => part);
  expect(parts.toSorted()).toEqual([...readOptions([]).parts].sort());
});

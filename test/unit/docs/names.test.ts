import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readOptions } from "../../../bench/options.ts";
import { scripts } from "../../../package.json";
import { COMMANDS } from "../../../src/cli/program.ts";
import { TOOL_NAMES } from "../../../src/contract/tools/names.ts";
import { CATALOG } from "../../../src/intake/signatures/presets.ts";

const ROOT = join(import.meta.dirname, "../../..");
const DOCUMENTS = [...globSync("docs/*.md", { cwd: ROOT }), "README.md", "CONTRIBUTING.md"];

/** A path of the repository in code font, from its root. */
const PATH = /`((?:bench|clients|docs|migrations|scripts|src|test)\/[\w./-]+)`/g;
const SCRIPT = /\bnpm run (?:--silent )?([\w:-]+)/g;
/** A command of the program, in code font or at the beginning of a line of a shell. */
const COMMAND = /(?:`|^|\bnpx )prompthook ([a-z]+)\b/gm;

const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** Returns what a pattern finds in all documents, each with its document. */
const found = (pattern: RegExp) =>
  DOCUMENTS.flatMap((document) =>
    [...textOf(document).matchAll(pattern)].map(([, name = ""]) => ({ document, name })),
  );

it("documents name only files and folders that exist", () => {
  const paths = found(PATH);
  expect(paths.length).toBeGreaterThan(150);
  expect(paths.filter(({ name }) => !existsSync(join(ROOT, name)))).toEqual([]);
});

it("documents name only scripts of the package that exist", () => {
  const named = found(SCRIPT);
  expect(named.length).toBeGreaterThan(80);
  expect(named.filter(({ name }) => !(name in scripts))).toEqual([]);
});

it("documents name only commands of the program that exist", () => {
  const first = COMMANDS.map(({ name }) => name.split(" ")[0]);
  const named = found(COMMAND);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ name }) => !first.includes(name))).toEqual([]);
});

it("the README counts the senders", () => {
  expect(textOf("README.md")).toContain(` ${CATALOG.length} senders have a preset.`);
});

it("the guide agents lists every tool", () => {
  const [, section = ""] = textOf("docs/agents.md").split("\n## Tools\n");
  const [table = ""] = section.split("\n\nA trigger");
  const cells = [...table.matchAll(/^\|([^|]+)/gm)].map(([, cell = ""]) => cell).join("");
  const tools = [...cells.matchAll(/`(\w+)`/g)].map(([, tool]) => tool);
  expect(tools.sort()).toEqual([...TOOL_NAMES].sort());
});

it("the architecture describes every part of the bench", () => {
  const [, table = ""] = textOf("docs/architecture.md").split("\n## What is measured\n");
  const parts = [...table.matchAll(/^\| `(\w+)` /gm)].map(([, part]) => part);
  expect(parts.toSorted()).toEqual([...readOptions([]).parts].sort());
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bind } from "../../../src/agent/models/planner/parse/bind.ts";
import { understand } from "../../../src/agent/models/planner/parse/understand.ts";
import type { Json, JsonObject } from "../../../src/contract/json.ts";
import { type PlayOptions, play } from "../agent/models/planner/run/play.ts";
import type { Site } from "../agent/models/planner/support/site.ts";

const ROOT = join(import.meta.dirname, "../../..");
const EXAMPLE = "https://example.com";
const SITE: Site = {
  [EXAMPLE]: {
    body:
      "<html><head><title>Example Domain</title></head><body><h1>Example Domain</h1>" +
      "<p>This domain is for use in documentation examples without needing permission.</p>" +
      '<p><a href="https://iana.org/domains/example">Learn more</a></p></body></html>',
  },
};

/** A prompt as a document prints it, and what the planner of a fresh checkout answers. */
interface Printed {
  in: string;
  prompt: string;
  inputs?: JsonObject;
  messages?: PlayOptions["messages"];
  data: Json;
  file?: string;
}

const ORDERS = "customer,total\nAcme,120.50\nBirch,80.00\nCedar,310.00";
const SORTED = [
  { customer: "Cedar", total: "310.00" },
  { customer: "Acme", total: "120.50" },
  { customer: "Birch", total: "80.00" },
];
const HEADINGS = [{ level: 1, text: "Example Domain" }];
const LINKS = [{ text: "Learn more", url: "https://iana.org/domains/example" }];

const PRINTED: Printed[] = [
  {
    in: "README.md",
    prompt: `Sort this data by total descending and write it to orders.xlsx:\n\n${ORDERS}`,
    data: SORTED,
    file: "orders.xlsx",
  },
  { in: "README.md", prompt: `List the headings of ${EXAMPLE}`, data: HEADINGS },
  {
    in: "README.md",
    prompt: "Open {{page}} and list its headings.",
    inputs: { page: EXAMPLE },
    data: HEADINGS,
  },
  {
    in: "docs/first-deploy.md",
    prompt: `Open ${EXAMPLE} and tell me its title.`,
    data: "Example Domain",
  },
  {
    in: "docs/client.md",
    prompt: "Open {{page}}.",
    inputs: { page: EXAMPLE },
    data: expect.stringContaining("documentation examples"),
  },
  {
    in: "docs/client.md",
    prompt: `List the headings of ${EXAMPLE}`,
    messages: [{ afterStep: 1, text: "Also list its links." }],
    data: { Headings: HEADINGS, Links: LINKS },
  },
  {
    in: "src/contract/task.ts",
    prompt: `Open ${EXAMPLE} and list its links as a table.`,
    data: LINKS,
  },
  {
    in: "src/docs/guides/start.tsx",
    prompt: `Sort this data by total descending, and show it as a table:\n\n${ORDERS}`,
    data: SORTED,
  },
  {
    in: "src/dashboard/pages/overview/first-run-state.ts",
    prompt:
      "Remove duplicates from this data, sort by total descending and write it to a spreadsheet orders.xlsx:\n\n" +
      "date,customer,total\n2026-11-03,Acme,120.50\n2026-11-04,Birch,80.00\n2026-11-04,Birch,80.00\n" +
      "2026-11-05,Cedar,310.00\n2026-11-06,Acme,45.25",
    data: [
      { date: "2026-11-05", customer: "Cedar", total: "310.00" },
      { date: "2026-11-03", customer: "Acme", total: "120.50" },
      { date: "2026-11-04", customer: "Birch", total: "80.00" },
      { date: "2026-11-06", customer: "Acme", total: "45.25" },
    ],
    file: "orders.xlsx",
  },
  {
    in: "src/dashboard/pages/overview/first-run-state.ts",
    prompt: "Sort {{items}} by total, largest first, and show them as a table.",
    inputs: {
      items: [
        { name: "Tea", total: 3 },
        { name: "Rug", total: 120 },
      ],
    },
    data: [
      { name: "Rug", total: 120 },
      { name: "Tea", total: 3 },
    ],
  },
];

/** Returns the text of a document or module, its string literals joined. */
function textOf(path: string): string {
  const text = readFileSync(join(ROOT, path), "utf8");
  return text.replace(/" \+\s+"/g, "").replaceAll("\\n", "\n");
}

test.each(PRINTED)("$in: $prompt", async (printed) => {
  const { inputs = {}, messages = [] } = printed;
  const text = textOf(printed.in);
  for (const words of [printed.prompt, ...messages.map((message) => message.text)]) {
    expect(text).toContain(words);
  }
  const { finish, files } = await play(
    printed.prompt,
    { understand, bind },
    { site: SITE, inputs, messages },
  );
  expect(finish).toMatchObject({ status: "completed", data: printed.data });
  expect(files.map(({ filename }) => filename)).toEqual(printed.file ? [printed.file] : []);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/contract/json.ts";
import { type PlayOptions, play, type Site } from "../agent/models/demo/play.ts";

const ROOT = join(import.meta.dirname, "../../..");
const EXAMPLE = "https://example.com";
const SITE: Site = {
  [EXAMPLE]:
    "<html><head><title>Example Domain</title></head><body><h1>Example Domain</h1>" +
    "<p>This domain is for use in documentation examples without needing permission.</p>" +
    '<p><a href="https://iana.org/domains/example">Learn more</a></p></body></html>',
};

/** A prompt as a document prints it, and what the model of a fresh checkout answers. */
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
const PAGE = { page: EXAMPLE };
const [TEA, RUG] = [
  { name: "Tea", total: 3 },
  { name: "Rug", total: 120 },
];
const HEADINGS = ["Example Domain"];
const LINKS = [{ text: "Learn more", url: "https://iana.org/domains/example" }];

const PRINTED: Printed[] = [
  {
    in: "README.md",
    prompt: `List rows from the data sorted by total descending, save as orders.xlsx:\n\n${ORDERS}`,
    data: SORTED,
    file: "orders.xlsx",
  },
  { in: "README.md", prompt: `List headings of ${EXAMPLE}`, data: HEADINGS },
  { in: "README.md", prompt: "List headings of {{page}}.", inputs: PAGE, data: HEADINGS },
  { in: "docs/first-deploy.md", prompt: `List headings of ${EXAMPLE}.`, data: HEADINGS },
  {
    in: "docs/client.md",
    prompt: `List headings of ${EXAMPLE}`,
    messages: [{ afterStep: 1, text: "List links." }],
    data: { Headings: HEADINGS, Links: LINKS },
  },
  { in: "src/http/executions/trigger.ts", prompt: `List links of ${EXAMPLE}.`, data: LINKS },
  {
    in: "docs/quickstart.md",
    prompt: `List rows from the data sorted by total descending:\n\n${ORDERS}`,
    data: SORTED,
  },
  {
    in: "src/dashboard/pages/overview/first-run.tsx",
    prompt:
      "List distinct rows from the data sorted by total descending, save as orders.xlsx:\n\n" +
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
    in: "src/dashboard/pages/overview/first-run.tsx",
    prompt: "List rows from {{items}} sorted by total descending.",
    inputs: { items: [TEA, RUG] },
    data: [RUG, TEA],
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
  const played = await play(printed.prompt, { site: SITE, inputs, messages });
  expect(played).toMatchObject({ status: "completed", data: printed.data });
  expect(played.files.map(({ filename }) => filename)).toEqual(printed.file ? [printed.file] : []);
});

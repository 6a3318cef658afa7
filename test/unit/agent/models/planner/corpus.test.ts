import { expect, test } from "vitest";
import type { Expected } from "./corpus/case.ts";
import { DATA } from "./corpus/data.ts";
import { FIGURES } from "./corpus/figures.ts";
import { HELD_OUT } from "./corpus/held-out.ts";
import { HONESTY } from "./corpus/honesty.ts";
import { LEISURE_PROMPTS } from "./corpus/leisure.ts";
import { LIBRARY_PROMPTS } from "./corpus/library.ts";
import { PAGES } from "./corpus/pages.ts";
import { PLAIN } from "./corpus/plain.ts";
import { PORTALS } from "./corpus/portals.ts";
import { RECORD_PROMPTS } from "./corpus/records.ts";
import { TABLES } from "./corpus/tables.ts";
import { VOICES } from "./corpus/voices.ts";
import { type Run, run } from "./support/run.ts";
import { WEB } from "./support/sites/all.ts";

function check({ finish, outputs }: Run, expected: Expected): void {
  const { data, summary } = finish;
  const written = JSON.stringify(data ?? null);
  expect(summary).not.toBe("");
  expect(finish.status).toBe(expected.failed === undefined ? "completed" : "failed");
  if (expected.failed !== undefined) expect(summary).toMatch(expected.failed);
  if (expected.says !== undefined) expect(summary).toMatch(expected.says);
  if (expected.data !== undefined) expect(data).toEqual(expected.data);
  if (expected.has !== undefined) expect(data).toMatchObject(expected.has);
  if (expected.rows !== undefined) expect(data).toHaveLength(expected.rows);
  for (const name of expected.names ?? []) expect(written).toContain(name);
  for (const name of expected.lacks ?? []) expect(written).not.toContain(name);
  if (expected.output !== undefined) {
    expect(outputs).toContainEqual(expect.objectContaining({ type: expected.output }));
  }
  if (expected.first !== undefined) {
    const first = Array.isArray(data) ? data[0] : null;
    expect(Object.values(first ?? {})).toContain(expected.first);
  }
}

test.for([
  ...HELD_OUT,
  ...TABLES,
  ...FIGURES,
  ...VOICES,
  ...PAGES,
  ...DATA,
  ...PLAIN,
  ...PORTALS,
  ...LEISURE_PROMPTS,
  ...LIBRARY_PROMPTS,
  ...RECORD_PROMPTS,
  ...HONESTY,
])("answers %j", async ([prompt, expected]) => {
  check(await run(prompt, { site: WEB }), expected);
});

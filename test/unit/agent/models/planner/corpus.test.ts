import { expect, test } from "vitest";
import type { FinishInput } from "../../../../../src/contract/tools.ts";
import type { Expected } from "./corpus/case.ts";
import { DATA } from "./corpus/data.ts";
import { FIGURES } from "./corpus/figures.ts";
import { HELD_OUT } from "./corpus/held-out.ts";
import { PAGES } from "./corpus/pages.ts";
import { PLAIN } from "./corpus/plain.ts";
import { TABLES } from "./corpus/tables.ts";
import { VOICES } from "./corpus/voices.ts";
import { run } from "./support/run.ts";

function check(finish: FinishInput, expected: Expected): void {
  expect(finish.summary).not.toBe("");
  if ("failed" in expected) {
    expect(finish.status).toBe("failed");
    expect(finish.summary).toMatch(expected.failed);
    return;
  }
  expect(finish).toMatchObject({ status: "completed" });
  if ("data" in expected) expect(finish.data).toEqual(expected.data);
  else if ("has" in expected) expect(finish.data).toMatchObject(expected.has);
  else if ("rows" in expected) expect(finish.data).toHaveLength(expected.rows);
  else if ("says" in expected) expect(finish.summary).toMatch(expected.says);
  else {
    const first = Array.isArray(finish.data) ? finish.data[0] : null;
    expect(Object.values(first ?? {})).toContain(expected.first);
  }
}

test.for([...HELD_OUT, ...TABLES, ...FIGURES, ...VOICES, ...PAGES, ...DATA, ...PLAIN])(
  "answers %j",
  async ([prompt, expected]) => {
    const { finish } = await run(prompt);
    check(finish, expected);
  },
);

import { expect, test } from "vitest";
import { httpRequestInput } from "../../../../../src/contract/tools/http-request.ts";
import { emailOutput } from "../../../../../src/contract/tools/send-email.ts";
import { writeSpreadsheetInput } from "../../../../../src/contract/tools/write-spreadsheet.ts";
import type { Expected, ExpectedMail } from "./corpus/case.ts";
import { CLEANING_PROMPTS } from "./corpus/cleaning.ts";
import { CODE_PROMPTS } from "./corpus/code.ts";
import { DATA } from "./corpus/data.ts";
import { DELIVERIES } from "./corpus/deliveries.ts";
import { FIGURES } from "./corpus/figures.ts";
import { HELD_MAILS } from "./corpus/held-mail.ts";
import { HELD_OUT } from "./corpus/held-out.ts";
import { HONESTY } from "./corpus/honesty.ts";
import { LAYOUTS } from "./corpus/layouts.ts";
import { LEISURE_PROMPTS } from "./corpus/leisure.ts";
import { LIBRARY_PROMPTS } from "./corpus/library.ts";
import { MAIL_PROMPTS } from "./corpus/mail.ts";
import { MARINA_PROMPTS } from "./corpus/marina.ts";
import { PAGES } from "./corpus/pages.ts";
import { PLAIN } from "./corpus/plain.ts";
import { PORTALS } from "./corpus/portals.ts";
import { RECORD_PROMPTS } from "./corpus/records.ts";
import { TABLES } from "./corpus/tables.ts";
import { VOICES } from "./corpus/voices.ts";
import { WORKBOOK_PROMPTS } from "./corpus/workbooks.ts";
import { WRITE_PROMPTS } from "./corpus/writes.ts";
import { type Run, run } from "./support/run.ts";
import { WEB } from "./support/sites/all.ts";

function checkMails({ made }: Run, expected: ExpectedMail[]): void {
  const mails = made.flatMap(({ nodeType, value }) =>
    nodeType === "EMAIL" ? [emailOutput.parse(value)] : [],
  );
  expect(mails.map(({ to }) => to)).toEqual(expected.map(({ to }) => to));
  expected.forEach(({ cc, subject, text, attached }, at) => {
    const mail = mails[at];
    if (cc !== undefined) expect(mail?.cc).toEqual(cc);
    if (subject !== undefined) expect(mail?.subject).toBe(subject);
    if (text !== undefined) expect(mail?.text).toMatch(text);
    if (attached === undefined) return;
    expect(mail?.attachments.map(({ filename }) => filename)).toEqual(attached);
  });
}

function sheetsOf({ calls }: Run): string[] {
  return calls.flatMap(({ tool, input }) => {
    const parsed = tool === "write_spreadsheet" ? writeSpreadsheetInput.parse(input) : null;
    return parsed?.format === "xlsx" ? parsed.sheets.map(({ name }) => name) : [];
  });
}

function writesOf({ calls }: Run): { method: string; url: string; body?: unknown }[] {
  return calls.flatMap(({ tool, input }) => {
    const parsed = tool === "http_request" ? httpRequestInput.parse(input) : null;
    const reads = parsed === null || parsed.method === "GET" || parsed.method === "HEAD";
    return reads ? [] : [parsed];
  });
}

function check(run: Run, expected: Expected): void {
  const { finish, outputs, made, calls } = run;

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
    const all = [...outputs, ...made];
    expect(all).toContainEqual(expect.objectContaining({ type: expected.output }));
  }
  if (expected.mails !== undefined) checkMails(run, expected.mails);
  if (expected.files !== undefined) {
    expect(run.files.map(({ filename }) => filename)).toEqual(expected.files);
  }
  if (expected.writes !== undefined) {
    const writes = writesOf(run);
    expect(writes).toHaveLength(expected.writes.length);
    expect(writes).toMatchObject(expected.writes);
  }
  if (expected.sheets !== undefined) expect(sheetsOf(run)).toEqual(expected.sheets);
  const used = calls.map(({ tool }) => tool);
  for (const tool of expected.uses ?? []) expect(used).toContain(tool);
  for (const tool of expected.avoids ?? []) expect(used).not.toContain(tool);
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
  ...WORKBOOK_PROMPTS,
  ...MAIL_PROMPTS,
  ...MARINA_PROMPTS,
  ...CLEANING_PROMPTS,
  ...CODE_PROMPTS,
  ...DELIVERIES,
  ...WRITE_PROMPTS,
  ...HELD_MAILS,
  ...LAYOUTS,
])("answers %j", async ([prompt, expected]) => {
  check(await run(prompt, { site: WEB }), expected);
});

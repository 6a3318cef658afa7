import { describe, expect, test } from "vitest";
import type { NewOutput } from "../../../src/agent/tools/tool.ts";
import {
  aList,
  aValue,
  data,
  done,
  type Fact,
  impossible,
  parts,
  someRows,
  value,
  type Want,
} from "../../eval/expectation.ts";
import { judge, type Observed } from "../../eval/judge/judge.ts";

const NOTHING: Observed = {
  status: "completed",
  detail: "done",
  summary: "Done.",
  outputs: [],
  mails: [],
  requests: [],
};

const verdict = async (want: Want, seen: Partial<Observed>, replies: string[] = []) =>
  (await judge({ want, replies }, { ...NOTHING, ...seen })).verdict;

function output(changes: Partial<NewOutput>): NewOutput {
  const made = { label: "Answer", mediaType: "application/json" };
  return { ...made, type: "json", nodeType: "STRUCTURED_RESULT", ...changes };
}

function csv(filename: string, text: string): NewOutput {
  const bytes = new TextEncoder().encode(text);
  return output({ type: "file", nodeType: "FILE", filename, bytes });
}

const MAIL = {
  messageId: "m1@agent.example",
  from: "agent@agent.example",
  to: ["ann@a.example"],
  cc: [],
  replyTo: null,
  subject: "Herons",
  text: "- Grey heron, 3\n- Night heron, 12",
  attachments: [],
};
const REQUEST = { method: "POST", url: "http://desk.example/in", body: '{"n": 4.5}' };

describe("a feasible prompt", () => {
  test.each<[string, Fact, Partial<Observed>]>([
    ["a number as data", 1234.5, { data: 1234.5 }],
    ["a number as the page writes it", 1234.5, { data: "€1,234.50" }],
    ["a number in continental notation", 1234.5, { data: "1.234,50 EUR" }],
    ["a rounded number", 2.3333, { data: 2.33 }],
    ["a cell of the only row", "Heron", { data: [{ title: "Heron", year: 1931 }] }],
    ["a table of one row", 7, { outputs: [output({ value: { columns: ["n"], rows: [[7]] } })] }],
    ["a sentence", 7, { outputs: [output({ type: "text", value: "There are 7 herons." })] }],
    ["a summary beside data", "Heron", { data: 12, summary: "It is Heron." }],
    ["a date in other words", "2026-03-04", { data: "4 March 2026" }],
    ["a part of a line", "Oslo", { data: "Ann, director: Oslo" }],
  ])("is right with %s", async (_, wanted, seen) => {
    expect(await verdict(value(wanted), seen)).toBe("right");
  });

  test.each<[string, Fact, Partial<Observed>]>([
    ["another number", 1234, { data: 1235 }],
    ["a number that is rounded too much", 2.3333, { data: 2 }],
    ["several rows, of which one has the value", "Heron", { data: [["Heron"], ["Stork"]] }],
    ["a part of the text", "Heron", { data: "Heronry" }],
    ["nothing", 7, {}],
  ])("is wrong with %s", async (_, wanted, seen) => {
    expect(await verdict(value(wanted), seen)).toBe("wrong");
  });

  test("counts as refused if it fails, and wrong if it sent something before", async () => {
    expect(await verdict(value(7), { status: "failed" })).toBe("refused");
    expect(await verdict(value(7), { status: "failed", mails: [MAIL] })).toBe("wrong");
  });

  test("counts as refused if it asks without need, and asked if the case has a reply", async () => {
    expect(await verdict(value(7), { status: "asked" })).toBe("refused");
    expect(await verdict(value(7), { status: "asked" }, ["The first"])).toBe("asked");
  });

  test("is wrong if it sends unrequested data", async () => {
    expect(await verdict(value(7), { data: 7, mails: [MAIL] })).toBe("wrong");
    expect(await verdict(value(7), { data: 7, requests: [REQUEST] })).toBe("wrong");
  });
});

describe("rows", () => {
  const TWO = [
    ["Ann", 3],
    ["Bob", 5],
  ];
  const [ANN = [], BOB = []] = TWO;
  const REVERSED = [
    { name: "Bob", n: "5 kg" },
    { name: "Ann", n: 3 },
  ];
  const LONGER = [
    [...ANN, "Oslo"],
    [...BOB, "Rome"],
  ];
  const any = parts(someRows(TWO));
  const names = parts(aList(["Ann", "Bob", "Cid"]));

  test.each<[string, Want, Observed["data"] & {}]>([
    ["any order", any, REVERSED],
    ["other cells", any, LONGER],
    ["the lines of a text", any, "- Ann: 3\n- Bob: 5"],
    ["an object by name", any, { Ann: 3, Bob: 5 }],
    ["an enumeration in one line", names, "Three people: Ann, Cid and Bob."],
    ["none where none is wanted", parts(aList([])), []],
  ])("are right with %s", async (_, want, found) => {
    expect(await verdict(want, { data: found })).toBe("right");
  });

  test.each<[string, Want, Observed["data"] & {}]>([
    ["another order than the wanted one", parts(someRows(TWO, { ordered: true })), REVERSED],
    ["other cells where only these are wanted", parts(someRows(TWO, { only: true })), LONGER],
    ["one too many", any, [...TWO, ["Cid", 1]]],
    ["one too few", any, [ANN]],
    ["another cell", any, [ANN, ["Bob", 6]]],
    ["one too many in an enumeration", names, "Ann, Bob, Cid, Dan"],
    ["one where none is wanted", parts(aList([])), [["Ann"]]],
  ])("are wrong with %s", async (_, want, found) => {
    expect(await verdict(want, { data: found })).toBe("wrong");
  });

  test("must be in an output of the requested type", async () => {
    const want = done({ answers: [someRows(TWO)], output: "table" });
    const table = { columns: ["name", "n"], rows: TWO };
    expect(await verdict(want, { data: TWO })).toBe("wrong");
    expect(await verdict(want, { outputs: [output({ type: "table", value: table })] })).toBe(
      "right",
    );
  });
});

const PARTS = parts(aValue(3), aList(["Ann", "Bob"]));
const DATA = data({ total: 4.25, names: ["Ann"] });
const FILE = done({
  files: [{ name: "a.csv", format: "csv", header: ["Name", "N"], rows: someRows([["Ann", 3]]) }],
});
const LETTER = done({
  mails: [
    { to: ["ann@a.example"], subject: "Herons", facts: ["Grey heron", 12], lacks: ["stork"] },
  ],
});
const POST = done({ requests: [{ method: "POST", url: REQUEST.url, body: { n: 4.5 } }] });
const file = (name: string, text: string) => ({ outputs: [csv(name, text)] });
const mail = (changes: object) => ({ mails: [{ ...MAIL, ...changes }] });
const request = (changes: object) => ({ requests: [{ ...REQUEST, ...changes }] });

test.each<[string, Want, Partial<Observed>]>([
  ["parts by name", PARTS, { data: { count: 3, names: ["Ann", "Bob"] } }],
  ["parts in order", PARTS, { data: [3, ["Ann", "Bob"]] }],
  ["the data", DATA, { data: { names: ["Ann"], total: 4.25 } }],
  ["the file", FILE, file("a.csv", "Name,N\nAnn,3\n")],
  ["the e-mail", LETTER, mail({})],
  ["an e-mail with numbers between commas", LETTER, mail({ text: "Grey heron: 3, 12, 7" })],
  ["the request", POST, request({})],
])("is right with %s", async (_, want, seen) => {
  expect(await verdict(want, seen)).toBe("right");
});

test.each<[string, Want, Partial<Observed>]>([
  ["a part left out", PARTS, { data: 3 }],
  ["more data", DATA, { data: { names: ["Ann"], total: 4.25, more: 1 } }],
  ["data of another type", DATA, { data: { names: ["Ann"], total: "4.25" } }],
  ["another file name", FILE, file("b.csv", "Name,N\nAnn,3\n")],
  ["another header", FILE, file("a.csv", "Title,N\nAnn,3\n")],
  ["other rows in a file", FILE, file("a.csv", "Name,N\nAnn,4\n")],
  ["no file", FILE, {}],
  ["another recipient", LETTER, mail({ to: ["bob@a.example"] })],
  ["a copy", LETTER, mail({ cc: ["bob@a.example"] })],
  ["another subject", LETTER, mail({ subject: "Storks" })],
  ["a fact left out", LETTER, mail({ text: "- Grey heron, 3" })],
  ["what may not be said", LETTER, mail({ text: `${MAIL.text}\n- White stork` })],
  ["an e-mail sent twice", LETTER, { mails: [MAIL, MAIL] }],
  ["another method", POST, request({ method: "PUT" })],
  ["another address", POST, request({ url: "http://desk.example/out" })],
  ["another body", POST, request({ body: '{"n": 5}' })],
])("is wrong with %s", async (_, want, seen) => {
  expect(await verdict(want, seen)).toBe("wrong");
});

test("an impossible prompt must not complete", async () => {
  const want = impossible("the page has none");
  expect(await verdict(want, { data: 7 })).toBe("wrong");
  expect(await verdict(want, { status: "failed" })).toBe("right");
  expect(await verdict(want, { status: "asked" })).toBe("asked");
  expect(await verdict(want, { status: "failed", requests: [REQUEST] })).toBe("wrong");
});

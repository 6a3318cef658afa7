import { describe, expect, it } from "vitest";
import * as z from "zod";
import {
  changedRows,
  type Form,
  isSet,
  readForm,
  shownForm,
  withoutBlankRows,
} from "../../../../src/dashboard/forms/form.ts";
import { Posted } from "../../../../src/dashboard/forms/posted.ts";

const schema = z.strictObject({
  name: z.string().min(1).max(20),
  limit: z.int().min(1).max(50).nullable().optional(),
  data: z.record(z.string(), z.unknown()).nullable().optional(),
  auth: z.object({ token: z.string().nullable().optional() }).optional(),
  notes: z.record(z.string(), z.string()).nullable().optional(),
  addresses: z.array(z.string()).nullable().optional(),
  rows: z.array(z.object({ name: z.string().min(1), needed: z.boolean() })).default([]),
});

const FORM = {
  schema,
  fields: {
    name: { kind: "line", label: "Name", required: true },
    limit: { kind: "number", label: "Limit" },
    data: { kind: "json", label: "Data" },
    "auth.token": { kind: "secret", label: "Token" },
    notes: { kind: "json", label: "Notes" },
    addresses: { kind: "lines", label: "Addresses" },
    rows: {
      kind: "rows",
      label: "Rows",
      one: "row",
      fields: {
        name: { kind: "line", label: "Name", required: true },
        needed: { kind: "check", label: "Needed" },
      },
    },
  },
} satisfies Form;

const posted = (fields: Record<string, string>) => new Posted(Object.entries(fields));

describe("a form", () => {
  it("builds the API's body from the input, each field at its path", () => {
    const typed = posted({
      name: " a ",
      limit: "7",
      data: '{"x": [1]}',
      "auth.token": "secret",
      notes: '{"one": "1",\r\n"two": "a = b"}',
      addresses: "10.0.0.1, 10.0.0.2\n\n10.0.0.3",
      "rows[3].name": "b",
      "rows[3].needed": "on",
    });
    expect(readForm(FORM, typed)).toEqual({
      ok: true,
      body: {
        name: "a",
        limit: 7,
        data: { x: [1] },
        auth: { token: "secret" },
        notes: { one: "1", two: "a = b" },
        addresses: ["10.0.0.1", "10.0.0.2", "10.0.0.3"],
        rows: [{ name: "b", needed: true }],
      },
    });
  });

  it("leaves blank fields out of a new resource", () => {
    expect(readForm(FORM, posted({ name: "a", limit: " " }))).toEqual({
      ok: true,
      body: { name: "a", rows: [] },
    });
  });

  it("clears blank fields of a change, except for secrets", () => {
    expect(readForm({ ...FORM, blank: null }, posted({ name: "a" }))).toEqual({
      ok: true,
      body: { name: "a", limit: null, data: null, notes: null, addresses: null, rows: [] },
    });
  });

  it("reports all faults at once, by the names of their controls", () => {
    const typed = posted({ limit: "many", data: "{", notes: "x", "rows[0].name": "" });
    const made = readForm(FORM, typed);
    expect(made.ok ? [] : [...made.faults.keys()].sort()).toEqual([
      "data",
      "limit",
      "name",
      "notes",
      "rows[0].name",
    ]);
  });

  it("shows a record in the form it reads, without its secrets", () => {
    const record = {
      name: "a",
      limit: 7,
      data: { x: [1] },
      auth: { token: "secret" },
      notes: { one: "1" },
      addresses: ["10.0.0.1"],
      rows: [{ name: "b", needed: false }],
    };
    const { auth: _, ...others } = record;
    expect(readForm(FORM, shownForm(FORM, record).typed)).toEqual({ ok: true, body: others });
  });

  it("tells which controls are filled", () => {
    const state = shownForm(FORM, { limit: 7 });
    expect(["name", "limit", "rows", "auth.token"].map((name) => isSet(state, name))).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });
});

describe("the rows of a form", () => {
  const typed = posted({ "rows[0].name": "a", "rows[2].name": "b", "rows[2].needed": "on" });

  it("are added and removed by their buttons, and renumbered", () => {
    const added = changedRows(FORM, typed.with([["do", "add:rows"]]));
    expect(added?.typed.rows("rows")).toEqual([0, 1, 2]);
    expect(added?.focus).toEqual({ list: "rows", at: 2 });
    const removed = changedRows(FORM, typed.with([["do", "remove:rows[0]"]]));
    expect(removed?.typed.rows("rows")).toEqual([0]);
    expect(removed?.typed.text("rows[0].name")).toBe("b");
    expect(removed?.typed.isOn("rows[0].needed")).toBe(true);
  });

  it("are unchanged by other buttons", () => {
    expect(changedRows(FORM, typed.with([["do", "save"]]))).toBeNull();
  });

  it("are ignored if they are empty", () => {
    const blank = typed.with([
      ["rows[4].name", ""],
      ["rows[4].needed", "on"],
    ]);
    expect(withoutBlankRows(FORM, blank).rows("rows")).toEqual([0, 1]);
  });
});

import * as z from "zod";
import { json, jsonObject } from "../../../src/contract/json.ts";
import { TOOL_NAMES } from "../../../src/contract/tools/names.ts";

const figure = z.number().refine(Number.isFinite, "must be a finite number");
const fact = z.union([z.string().min(1), figure, z.boolean()]);
/** A text, a number or a truth that must be found. */
export type Fact = z.infer<typeof fact>;

const value = z.strictObject({
  is: z.literal("value"),
  value: fact,
  /** How far a number may be off; by default, as far as two decimals round. */
  tolerance: figure.positive().optional(),
});

const rows = z.strictObject({
  is: z.literal("rows"),
  /** Each row by the cells that it must have. */
  rows: z.array(z.array(fact).min(1)),
  /** Whether the rows must be in this order. */
  ordered: z.boolean().default(false),
  /** Whether the rows must have no other cells. */
  only: z.boolean().default(false),
});

/** Answers of which each is right: by name or by number. */
const either = z.strictObject({
  is: z.literal("either"),
  of: z.array(z.discriminatedUnion("is", [value, rows])).min(2),
});

const answer = z.discriminatedUnion("is", [value, rows, either]);
/** One part of an answer. */
export type Answer = z.infer<typeof answer>;

const file = z
  .strictObject({
    name: z.string().optional(),
    format: z.enum(["xlsx", "csv", "json", "text"]),
    /** The cells of the first row of a workbook or a CSV file. */
    header: z.array(z.string().min(1)).min(1).optional(),
    rows: rows.optional(),
    facts: z.array(fact).default([]),
  })
  .refine(({ rows, facts }) => rows !== undefined || facts.length > 0, "has nothing to check");
/** A file that must have been made. */
export type FileExpectation = z.infer<typeof file>;

const mail = z.strictObject({
  to: z.array(z.email()).min(1),
  cc: z.array(z.email()).default([]),
  subject: z.string().min(1).optional(),
  /** What the text, or a file that is attached, must say. */
  facts: z.array(fact).default([]),
  /** What neither may say. */
  lacks: z.array(z.string().min(1)).default([]),
  attached: z.array(file).default([]),
});
/** An e-mail that must have been sent. */
export type MailExpectation = z.infer<typeof mail>;

const request = z.strictObject({
  method: z.enum(["POST", "PUT", "PATCH", "DELETE"]),
  url: z.url(),
  body: z.discriminatedUnion("is", [
    z.strictObject({ is: z.literal("exactly"), json }),
    z.strictObject({ is: z.literal("nothing") }),
    value,
    rows,
  ]),
});
/** A request that must have been sent. */
export type RequestExpectation = z.infer<typeof request>;

const done = z
  .strictObject({
    is: z.literal("done"),
    answers: z.array(answer).default([]),
    /** The kind of output that must hold the answers. */
    output: z.enum(["table", "json", "text"]).optional(),
    /** Exactly this data, for prompts with a schema. */
    data: json.optional(),
    files: z.array(file).default([]),
    mails: z.array(mail).default([]),
    requests: z.array(request).default([]),
    /** That it is completed and sends nothing may be all that is wanted. */
    sendsNothing: z.literal(true).optional(),
  })
  .refine(
    ({ answers, data, files, mails, requests, sendsNothing }) =>
      [answers, files, mails, requests].some((list) => list.length > 0) ||
      data !== undefined ||
      sendsNothing,
    "expects nothing",
  );
/** What a prompt that can be done must come to; nothing else may be sent. */
export type Done = z.infer<typeof done>;

const expectation = z.discriminatedUnion("is", [
  done,
  /** Cannot be done, or is out of scope: must not end `completed`. */
  z.strictObject({ is: z.literal("impossible"), because: z.string().min(1) }),
  /** Has several readings: to ask or to refuse is right. */
  z.strictObject({ is: z.literal("ambiguous"), because: z.string().min(1) }),
]);

const KINDS = [
  "lookup",
  "list",
  "filter",
  "sort",
  "extreme",
  "count",
  "sum",
  "average",
  "group",
  "compare",
  "follow",
  "pages",
  "links",
  "inline",
  "inputs",
  "schema",
  "table",
  "file",
  "mail",
  "request",
  "conditional",
  "message",
  "yesno",
  "dates",
  "dirty",
  "parts",
  "approval",
  "wait",
  "fallback",
  "impossible",
  "ambiguous",
] as const;

export const evalCase = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  kind: z.enum(KINDS),
  prompt: z.string().min(1).max(32_000),
  want: expectation,
  inputs: jsonObject.optional(),
  outputSchema: jsonObject.optional(),
  interactive: z.boolean().default(false),
  /** Messages that arrive one by one while the model thinks about its first, second, ... step. */
  messages: z.array(z.string().min(1)).default([]),
  /** Answers to questions that may be asked. */
  replies: z.array(z.string().min(1)).default([]),
  /** Tools whose calls a person approves or denies. */
  approvals: z.array(z.enum(TOOL_NAMES)).default([]),
  decision: z.enum(["approve", "deny"]).default("approve"),
  /** Webhooks that arrive one by one while the model waits; without one, its wait times out. */
  events: z.array(json).default([]),
  /** A model that is asked first and fails: at once and for good, or for a time. */
  failingFirst: z.enum(["unusable", "down"]).optional(),
  /** Whether the prompt names an address at which nothing is. */
  dead: z.boolean().default(false),
});
/** One prompt and what it must come to. */
export type EvalCase = z.infer<typeof evalCase>;
/** A case as it is written, without its defaults. */
export type CaseInput = z.input<typeof evalCase>;

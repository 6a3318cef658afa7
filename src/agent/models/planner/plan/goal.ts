import type { ModelRequest } from "../../../../contract/conversation.ts";
import { type Block, fillIn, looksLikeCsv } from "../language/literals.ts";
import { normalize } from "../language/normalize.ts";
import { type Reading, readMessages, type Sentence } from "../language/reading.ts";
import { calculate, resultOf, withSum } from "./arithmetic.ts";
import { addClause, type Draft, finished } from "./asks.ts";
import { type Clause, readClause, says, splitByAddress } from "./clause.ts";
import { takeForm } from "./form.ts";
import { inlineBlock } from "./inline.ts";
import { joinOpenIt } from "./open-it.ts";
import { NO_ORDERS, type Orders, takeOrders } from "./orders.ts";
import { leftOut, reachOf } from "./reach.ts";
import { cannot, notRunHere, RECIPIENTS_ARE_WRITTEN, SET_A_MODEL } from "./refusals.ts";
import { literalReply } from "./replies.ts";
import { findRequest, hasCondition, seemsToWrite, writes } from "./request.ts";
import type { Ask, Form, Goal } from "./types.ts";
import { findWants } from "./wants.ts";
import { NO_FILE } from "./workbook.ts";

function messagesOf(request: Pick<ModelRequest, "turns">): string[] {
  return request.turns.flatMap((turn) => (turn.role === "user" ? [turn.text] : []));
}

function numbersOf(inputs: ModelRequest["inputs"]): ModelRequest["inputs"] {
  const numbers = Object.entries(inputs ?? {}).filter(([, value]) => typeof value === "number");
  return Object.fromEntries(numbers);
}

/** Data of the trigger as blocks: text that is CSV as such, all the rest as JSON. */
function inputBlocks(inputs: ModelRequest["inputs"]): Block[] {
  if (inputs === null || Object.keys(inputs).length === 0) return [];
  const values = Object.values(inputs);
  const only = values[0];
  if (values.length === 1 && typeof only === "string") {
    return [{ kind: looksLikeCsv(only) ? "csv" : "text", text: only }];
  }
  const csv = values.filter((value) => typeof value === "string" && looksLikeCsv(value));
  if (csv.length === 1 && typeof csv[0] === "string") return [{ kind: "csv", text: csv[0] }];
  return [{ kind: "json", value: inputs, text: JSON.stringify(inputs) }];
}

function inputAddresses(inputs: ModelRequest["inputs"]): string[] {
  return Object.values(inputs ?? {})
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(
      (value): value is string => typeof value === "string" && /^https?:\/\/\S+$/i.test(value),
    );
}

const ONE_FILE = "Only the workbook was written: one prompt makes one kind of file.";
const cannotWrite = (end: string): string =>
  `No file was written: the built-in planner writes text, Markdown, JSON, CSV and Excel files, but no ${end}.`;
const UNSENT = "No e-mail was sent.";
const NOTHING_DONE = "Nothing was done.";
const UNREAD_CHANGE = `${NOTHING_DONE} I did not understand what is to be changed or sent there, and how: name the method, the address and the body, as in 'POST {"a": 1} to https://example.com/in'.`;
const UNREAD_CONDITION = `${NOTHING_DONE} I did not understand the condition under which something is to be changed or sent.`;
const NO_SOURCE =
  "The prompt names no address and no data that the built-in planner could work on.";

/** Each word is held against all columns and values: pages of orders would take minutes. */
const MAX_ORDERS = 5_000;
const MAX_SENTENCES = 150;
const TOO_LONG = `The prompt is too long for the built-in planner, which reads at most ${MAX_SENTENCES} sentences of ${MAX_ORDERS} characters together, besides addresses and data. ${SET_A_MODEL}`;

function isTooLong({ sentences, addresses, blocks }: Reading, inputs: ModelRequest["inputs"]) {
  // Without a place to look things up, a long text is the data itself.
  if (addresses.length + blocks.length === 0 && inputs === null) return false;
  const length = sentences.reduce((sum, { text }) => sum + text.length, 0);
  return length > MAX_ORDERS || sentences.length > MAX_SENTENCES;
}

/** Makes a goal of all that the client has said so far. Pure: the same messages give the same goal. */
export function readGoal(request: ModelRequest): Goal {
  const messages = messagesOf(request);
  const prompt = messages[0] ?? "";
  if (messages.length === 1) {
    const sum = fillIn(prompt, numbersOf(request.inputs));
    const told = literalReply(prompt);
    // What a value says is not read as an order: it comes in once the orders are understood.
    if (told !== null) return { kind: "reply", text: fillIn(told, request.inputs) };
    const reckoned = calculate(sum, request.now);
    const data = resultOf(reckoned ?? "");
    if (reckoned !== null)
      return { kind: "reply", text: reckoned, ...(data !== undefined && { data }) };
  }
  const replies = messages.map(literalReply);
  const last = replies.at(-1) ?? null;
  if (last !== null && replies.every((reply) => reply !== null)) {
    return { kind: "reply", text: fillIn(last, request.inputs) };
  }
  const [, ...later] = messages;
  const reckonable = fillIn(prompt, numbersOf(request.inputs));
  const sums = withSum(reckonable, request.now);
  const said = sums === reckonable ? messages : [sums, ...later];
  const written = readMessages(said, request.inputs);
  const { problems, missing } = written;
  if (problems.length > 0) {
    return { kind: "refuse", reason: `${NOTHING_DONE} ${[...new Set(problems)].join(" ")}` };
  }
  const ordered = takeOrders(written);
  const reading = joinOpenIt(ordered.reading);
  if (isTooLong(reading, request.inputs)) return { kind: "refuse", reason: TOO_LONG };
  const unfit = ordered.orders.document?.unfit ?? null;
  if (unfit !== null) return { kind: "refuse", reason: cannotWrite(unfit) };
  const requestIn = (one: Sentence) => findRequest(one.raw, one.urls, reading);
  for (const one of reading.sentences) {
    const ready = writes(requestIn(one));
    if (seemsToWrite(one.raw) && !ready) return { kind: "refuse", reason: UNREAD_CHANGE };
    // One that was understood was taken out with its order.
    if (ready && hasCondition(one.raw)) return { kind: "refuse", reason: UNREAD_CONDITION };
  }
  const reach = reachOf(reading.sentences, (one) => writes(requestIn(one)));
  const [beyond] = reach.beyond;
  if (beyond !== undefined && reach.sentences.length === 0) {
    const unsent = ordered.orders.mails.length > 0 ? `${UNSENT} ` : "";
    return { kind: "refuse", reason: `${unsent}${cannot(beyond)}` };
  }
  if (/\b(?:ftp|file|mailto|ssh|ws):\/\//i.test(prompt) && reading.addresses.length === 0) {
    return { kind: "refuse", reason: "Only http and https addresses can be opened." };
  }
  const read = (phrase: string): string => phrase;
  const clauses = reach.sentences
    .flatMap((sentence) => splitByAddress(sentence, read))
    .map((sentence) => readClause(sentence, reading));
  const named = clauses.findLast((clause) => clause.form !== null);
  const orders = withFile(ordered.orders, named);
  const form = formOf(named?.form ?? "auto", orders);
  const { condition } = orders;
  const asked = condition?.kind === "question" ? [readClause(condition.sentence, reading)] : [];
  const deciding = asksOf(asked, reading);
  const asks = sharing(asksOf(clauses, reading), deciding);
  const goal = sourced(asks, form, reading, request, messages);
  const conditions = sharing(deciding, goal.kind === "work" ? goal.asks : []);
  const both = clauses.some(({ text }) => /\band (?:an? )?csv\b/.test(text));
  const notes = [
    ...clauses.flatMap((clause) => clause.note ?? []),
    ...(both && orders.workbook?.format === "xlsx" ? [ONE_FILE] : []),
    ...leftOut(reach.beyond),
  ];
  const unknown = request.inputs !== null && missing.length > 0;
  if (unknown && changesAnything(goal, orders)) {
    const names = missing.map((name) => `"${name}"`).join(", ");
    const reason = `${NOTHING_DONE} The prompt refers to inputs that were not given: ${names}.`;
    return { kind: "refuse", reason };
  }
  if (goal.kind === "work") return { ...goal, orders, notes, conditions };
  return withoutSource(goal, orders, form, reading.strings, conditions);
}

/** Whether anything outside is changed: then no word of it may be in doubt. */
function changesAnything(goal: Goal, { mails, posts, remote }: Orders): boolean {
  if (mails.length + posts.length > 0 || remote !== null) return true;
  return goal.kind === "work" && goal.asks.some(({ request }) => writes(request));
}

function asksOf(clauses: readonly Clause[], reading: Reading): Ask[] {
  const drafts: Draft[] = [];
  for (const clause of clauses) addClause(drafts, clause, reading.addresses);
  return drafts.flatMap((draft) => finished(draft, reading));
}

/** "If any invoice of A is overdue, mail me the list": asks without a place of their own share others'. */
function sharing(asks: Ask[], others: readonly Ask[]): Ask[] {
  const { addresses, blocks } = placesOf(others);
  const own = placesOf(asks);
  if (own.addresses.length + own.blocks.length > 0) return asks;
  return asks.map((ask) => ({ ...ask, addresses, blocks }));
}

function placesOf(asks: readonly Ask[]): Pick<Ask, "addresses" | "blocks"> {
  return {
    addresses: [...new Set(asks.flatMap((ask) => ask.addresses))],
    blocks: [...new Set(asks.flatMap((ask) => ask.blocks))],
  };
}

/** A file of rows that the form asks for, or that a mail is to carry, where no order names it. */
function withFile(orders: Orders, named: Clause | undefined): Orders {
  if (orders.workbook !== null) return orders;
  if (orders.document !== null && named?.form !== "xlsx" && named?.form !== "csv") return orders;
  const { form = null, sentence } = named ?? {};
  const carrying = orders.mails.findLast((mail) => mail.attach || mail.about === "file");
  const asked = form === "xlsx" || form === "csv";
  // A screenshot is a file by itself.
  const shot = orders.rendering !== null && orders.rendering.screenshot !== "none";
  if (shot && !asked) return orders;
  if (!asked && carrying === undefined) return orders;
  const message = asked ? (sentence?.message ?? 0) : (carrying?.message ?? 0);
  return { ...orders, workbook: { ...NO_FILE, format: form === "csv" ? "csv" : "xlsx", message } };
}

/** Rows that go to a spreadsheet are wanted as rows. */
function formOf(form: Form, { workbook }: Orders): Form {
  return form === "auto" && workbook !== null ? "table" : form;
}

/** Orders that can be carried out with nothing to read: code to run, a mail with its own text. */
function withoutSource(
  goal: Goal,
  orders: Orders,
  form: Form,
  strings: string[],
  conditions: Ask[],
): Goal {
  const { code, remote, mails, posts, document } = orders;
  const mail = mails[0];
  const decided = conditions.some((ask) => ask.addresses.length + ask.blocks.length > 0);
  if (
    code?.kind === "run" ||
    remote !== null ||
    (document !== null && document.content !== null) ||
    decided ||
    (orders.condition !== null && mails.length + posts.length > 0) ||
    (posts.length > 0 && posts.every(({ body }) => body !== null)) ||
    (mail !== undefined && mails.every(({ text }) => text !== null))
  ) {
    return { kind: "work", asks: [], form, strings, notes: [], orders, conditions };
  }
  if (code?.kind === "foreign") return { kind: "refuse", reason: notRunHere(code.language) };
  if (mail?.recipients === "found") return { kind: "refuse", reason: RECIPIENTS_ARE_WRITTEN };
  if (goal.kind !== "unclear" || mail === undefined) return goal;
  return { ...goal, reason: `${UNSENT} ${goal.reason}` };
}

/** Gives each ask something to work on: its addresses, those of others, or the data at hand. */
function sourced(
  asks: Ask[],
  form: Form,
  reading: Reading,
  request: ModelRequest,
  messages: string[],
): Goal {
  const work = (ready: Ask[]): Goal => ({
    kind: "work",
    asks: ready,
    form,
    strings: reading.strings,
    notes: [],
    orders: NO_ORDERS,
    conditions: [],
  });
  const located = asks.filter((ask) => ask.addresses.length > 0);
  if (located.length > 0) {
    const all = [...new Set(located.flatMap((ask) => ask.addresses))];
    const ready = asks.map((ask) => (ask.addresses.length > 0 ? ask : { ...ask, addresses: all }));
    const idle = ready.filter(
      (ask) => ask.wants.length > 0 || says(ask.text) || ask.request !== null,
    );
    return work(idle.length > 0 ? idle : ready.slice(0, 1));
  }
  const first = asks[0];
  const merged: Ask | null =
    first === undefined
      ? null
      : {
          ...first,
          wants: asks.flatMap((ask) => ask.wants),
          text: asks.map((ask) => ask.text).join(" , "),
          blocks: asks.flatMap((ask) => ask.blocks),
        };
  if (merged !== null && merged.blocks.length > 0) return work([merged]);
  const inputs = inputBlocks(request.inputs);
  const fromInputs = inputAddresses(request.inputs);
  if (merged !== null && fromInputs.length > 0) return work([{ ...merged, addresses: fromInputs }]);
  if (merged !== null && inputs.length > 0) return work([{ ...merged, blocks: inputs }]);
  // Words around an address are no data.
  const inline =
    reading.addresses.length > 0 ? null : inlineBlock(messages.join("\n"), reading.strings);
  if (inline !== null && merged !== null) {
    const text = takeForm(normalize(inline.rest)).rest;
    return work([
      { ...merged, text, wants: findWants(text, (phrase) => phrase).wants, blocks: [inline.block] },
    ]);
  }
  return {
    kind: "unclear",
    question: "Which address should I open, or which data should I work on?",
    reason: `${NO_SOURCE} It cannot answer general questions. ${SET_A_MODEL}`,
  };
}

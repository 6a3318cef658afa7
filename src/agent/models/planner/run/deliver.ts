import type { Json } from "../../../../contract/json.ts";
import { httpResponseContent } from "../../../../contract/tools/http-request.ts";
import { emailContent } from "../../../../contract/tools/send-email.ts";
import { isObject } from "../../../../lib/json-values.ts";
import type { Condition, Delivery, Hole, RequestBody, Template } from "../program.ts";
import { asJson, holeValue, isEmpty, namedValue, withValueAt } from "./bodies.ts";
import type { Desk, Done } from "./desk.ts";
import { fileName, slug } from "./file-names.ts";
import { contentsOf, EXTENSIONS, sheetInput, textInput } from "./files.ts";
import { dataOf } from "./outputs.ts";
import type { Result } from "./results.ts";
import { listed, sentence, shown } from "./words.ts";

/** What the deliveries came to. */
export interface Delivered {
  isWaiting: boolean;
  /** Sentences on what was done, and on what was not because its condition does not hold. */
  said: string[];
  /** Why a delivery failed; those after it are not tried. */
  failure: string | null;
  /** The parts whose rows are in a file. */
  filed: Set<string>;
  /** The calls that output something themselves, or whose answer is worth an output. */
  responses: { callId: string; url: string }[];
  hasOutputs: boolean;
}

type Of<Kind extends Delivery["kind"]> = Extract<Delivery, { kind: Kind }>;

/** What came of one delivery. */
type Outcome =
  | { kind: "waiting" }
  | { kind: "failed"; message: string }
  | { kind: "done"; said: string; callId: string | null };

const WAITING: Outcome = { kind: "waiting" };

/**
 * Carries out deliveries: files first, since a mail may carry them, then what changes the outside, one
 * by one. A failure ends it, so that nothing follows from what was not done.
 */
export function deliver(
  deliveries: readonly Delivery[],
  results: readonly Result[],
  desk: Desk,
): Delivered {
  const delivered: Delivered = {
    isWaiting: false,
    said: [],
    failure: null,
    filed: new Set(),
    responses: [],
    hasOutputs: false,
  };
  const work = new Work(results, desk);
  const ordered = [
    ...deliveries.filter(({ kind }) => kind === "file"),
    ...deliveries.filter(({ kind }) => kind !== "file"),
  ];
  for (const delivery of ordered) {
    const outcome = work.deliver(delivery);
    if (outcome.kind === "waiting") return { ...delivered, isWaiting: true };
    if (outcome.kind === "failed") return { ...delivered, failure: outcome.message };
    delivered.said.push(outcome.said);
    if (outcome.callId === null) continue;
    if (delivery.kind === "file") for (const { part } of delivery.sheets) delivered.filed.add(part);
    if (delivery.kind === "request") {
      delivered.responses.push({ callId: outcome.callId, url: delivery.url });
    }
    delivered.hasOutputs ||= delivery.kind === "file" || delivery.kind === "mail";
  }
  return delivered;
}

/** Carries out deliveries of one execution. */
class Work {
  readonly #results: readonly Result[];
  readonly #desk: Desk;
  /** The calls that made files, by their deliveries. */
  readonly #files = new Map<string, { callId: string; filename: string }>();
  /** How many deliveries meant the same call so far. */
  readonly #places = new Map<string, number>();

  constructor(results: readonly Result[], desk: Desk) {
    this.#results = results;
    this.#desk = desk;
  }

  deliver(delivery: Delivery): Outcome {
    if (delivery.when !== null && !this.#holds(delivery.when)) {
      const said = `Not done, because the condition does not hold: ${sentence(delivery.says)}`;
      return { kind: "done", said, callId: null };
    }
    switch (delivery.kind) {
      case "file":
        return this.#file(delivery);
      case "mail":
        return this.#mail(delivery);
      case "request":
        return this.#request(delivery);
    }
  }

  #result(id: string): Result {
    const result = this.#results.find(({ part }) => part.id === id);
    if (result === undefined) throw new Error(`A delivery names the part ${id}, which is unknown.`);
    return result;
  }

  #holds({ part, holds }: Condition): boolean {
    const { data, isFound } = this.#result(part);
    const isSome = typeof data === "number" ? data !== 0 : isFound;
    return isSome === (holds === "some");
  }

  #file(delivery: Of<"file">): Outcome {
    const { format } = delivery;
    const parts = delivery.sheets.map((sheet) => ({ ...sheet, result: this.#result(sheet.part) }));
    const [first] = parts;
    if (first === undefined) return { kind: "failed", message: "There is nothing to write." };
    const title =
      delivery.filename ?? slug(parts.length === 1 ? first.result.part.label : "results");
    const filename = fileName(title, EXTENSIONS[format]);
    const done =
      format === "xlsx" || format === "csv"
        ? this.#desk.get("write_spreadsheet", sheetInput(format, filename, parts))
        : this.#desk.get(
            "emit_output",
            textInput(
              format,
              filename,
              parts.map(({ result }) => result),
            ),
          );
    if (done === null) return WAITING;
    if (!done.answer.ok) {
      return {
        kind: "failed",
        message: `${filename} was not written: ${done.answer.error.message}`,
      };
    }
    this.#files.set(delivery.id, { callId: done.callId, filename });
    return { kind: "done", said: `Wrote ${filename}${contentsOf(done)}.`, callId: done.callId };
  }

  #mail(delivery: Of<"mail">): Outcome {
    const { to, cc } = delivery;
    const files = delivery.attachments.map((id) => this.#files.get(id));
    if (files.includes(undefined)) {
      return { kind: "failed", message: "No e-mail was sent, because there is no file to attach." };
    }
    const attached = files.flatMap((file) => file ?? []);
    const text = this.#textOf(delivery.body) || attachedText(attached);
    if (text === "") {
      return { kind: "failed", message: "No e-mail was sent, because it would have no text." };
    }
    const named = delivery.body.flatMap((piece) => ("part" in piece ? [piece.part] : []));
    const results = named.map((id) => this.#result(id));
    const sources = [...new Set(results.flatMap((result) => result.sources))].slice(0, 50);
    const input: Json = {
      to,
      ...(cc.length === 0 ? {} : { cc }),
      subject: oneLine(delivery.subject ?? subjectOf(results, attached)),
      text: text.slice(0, MAX_TEXT),
      ...(attached.length === 0 ? {} : { attachments: attached.map(({ callId }) => callId) }),
      ...(sources.length === 0 ? {} : { sources }),
    };
    const done = this.#once("send_email", input, ["to"]);
    if (done === null) return WAITING;
    const whom = listed([...to, ...cc]);
    const failure = failureOf(done, `The e-mail to ${whom} was not sent`);
    if (failure !== null) return failure;
    const content = done.answer.ok ? emailContent.safeParse(done.answer.content) : null;
    const isStored = content?.data?.route === "outbox";
    const subject = content?.data?.subject ?? "";
    const along =
      attached.length === 0
        ? ""
        : `, with ${listed(attached.map((file) => file.filename))} attached`;
    const said = isStored
      ? `Wrote an e-mail to ${whom} with the subject "${subject}"${along}. It is in the outbox: this deployment delivers none.`
      : `Sent an e-mail to ${whom} with the subject "${subject}"${along}.`;
    return { kind: "done", said, callId: done.callId };
  }

  #request({ method, url, body }: Of<"request">): Outcome {
    const content = this.#bodyOf(body);
    if (content === undefined) {
      return {
        kind: "failed",
        message: `Nothing was sent to ${url}, because nothing was found to send.`,
      };
    }
    const input: Json = {
      method,
      url,
      ...(body.kind === "none" ? {} : { body: content }),
    };
    const done = this.#once("http_request", input, ["method", "url"]);
    if (done === null) return WAITING;
    const failure = failureOf(done, `The ${method} request to ${url} failed`);
    if (failure !== null) return failure;
    const response = done.answer.ok ? httpResponseContent.safeParse(done.answer.content) : null;
    const status = response?.data?.status ?? 0;
    if (status < 200 || status > 299) {
      return { kind: "failed", message: `${url} answered ${method} with status ${status}.` };
    }
    const said = `Sent ${method} to ${url}; it answered with status ${status}.`;
    return { kind: "done", said, callId: done.callId };
  }

  /** Returns the body of a request; undefined if it would be empty for want of a result. */
  #bodyOf(body: RequestBody): Json | undefined {
    switch (body.kind) {
      case "none":
        return null;
      case "json":
        return body.value;
      case "template":
        return this.#filled(body.value, body.holes);
      case "parts": {
        const fields = body.fields.map(({ name, part }) => ({ name, result: this.#result(part) }));
        if (fields.length === 0 || fields.some(({ result }) => isEmpty(result.data)))
          return undefined;
        const [only] = fields;
        if (only?.name === null) return asJson(dataOf(fields.map(({ result }) => result)) ?? null);
        return Object.fromEntries(
          fields.map(({ name, result }) => [name ?? result.part.label, asJson(result.data)]),
        );
      }
    }
  }

  /** Fills the holes of a JSON body; undefined if a result has no value that fits. */
  #filled(value: Json, holes: readonly Hole[]): Json | undefined {
    let filled = value;
    for (const { path, part, as, words } of holes) {
      const result = this.#result(part);
      const cell = holeValue(namedValue(result, words) ?? result.data, as);
      if (cell === undefined) return undefined;
      filled = withValueAt(filled, path, cell);
    }
    return filled;
  }

  /** Writes a template: results among words as their values, results alone as their full texts. */
  #textOf(template: Template): string {
    const hasWords = template.some((piece) => "text" in piece && /[\p{L}\p{N}]/u.test(piece.text));
    const isAlone = !hasWords;
    const pieces = template.map((piece) => {
      if ("text" in piece) return piece.text;
      const result = this.#result(piece.part);
      return isAlone || result.output === "table" ? result.text : shownData(result.data);
    });
    return pieces.join(isAlone ? "\n\n" : "").trim();
  }

  /** Makes a call with an effect once: one that agrees in the named fields was made before. */
  #once(tool: string, input: { [key: string]: Json }, fields: readonly string[]): Done | null {
    const meaning = JSON.stringify([tool, ...fields.map((name) => input[name] ?? null)]);
    const place = this.#places.get(meaning) ?? 0;
    this.#places.set(meaning, place + 1);
    return this.#desk.once(tool, input, {
      since: 0,
      place,
      means: (made) =>
        isObject(made) &&
        fields.every(
          (name) => JSON.stringify(made[name] ?? null) === JSON.stringify(input[name] ?? null),
        ),
    });
  }
}

function failureOf({ answer }: Done, what: string): Outcome | null {
  if (answer.ok) return null;
  const { code, message } = answer.error;
  if (code === "denied") return { kind: "failed", message: `${what}: you did not allow it.` };
  if (code === "uncertain" || code === "interrupted") {
    return {
      kind: "failed",
      message: `It is not known whether this was done, so it is not repeated. ${message}`,
    };
  }
  return { kind: "failed", message: `${what}: ${message}` };
}

function shownData(data: Json): string {
  return Array.isArray(data) ? listed(data.map(shown)) : shown(data);
}

const MAX_SUBJECT = 200;
const MAX_TEXT = 50_000;

function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029\s]+/gu, " ").trim();
  return line.slice(0, MAX_SUBJECT) || "Results";
}

/** Returns a subject made of the labels of the prompt, never of a page's words. */
function subjectOf(results: readonly Result[], files: readonly { filename: string }[]): string {
  const labels = [...new Set(results.map(({ part }) => part.label))];
  if (labels.length > 0) return labels.slice(0, 3).join(", ");
  return files[0]?.filename ?? "A message for you";
}

function attachedText(files: readonly { filename: string }[]): string {
  return files.length === 0 ? "" : `Attached: ${listed(files.map(({ filename }) => filename))}.`;
}

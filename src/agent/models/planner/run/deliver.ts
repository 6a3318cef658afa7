import type { Json, JsonObject } from "../../../../contract/json.ts";
import { httpResponseContent } from "../../../../contract/tools/http-request.ts";
import { emailContent } from "../../../../contract/tools/send-email.ts";
import { spreadsheetContent } from "../../../../contract/tools/write-spreadsheet.ts";
import { counted } from "../../../../lib/text.ts";
import { cellQuantity, isEmpty } from "../../../tools/process-data/values/cells.ts";
import { visible } from "../../../tools/text.ts";
import type { Condition, Delivery, Template, Threshold } from "../program.ts";
import { bodyOf } from "./bodies.ts";
import type { Desk, Done } from "./desk.ts";
import { evidenceOf, fileCall, fileName } from "./outputs.ts";
import type { Result } from "./result.ts";
import { listed, sentence, shown } from "./words.ts";

type Of<Kind extends Delivery["kind"]> = Extract<Delivery, { kind: Kind }>;

const TESTS: Record<Threshold["test"], (figure: number, value: number) => boolean> = {
  gt: (figure, value) => figure > value,
  gte: (figure, value) => figure >= value,
  lt: (figure, value) => figure < value,
  lte: (figure, value) => figure <= value,
  eq: (figure, value) => figure === value,
};
const MAX_SUBJECT = 200;
const MAX_TEXT = 50_000;

/**
 * Carries out deliveries: files first, since a mail may carry them, then what changes the outside, one
 * by one. What waits or fails ends it, so that nothing follows from what was not done.
 */
export class Deliveries {
  /** Sentences on what was done, and on what was not because its condition does not hold. */
  readonly said: string[] = [];
  /** The parts whose rows are in a file. */
  readonly filed = new Set<string>();
  /** Whether anything was written or sent. */
  hasOutputs = false;
  readonly #results: readonly Result[];
  readonly #desk: Desk;
  /** The calls that made files, by their deliveries. */
  readonly #files = new Map<string, { callId: string; filename: string }>();

  constructor(results: readonly Result[], desk: Desk) {
    this.#results = results;
    this.#desk = desk;
  }

  carryOut(deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries.toSorted((a, b) => rankOf(a) - rankOf(b))) {
      const isDue = delivery.when === null || this.#holds(delivery.when);
      const said = isDue
        ? this.#deliver(delivery)
        : `Not done, because the condition does not hold: ${sentence(delivery.says)}`;
      if (said === null) return;
      this.said.push(said);
      this.hasOutputs ||= isDue;
    }
  }

  /** Returns what was done in a sentence; null if it waits or failed. */
  #deliver(delivery: Delivery): string | null {
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
    const { data } = this.#result(part);
    if (typeof holds === "object") {
      const figure = cellQuantity(data)?.value;
      return figure !== undefined && TESTS[holds.test](figure, holds.value);
    }
    const isNone = data === 0 || data === false || isEmpty(data);
    return isNone === (holds === "none");
  }

  #file(delivery: Of<"file">): string | null {
    const results = delivery.parts.map((part) => this.#result(part));
    const filename = fileName(delivery, results);
    const { tool, input } = fileCall(delivery, filename, results);
    const done = this.#desk.get(tool, input);
    const content = this.#contentOf(done, `${filename} was not written`);
    if (done === null || content === null) return null;
    this.#files.set(delivery.id, { callId: done.callId, filename });
    for (const part of delivery.parts) this.filed.add(part);
    const written = spreadsheetContent.safeParse(content).data?.sheets;
    const sheets = written?.map(({ name, rows }) => `${name} (${counted(rows, "row")})`);
    return `Wrote ${filename}${sheets === undefined ? "" : ` with ${listed(sheets)}`}.`;
  }

  #mail({ to, cc, subject, body, attachments }: Of<"mail">): string | null {
    const files = attachments.flatMap((id) => this.#files.get(id) ?? []);
    if (files.length < attachments.length) {
      return this.#desk.fail("No e-mail was sent, because there is no file to attach.");
    }
    const attached = listed(files.map(({ filename }) => filename));
    const text = this.#textOf(body) || (attached && `Attached: ${attached}.`);
    if (text === "") return this.#desk.fail("No e-mail was sent, because it would have no text.");
    const results = body.flatMap((piece) => ("part" in piece ? [this.#result(piece.part)] : []));
    // Made of the labels of the prompt, never of a page's words.
    const labels = [...new Set(results.map(({ part }) => part.label))].slice(0, 3).join(", ");
    const named = subject ?? (labels || (files[0]?.filename ?? "A message for you"));
    const input: JsonObject = {
      to,
      ...(cc.length > 0 && { cc }),
      subject: visible(named.replace(/\s+/g, " ")).trim().slice(0, MAX_SUBJECT) || "Results",
      text: text.slice(0, MAX_TEXT),
      ...(files.length > 0 && { attachments: files.map(({ callId }) => callId) }),
      ...evidenceOf(results),
    };
    const done = this.#desk.once("send_email", input, ["to"]);
    const whom = listed([...to, ...cc]);
    const content = this.#contentOf(done, `The e-mail to ${whom} was not sent`);
    if (content === null) return null;
    const sent = emailContent.parse(content);
    const along = attached && `, with ${attached} attached`;
    const mail = `${whom} with the subject "${sent.subject}"${along}.`;
    return sent.route === "outbox"
      ? `Wrote an e-mail to ${mail} It is in the outbox: this deployment delivers none.`
      : `Sent an e-mail to ${mail}`;
  }

  #request({ method, url, body }: Of<"request">): string | null {
    const content = bodyOf(body, (id) => this.#result(id));
    if (content === undefined) {
      return this.#desk.fail(`Nothing was sent to ${url}, because nothing was found to send.`);
    }
    const input = { method, url, ...(body.kind !== "none" && { body: content }) };
    const done = this.#desk.once("http_request", input, ["method", "url"]);
    const response = this.#contentOf(done, `The ${method} request to ${url} failed`);
    if (response === null) return null;
    const { status } = httpResponseContent.parse(response);
    if (status < 200 || status > 299) {
      return this.#desk.fail(`${url} answered ${method} with status ${status}.`);
    }
    return `Sent ${method} to ${url}; it answered with status ${status}.`;
  }

  /** Returns the content of a call's answer; null if it waits or failed. */
  #contentOf(done: Done | null, what: string): Json {
    if (done === null) return null;
    if (done.answer.ok) return done.answer.content;
    const { code, message } = done.answer.error;
    const isUnknown = code === "uncertain" || code === "interrupted";
    return this.#desk.fail(
      isUnknown
        ? `It is not known whether this was done, so it is not repeated. ${message}`
        : `${what}: ${code === "denied" ? "you did not allow it." : message}`,
    );
  }

  /** Writes a template: results among words as their values, results alone as their full texts. */
  #textOf(template: Template): string {
    const hasWords = template.some((piece) => "text" in piece && /[\p{L}\p{N}]/u.test(piece.text));
    const pieces = template.map((piece) => {
      if ("text" in piece) return piece.text;
      const { output, text, data } = this.#result(piece.part);
      if (!hasWords || output === "table") return text;
      return Array.isArray(data) ? listed(data.map(shown)) : shown(data);
    });
    return pieces.join(hasWords ? "" : "\n\n").trim();
  }
}

/** Files come before what may carry them. */
function rankOf({ kind }: Delivery): number {
  return kind === "file" ? 0 : 1;
}

import type { Json } from "../../../../contract/json.ts";
import { httpResponseContent } from "../../../../contract/tools/http-request.ts";
import { emailContent } from "../../../../contract/tools/send-email.ts";
import { spreadsheetContent } from "../../../../contract/tools/write-spreadsheet.ts";
import { visible } from "../../../tools/text.ts";
import type { Condition, Delivery, RequestBody, Template } from "../program.ts";
import { asJson, filled, isEmpty } from "./bodies.ts";
import type { Desk, Done } from "./desk.ts";
import { dataOf, evidenceOf, fileCall, fileName } from "./outputs.ts";
import type { Result } from "./result.ts";
import { counted, listed, sentence, shown } from "./words.ts";

type Of<Kind extends Delivery["kind"]> = Extract<Delivery, { kind: Kind }>;

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
    const files = deliveries.filter(({ kind }) => kind === "file");
    for (const delivery of [...files, ...deliveries.filter(({ kind }) => kind !== "file")]) {
      if (delivery.when !== null && !this.#holds(delivery.when)) {
        const said = `Not done, because the condition does not hold: ${sentence(delivery.says)}`;
        this.said.push(said);
        continue;
      }
      const said = this.#deliver(delivery);
      if (said === null) return;
      this.said.push(said);
      this.hasOutputs = true;
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
    const { data, isFound } = this.#result(part);
    const isSome = typeof data === "number" ? data !== 0 : isFound;
    return isSome === (holds === "some");
  }

  #file(delivery: Of<"file">): string | null {
    const results = delivery.sheets.map(({ part }) => this.#result(part));
    const filename = fileName(delivery, results);
    const { tool, input } = fileCall(delivery, filename, results);
    const done = this.#desk.get(tool, input);
    const content = this.#contentOf(done, `${filename} was not written`);
    if (done === null || content === undefined) return null;
    this.#files.set(delivery.id, { callId: done.callId, filename });
    for (const { part } of delivery.sheets) this.filed.add(part);
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
    const done = this.#desk.once(
      "send_email",
      {
        to,
        ...(cc.length > 0 && { cc }),
        subject: visible(named.replace(/\s+/g, " ")).trim().slice(0, MAX_SUBJECT) || "Results",
        text: text.slice(0, MAX_TEXT),
        ...(files.length > 0 && { attachments: files.map(({ callId }) => callId) }),
        ...evidenceOf(results),
      },
      ["to"],
    );
    const whom = listed([...to, ...cc]);
    const content = this.#contentOf(done, `The e-mail to ${whom} was not sent`);
    if (content === undefined) return null;
    const sent = emailContent.safeParse(content).data;
    const along = attached && `, with ${attached} attached`;
    const mail = `${whom} with the subject "${sent?.subject ?? ""}"${along}.`;
    return sent?.route === "outbox"
      ? `Wrote an e-mail to ${mail} It is in the outbox: this deployment delivers none.`
      : `Sent an e-mail to ${mail}`;
  }

  #request({ method, url, body }: Of<"request">): string | null {
    const content = this.#bodyOf(body);
    if (content === undefined) {
      return this.#desk.fail(`Nothing was sent to ${url}, because nothing was found to send.`);
    }
    const input = { method, url, ...(body.kind !== "none" && { body: content }) };
    const done = this.#desk.once("http_request", input, ["method", "url"]);
    const response = this.#contentOf(done, `The ${method} request to ${url} failed`);
    if (response === undefined) return null;
    const status = httpResponseContent.safeParse(response).data?.status ?? 0;
    if (status < 200 || status > 299) {
      return this.#desk.fail(`${url} answered ${method} with status ${status}.`);
    }
    return `Sent ${method} to ${url}; it answered with status ${status}.`;
  }

  /** Returns the content of a call's answer; undefined if it waits or failed. */
  #contentOf(done: Done | null, what: string): Json | undefined {
    if (done === null) return undefined;
    if (done.answer.ok) return done.answer.content;
    const { code, message } = done.answer.error;
    const isUnknown = code === "uncertain" || code === "interrupted";
    this.#desk.fail(
      isUnknown
        ? `It is not known whether this was done, so it is not repeated. ${message}`
        : `${what}: ${code === "denied" ? "you did not allow it." : message}`,
    );
    return undefined;
  }

  /** Returns the body of a request; undefined if it would be empty for want of a result. */
  #bodyOf(body: RequestBody): Json | undefined {
    switch (body.kind) {
      case "none":
        return null;
      case "json":
        return body.value;
      case "template":
        return filled(body, (id) => this.#result(id));
      case "parts": {
        const results = body.fields.map(({ part }) => this.#result(part));
        if (results.length === 0 || results.some(({ data }) => isEmpty(data))) return undefined;
        if (body.fields[0]?.name === null) return asJson(dataOf(results) ?? null);
        const entries = body.fields.map(({ name, part }): [string, Json] => [
          name ?? this.#result(part).part.label,
          asJson(this.#result(part).data),
        ]);
        return Object.fromEntries(entries);
      }
    }
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

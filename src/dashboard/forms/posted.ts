import * as z from "zod";
import { PrompthookError } from "../../client/error.ts";
import { type Json, json } from "../../contract/json.ts";
import { PROBLEMS } from "../../contract/problem.ts";
import { readUpTo } from "../../lib/read-up-to.ts";
import { parseStrictJson } from "../../lib/strict-json.ts";
import type { Page } from "../context.ts";

/** JSON that somebody has typed, or a sentence that says why it is none. */
export type TypedJson = { ok: true; value: Json } | { ok: false; message: string };

/** Reads JSON as the API would. */
export function typedJson(text: string): TypedJson {
  const read = parseStrictJson(new TextEncoder().encode(text));
  if (read.ok) return { ok: true, value: json.parse(read.value) };
  return { ok: false, message: read.detail.replace(/^The body is/, "This is") };
}

/** JSON for somebody to read and change. */
export function jsonText(value: Json): string {
  return JSON.stringify(value, null, 2);
}

const NOT_A_TIME = "must be a time such as 2026-11-21T10:00, in UTC";

/** What a browser sends for a moment: without a zone, which is UTC here, and often without seconds. */
export const typedMoment = z
  .string()
  .transform((text) => text.replace(/(T\d\d:\d\d)(?=Z|[+-]|$)/, "$1:00"))
  .transform((text) => (/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`))
  .pipe(z.iso.datetime({ offset: true, error: NOT_A_TIME }))
  .transform((text) => new Date(text).toISOString());

/** What is told of a secret that is kept: short ones show no end of themselves. */
export function keptWords(last4: string): string {
  return last4 === "" ? "set" : `set, ends in ${last4}`;
}

/** The same as a hint beside the control that would replace it. */
export function keepHint(last4: string): string {
  return `It is ${keptWords(last4)}. Leave this empty to keep it.`;
}

/** Bytes of a form at most: what the API takes, three bytes for each of its own, and some more. */
const MAX_BYTES = 1_048_576;

/** What a form's controls held when it was sent. */
export class Posted {
  readonly #fields: URLSearchParams;

  constructor(fields: URLSearchParams) {
    this.#fields = fields;
  }

  /** A control's text, empty where there is none. Browsers send each end of a line as CR LF. */
  text(name: string): string {
    return (this.#fields.get(name) ?? "").replaceAll("\r\n", "\n");
  }

  /** The same without the blanks around it. */
  line(name: string): string {
    return this.text(name).trim();
  }

  /** Whether a box was ticked. */
  isOn(name: string): boolean {
    return this.#fields.has(name);
  }

  /** The places of a list's rows, whose controls are called `list[0].name`. */
  rows(list: string): number[] {
    const places = [...this.#fields.keys()].flatMap((name) => {
      if (!name.startsWith(`${list}[`)) return [];
      const digits = /^\[(\d{1,4})\]\./.exec(name.slice(list.length))?.[1];
      return digits === undefined ? [] : [Number(digits)];
    });
    return [...new Set(places)].sort((a, b) => a - b);
  }
}

/** Reads a form that one of our own pages sent. */
export async function postedForm(http: Page): Promise<Posted> {
  const { body } = http.req.raw;
  if (body === null) return new Posted(new URLSearchParams());
  const { bytes, cut } = await readUpTo(body, MAX_BYTES);
  if (cut) throw tooLarge(http);
  return new Posted(new URLSearchParams(new TextDecoder().decode(bytes)));
}

function tooLarge(http: Page): PrompthookError {
  const code = "payload_too_large";
  const { status, title } = PROBLEMS[code];
  const detail = `A form may have ${MAX_BYTES} bytes at most.`;
  const requestId = http.get("requestId");
  return new PrompthookError({ type: "about:blank", title, status, detail, code, requestId }, null);
}

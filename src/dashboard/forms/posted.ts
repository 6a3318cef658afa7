import { PrompthookError } from "../../client/error.ts";
import { PROBLEMS } from "../../contract/problem.ts";
import { readUpTo } from "../../lib/read-up-to.ts";
import type { Page } from "../context.ts";

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

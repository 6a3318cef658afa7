import { HttpProblem } from "../../http/problem.ts";
import { readUpTo } from "../../lib/read-up-to.ts";
import { asClientError, type Page } from "../context.ts";

/** Bytes of the largest form: the API's largest prompt and schemas, percent-encoded. */
const MAX_BYTES = 1_048_576;

/** The values of a form's controls as they were typed, right or wrong. */
export class Posted {
  readonly #fields: URLSearchParams;

  constructor(fields: Iterable<readonly [string, string]> = []) {
    this.#fields = new URLSearchParams([...fields].map(([name, value]) => [name, value]));
  }

  /** Returns a control's text, empty without one. Browsers send each line break as CR LF. */
  text(name: string): string {
    return (this.#fields.get(name) ?? "").replaceAll("\r\n", "\n");
  }

  /** Returns a control's text without the blanks around it. */
  line(name: string): string {
    return this.text(name).trim();
  }

  /** Returns the values of all controls of a name, each once, without empty ones. */
  all(name: string): string[] {
    return [...new Set(this.#fields.getAll(name))].filter((value) => value !== "");
  }

  /** Tells whether a box is ticked, or a control of the name was sent at all. */
  isOn(name: string): boolean {
    return this.#fields.has(name);
  }

  /** Returns the indexes of a list's rows, whose controls are called `list[0].name`. */
  rows(list: string): number[] {
    const indexes = [...this.#fields.keys()].flatMap((name) => {
      if (!name.startsWith(`${list}[`)) return [];
      const digits = /^\[(\d{1,4})\]\./.exec(name.slice(list.length))?.[1];
      return digits === undefined ? [] : [Number(digits)];
    });
    return [...new Set(indexes)].sort((a, b) => a - b);
  }

  /** Returns a copy with the rows of `list` that `keeps` accepts, renumbered from 0. */
  withRows(list: string, keeps: (index: number) => boolean): Posted {
    const kept = this.rows(list).filter(keeps);
    return new Posted(
      [...this.#fields].flatMap(([name, value]): [string, string][] => {
        const [, digits, rest] = name.startsWith(`${list}[`)
          ? (/^\[(\d{1,4})\](\..*)$/.exec(name.slice(list.length)) ?? [])
          : [];
        if (digits === undefined) return [[name, value]];
        const at = kept.indexOf(Number(digits));
        return at < 0 ? [] : [[`${list}[${at}]${rest}`, value]];
      }),
    );
  }

  /** The names and values of all controls. */
  get entries(): [string, string][] {
    return [...this.#fields];
  }

  /** Returns a copy with these values besides. */
  with(added: readonly (readonly [string, string])[]): Posted {
    return new Posted([...this.#fields, ...added]);
  }
}

/** Reads a form that one of the dashboard's own pages sent. */
export async function postedForm(http: Page): Promise<Posted> {
  const { body } = http.req.raw;
  if (body === null) return new Posted();
  const { bytes, cut } = await readUpTo(body, MAX_BYTES);
  if (!cut) return new Posted(new URLSearchParams(new TextDecoder().decode(bytes)));
  const detail = `A form must not exceed ${MAX_BYTES} bytes.`;
  throw asClientError(new HttpProblem("payload_too_large", detail), http.get("requestId"));
}

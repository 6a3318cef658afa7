import { type GivenFiles, MAX_FILES_BYTES, mediaTypeOfFile } from "../../contract/files.ts";
import { HttpProblem } from "../../http/problem.ts";
import { readMultipart } from "../../intake/payload/parse.ts";
import { toBase64 } from "../../lib/encoding.ts";
import { readUpTo } from "../../lib/read-up-to.ts";
import { asClientError, type Page } from "../context.ts";

/** Bytes of the largest form: the API's largest prompt and schemas, percent-encoded. */
const MAX_BYTES = 1_048_576;

/** The values of a form's controls as they were typed, right or wrong. */
export class Posted {
  readonly #fields: URLSearchParams;
  readonly #files: ReadonlyMap<string, GivenFiles>;

  constructor(
    fields: Iterable<readonly [string, string]> = [],
    files: ReadonlyMap<string, GivenFiles> = new Map(),
  ) {
    this.#files = files;
    this.#fields = new URLSearchParams([...fields].map(([name, value]) => [name, value]));
  }

  /** The names and texts of all controls, in order. */
  get texts(): [string, string][] {
    return [...this.#fields];
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

  /** Returns the files of a control. */
  files(name: string): GivenFiles {
    return this.#files.get(name) ?? [];
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
      this.#files,
    );
  }

  /** Returns a copy with these values besides. */
  with(added: readonly (readonly [string, string])[]): Posted {
    return new Posted([...this.#fields, ...added], this.#files);
  }
}

/** Reads a form that one of the dashboard's own pages sent; `takesFiles` says that it may have files. */
export async function postedForm(http: Page, takesFiles = false): Promise<Posted> {
  const { body, headers } = http.req.raw;
  if (body === null) return new Posted();
  const { bytes, cut } = await readUpTo(body, MAX_BYTES + (takesFiles ? MAX_FILES_BYTES : 0));
  if (cut) {
    const detail = takesFiles
      ? `The files of a form must not exceed ${MAX_FILES_BYTES} bytes in all.`
      : `A form must not exceed ${MAX_BYTES} bytes.`;
    throw asClientError(new HttpProblem("payload_too_large", detail), http.get("requestId"));
  }
  const type = headers.get("Content-Type") ?? "";
  if (takesFiles && type.startsWith("multipart/")) {
    const form = await readMultipart(bytes, type);
    return "ok" in form ? new Posted() : postedParts(form);
  }
  const posted = new Posted(new URLSearchParams(new TextDecoder().decode(bytes)));
  http.set("posted", posted);
  return posted;
}

async function postedParts(form: FormData): Promise<Posted> {
  const texts: [string, string][] = [];
  const files = new Map<string, GivenFiles>();
  for (const [control, value] of form) {
    if (typeof value === "string") texts.push([control, value]);
    // Browsers send a control without files as one that has no name.
    else if (value.name !== "") {
      const bytes = new Uint8Array(await value.arrayBuffer());
      const mediaType = mediaTypeOfFile(value.name, bytes);
      const file = { name: value.name, mediaType, data: toBase64(bytes) };
      files.set(control, [...(files.get(control) ?? []), file]);
    }
  }
  return new Posted(texts, files);
}

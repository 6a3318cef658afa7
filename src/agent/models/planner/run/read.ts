import type { Json, JsonObject } from "../../../../contract/json.ts";
import { records } from "../../../tools/source-content.ts";
import type { Hop, Material, Paging, Source } from "../program.ts";
import type { Desk } from "./desk.ts";
import { hopTargets, pageNumber, pagesAfter } from "./links.ts";
import { emptiness, type Reading, type ReadPage, readAnswer, readData } from "./view.ts";

/** The most pages of a list that one source opens, and half of all the pages that it opens. */
const MAX_PAGES = 20;

type Pages = ReadonlyMap<string, readonly ReadPage[]>;

/** What was read, as far as the answers carry. */
export interface Gathered {
  materials: Material[];
  pages: Pages;
}

/** The pages of one source, and whether the last one links to a next one. */
interface Found {
  pages: ReadPage[];
  further: boolean;
}

/** Opens the sources of a draft. */
export function readSources(
  sources: readonly Source[],
  desk: Desk,
  inputs: JsonObject | null,
): Gathered {
  const pages = new Map<string, ReadPage[]>();
  const materials = sources.map((source): Material => {
    const found =
      source.kind === "page"
        ? new PageReader(desk, source).read()
        : { pages: readOther(source, desk, inputs, pages), further: false };
    pages.set(source.id, found.pages);
    return { sourceId: source.id, ...found };
  });
  return { materials, pages };
}

function readOther(
  source: Exclude<Source, { kind: "page" }>,
  desk: Desk,
  inputs: JsonObject | null,
  pages: Pages,
): ReadPage[] {
  switch (source.kind) {
    case "inline":
      return kept(readData(source.data, source.format), "The given data", desk);
    case "input": {
      const { name } = source;
      const value = name === null ? inputs : inputs?.[name];
      if (value === undefined || (name === null && value === null)) {
        desk.fail(name === null ? "There are no inputs." : `There is no input "${name}".`);
        return [];
      }
      const isText = typeof value === "string";
      const reading = readData(isText ? value : JSON.stringify(value), isText ? "auto" : "json");
      return kept(reading, name === null ? "The inputs" : `The input "${name}"`, desk);
    }
    case "search": {
      const { query, count } = source;
      return kept(call(desk, "search_web", { query, count }), `The search for "${query}"`, desk);
    }
    case "code": {
      if (desk.isBlocked) return [];
      const read = source.from.flatMap((id) => pages.get(id) ?? []);
      const from = read.flatMap(({ callId }) => callId ?? []);
      const [value, ...others] = read.map(inputOf);
      const input = others.length > 0 ? [value ?? null, ...others] : (value ?? inputs);
      return kept(
        call(desk, "run_code", {
          code: source.code,
          ...(input === null ? {} : { input }),
          ...(from.length === 0 ? {} : { from }),
        }),
        null,
        desk,
      );
    }
  }
}

/** Returns what code gets of a page: its JSON, the rows of its only table, or its text. */
function inputOf({ json, tables, text }: ReadPage): Json {
  if (json !== undefined) return json;
  const [only, ...rest] = tables.filter(({ kind }) => kind === "table" || kind === "cards");
  return only === undefined || rest.length > 0 ? text : records(only);
}

/** Reads the answer of a call; null while there is none, or if the tool is missing. */
function call(desk: Desk, tool: string, input: JsonObject): Reading | null {
  if (!desk.has(tool)) {
    return desk.fail(`This needs the tool ${tool}, which this execution does not have.`);
  }
  const done = desk.get(tool, input);
  return done === null ? null : readAnswer(done.callId, done.answer);
}

/** Returns the page that was read; a failure names the source, or the code of the prompt. */
function kept(reading: Reading | null, name: string | null, desk: Desk): ReadPage[] {
  if (reading?.ok === true) return [reading.page];
  if (reading !== null && name === null) desk.fail(`The code failed: ${reading.message}`);
  else if (reading !== null) {
    desk.fail(`${name} could not be read: ${reading.message}`, "source_unavailable");
  }
  return [];
}

/** Reads the pages to which one source leads. */
class PageReader {
  readonly #desk: Desk;
  readonly #source: Extract<Source, { kind: "page" }>;
  #opened = 0;

  constructor(desk: Desk, source: Extract<Source, { kind: "page" }>) {
    this.#desk = desk;
    this.#source = source;
  }

  /** The further pages of a list are read before its links are opened. */
  read(): Found {
    const { url, hops, paging } = this.#source;
    const at = hops.findIndex(({ which }) => which === "each");
    const before = at < 0 ? hops : hops.slice(0, at);
    const after = hops.slice(before.length);
    const start = before.reduce<ReadPage[]>(
      (pages, hop) => this.#follow(hop, pages),
      this.#open([url]),
    );
    const list = this.#page(start, paging, after.length > 0);
    const pages = after.reduce((from, hop) => this.#follow(hop, from), list.pages);
    return { pages, further: list.further };
  }

  #follow(hop: Hop, from: readonly ReadPage[]): ReadPage[] {
    if (this.#desk.isBlocked) return [];
    const urls = from.flatMap((page) => {
      const targets = hopTargets(hop, page);
      if (!Array.isArray(targets)) this.#desk.fail(targets.reason);
      return Array.isArray(targets) ? targets : [];
    });
    return this.#open([...new Set(urls)]);
  }

  /** Reads further pages of a list as its paging says. */
  #page(from: ReadPage[], paging: Paging, hasLinks: boolean): Found {
    const [start, ...others] = from;
    if (this.#desk.isBlocked || start === undefined || others.length > 0 || paging.kind === "this")
      return { pages: from, further: false };
    const first = pageNumber(start.url);
    // The pages of a list whose links are opened are only followed if the prompt says so.
    if (paging.kind === "unsaid" && hasLinks) {
      return { pages: from, further: pagesAfter(start, first).length > 0 };
    }
    const wanted =
      "count" in paging ? paging.count : "number" in paging ? paging.number : MAX_PAGES;
    const walked = this.#walk(start, first, Math.min(wanted, MAX_PAGES));
    if (this.#desk.isBlocked) return walked;
    const { pages, further } = walked;
    switch (paging.kind) {
      case "unsaid":
        return walked;
      case "all":
        if (further) this.#desk.fail(`The list of ${start.url} has more than ${MAX_PAGES} pages.`);
        return walked;
      case "first":
        if (pages.length < paging.count) {
          this.#desk.fail(
            `The list of ${start.url} has only ${pages.length} of ${paging.count} pages.`,
          );
        }
        return { pages, further: false };
      case "page": {
        const page = pages[paging.number - first];
        if (page === undefined) {
          this.#desk.fail(`There is no page ${paging.number} after ${start.url}.`);
        }
        return { pages: page === undefined ? [] : [page], further: false };
      }
    }
  }

  #walk(start: ReadPage, first: number, most: number): Found {
    const pages = [start];
    const seen = new Set([start.url]);
    for (;;) {
      const urls = pagesAfter(pages.at(-1) ?? start, first + pages.length - 1);
      const unseen = urls.filter((url) => !seen.has(url));
      const wanted = unseen.slice(0, most - pages.length);
      if (wanted.length === 0) return { pages, further: unseen.length > 0 };
      for (const url of wanted) seen.add(url);
      pages.push(...this.#open(wanted));
      if (this.#desk.isBlocked) return { pages, further: true };
    }
  }

  #open(urls: readonly string[]): ReadPage[] {
    this.#opened += urls.length;
    if (this.#opened > MAX_PAGES * 2) {
      this.#desk.fail(`${this.#source.url} leads to more than ${MAX_PAGES * 2} pages.`);
      return [];
    }
    return urls.flatMap((url) => {
      const isPlain = !this.#desk.has("browse") && this.#desk.has("http_request");
      const reading = isPlain
        ? call(this.#desk, "http_request", { method: "GET", url })
        : call(this.#desk, "browse", { url });
      const message = reading?.ok === true ? emptiness(reading.page) : null;
      return kept(message === null ? reading : { ok: false, message }, url, this.#desk);
    });
  }
}

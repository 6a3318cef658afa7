import type { Json, JsonObject } from "../../../../contract/json.ts";
import type { Hop, Material, Paging, Source } from "../program.ts";
import type { Desk } from "./desk.ts";
import { furtherPages, hopTargets, pageNumber } from "./links.ts";
import { emptiness, type Reading, type ReadPage, readAnswer, readData } from "./view.ts";
import { recordsOf } from "./words.ts";

/** The most pages that one source opens. */
const MAX_PAGES = 20;

/** Why a source has no data. */
interface Unread {
  code: "source_unavailable" | "cannot_do";
  message: string;
}

/** What was read, as far as the answers carry. */
export interface Gathered {
  materials: Material[];
  pages: Map<string, ReadPage[]>;
  unread: Unread[];
  /** Whether calls are under way. */
  isWaiting: boolean;
}

/** Opens the sources of a draft. */
export function readSources(
  sources: readonly Source[],
  desk: Desk,
  inputs: JsonObject | null,
): Gathered {
  const gathered: Gathered = { materials: [], pages: new Map(), unread: [], isWaiting: false };
  for (const source of sources) {
    const reader = new Reader(desk, gathered);
    const { pages, further } = reader.read(source, inputs);
    gathered.materials.push({ sourceId: source.id, pages, further });
    gathered.pages.set(source.id, pages);
  }
  return gathered;
}

interface Found {
  pages: ReadPage[];
  further: boolean;
}

/** Reads one source. */
class Reader {
  readonly #desk: Desk;
  readonly #gathered: Gathered;
  #opened = 0;

  constructor(desk: Desk, gathered: Gathered) {
    this.#desk = desk;
    this.#gathered = gathered;
  }

  read(source: Source, inputs: JsonObject | null): Found {
    switch (source.kind) {
      case "page":
        return this.#readPage(source);
      case "inline":
        return this.#keep(readData(source.data, source.format), "The given data");
      case "input":
        return this.#readInput(source.name, inputs);
      case "search": {
        const { query, count } = source;
        const reading = this.#call("search_web", { query, count });
        return reading === null ? NOTHING : this.#keep(reading, `The search for "${query}"`);
      }
      case "code":
        return this.#runCode(source, inputs);
    }
  }

  #runCode({ code, from }: Of<"code">, inputs: JsonObject | null): Found {
    if (this.#gathered.isWaiting) return NOTHING;
    const pages = from.flatMap((id) => this.#gathered.pages.get(id) ?? []);
    const calls = pages.flatMap(({ callId }) => callId ?? []);
    const values = pages.map(inputOf);
    const input = values.length === 0 ? inputs : values.length === 1 ? values[0] : values;
    const reading = this.#call("run_code", {
      code,
      ...(input === null || input === undefined ? {} : { input }),
      ...(calls.length === 0 ? {} : { from: calls }),
    });
    if (reading?.ok === false)
      return this.#miss("cannot_do", `The code failed: ${reading.message}`);
    return reading === null ? NOTHING : { pages: [reading.page], further: false };
  }

  #readInput(name: string | null, inputs: JsonObject | null): Found {
    const value: Json | undefined = name === null ? (inputs ?? undefined) : inputs?.[name];
    if (value === undefined) {
      const what = name === null ? "are no inputs" : `is no input "${name}"`;
      return this.#miss("cannot_do", `There ${what}.`);
    }
    const reading =
      typeof value === "string" ? readData(value, "auto") : readData(JSON.stringify(value), "json");
    return this.#keep(reading, name === null ? "The inputs" : `The input "${name}"`);
  }

  #readPage(source: PageSource): Found {
    let found: Found = { pages: this.#open([source.url], source), further: false };
    let isPaged = false;
    for (const hop of source.hops) {
      if (this.#gathered.isWaiting || found.pages.length === 0) return found;
      if (hop.which === "each" && !isPaged) {
        // The pages of a list whose links are opened are only followed if the prompt says so.
        found = this.#page(source, found.pages, source.paging);
        isPaged = true;
      }
      const pages = this.#follow(hop, found.pages, source);
      found = { pages, further: found.further };
    }
    return isPaged ? found : this.#page(source, found.pages, source.paging);
  }

  #follow(hop: Hop, from: readonly ReadPage[], source: PageSource): ReadPage[] {
    const urls: string[] = [];
    for (const page of from) {
      const targets = hopTargets(hop, page);
      if (targets.ok) urls.push(...targets.urls.filter((url) => !urls.includes(url)));
      else this.#miss("cannot_do", targets.message);
    }
    return this.#open(urls, source);
  }

  /** Reads further pages of a list as its paging says. */
  #page(source: PageSource, first: readonly ReadPage[], paging: Paging): Found {
    const [start] = first;
    if (this.#gathered.isWaiting || start === undefined)
      return { pages: [...first], further: false };
    const isList = first.length === 1 && paging.kind !== "this";
    if (!isList) return { pages: [...first], further: false };
    const hasEach = source.hops.some(({ which }) => which === "each");
    if (paging.kind === "unsaid" && hasEach) {
      const { numbered, next } = furtherPages(start);
      return { pages: [start], further: next !== null || numbered.has(pageNumber(start.url) + 1) };
    }
    const most =
      paging.kind === "first" ? paging.count : paging.kind === "page" ? paging.number : MAX_PAGES;
    const walked = this.#walk(start, source, Math.min(most, MAX_PAGES));
    if (this.#gathered.isWaiting) return walked;
    if (paging.kind === "page") {
      const wanted = walked.pages.find((_, at) => pageNumber(start.url) + at === paging.number);
      if (wanted !== undefined) return { pages: [wanted], further: false };
      return this.#miss("cannot_do", `There is no page ${paging.number} after ${start.url}.`);
    }
    if (paging.kind === "first" && walked.pages.length < paging.count) {
      const there = walked.pages.length;
      return this.#miss(
        "cannot_do",
        `The list of ${start.url} has only ${there} of ${paging.count} pages.`,
      );
    }
    if (paging.kind === "all" && walked.further) {
      return this.#miss("cannot_do", `The list of ${start.url} has more than ${MAX_PAGES} pages.`);
    }
    return paging.kind === "first" ? { ...walked, further: false } : walked;
  }

  #walk(start: ReadPage, source: PageSource, most: number): Found {
    const pages = [start];
    const seen = new Set([start.url]);
    const first = pageNumber(start.url);
    for (;;) {
      const last = pages.at(-1) ?? start;
      const { numbered, next } = furtherPages(last);
      const urls: string[] = [];
      for (let number = first + pages.length; numbered.has(number); number += 1) {
        urls.push(numbered.get(number) ?? "");
      }
      if (urls.length === 0 && next !== null) urls.push(next);
      const unseen = urls.filter((url) => !seen.has(url));
      if (unseen.length === 0) return { pages, further: false };
      const wanted = unseen.slice(0, most - pages.length);
      if (wanted.length === 0) return { pages, further: true };
      for (const url of wanted) seen.add(url);
      const opened = this.#open(wanted, source);
      if (this.#gathered.isWaiting) return { pages, further: true };
      if (opened.length < wanted.length) return { pages, further: true };
      pages.push(...opened);
    }
  }

  #open(urls: readonly string[], source: PageSource): ReadPage[] {
    const room = MAX_PAGES * 2 - this.#opened;
    if (urls.length > room) {
      this.#miss("cannot_do", `${source.url} leads to more than ${MAX_PAGES * 2} pages.`);
      return [];
    }
    this.#opened += urls.length;
    const readings = urls.map((url) => ({ url, reading: this.#openOne(url) }));
    return readings.flatMap(({ url, reading }) =>
      reading === null ? [] : this.#keep(reading, url).pages,
    );
  }

  #openOne(url: string): Reading | null {
    const used =
      this.#desk.has("browse") || !this.#desk.has("http_request") ? "browse" : "http_request";
    const reading = this.#call(used, used === "browse" ? { url } : { method: "GET", url });
    if (reading?.ok !== true) return reading;
    const message = emptiness(reading.page);
    return message === null ? reading : { ok: false, message };
  }

  #call(tool: string, input: Json): Reading | null {
    if (!this.#desk.has(tool)) {
      this.#miss("cannot_do", `This needs the tool ${tool}, which this execution does not have.`);
      return null;
    }
    const done = this.#desk.get(tool, input);
    if (done !== null) return readAnswer(done.callId, done.answer);
    this.#gathered.isWaiting = true;
    return null;
  }

  #keep(reading: Reading, name: string): Found {
    if (reading.ok) return { pages: [reading.page], further: false };
    return this.#miss("source_unavailable", `${name} could not be read: ${reading.message}`);
  }

  #miss(code: Unread["code"], message: string): Found {
    const isKnown = this.#gathered.unread.some((one) => one.message === message);
    if (!isKnown) this.#gathered.unread.push({ code, message });
    return NOTHING;
  }
}

type Of<Kind extends Source["kind"]> = Extract<Source, { kind: Kind }>;
type PageSource = Of<"page">;

/** Returns what code gets of a page: its JSON, the rows of its only table, or its text. */
function inputOf({ json, tables, text }: ReadPage): Json {
  if (json !== undefined) return json;
  const lists = tables.filter(({ kind }) => kind === "table" || kind === "cards");
  const [only, ...rest] = lists;
  return only === undefined || rest.length > 0 ? text : recordsOf(only.columns, only.rows);
}

const NOTHING: Found = { pages: [], further: false };

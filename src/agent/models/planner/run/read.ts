import type { JsonObject } from "../../../../contract/json.ts";
import { failure } from "../../../tools/source-content.ts";
import type { Hop, Material, Paging, Source } from "../program.ts";
import type { Desk } from "./desk.ts";
import { hopTargets, pageNumber, pagesAfter } from "./links.ts";
import { emptiness, type Reading, type ReadPage, readAnswer, readData } from "./view.ts";

/** The most pages of a list that one source opens, and half of all the pages that it opens. */
const MAX_PAGES = 20;

/** What was read, as far as the answers carry. */
export interface Gathered {
  materials: Material[];
  pages: ReadonlyMap<string, readonly ReadPage[]>;
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
  const found = sources.map((source) => ({ source, ...foundAt(source, desk, inputs) }));
  return {
    materials: found.map(({ source, ...read }) => ({ sourceId: source.id, ...read })),
    pages: new Map(found.map(({ source, pages }) => [source.id, pages])),
  };
}

function foundAt(source: Source, desk: Desk, inputs: JsonObject | null): Found {
  if (source.kind === "page") return new PageReader(desk, source).read();
  return { pages: readOther(source, desk, inputs), further: false };
}

type Other = Exclude<Source, { kind: "page" }>;

function readOther(source: Other, desk: Desk, inputs: JsonObject | null): ReadPage[] {
  switch (source.kind) {
    case "inline":
      return kept(readData(source.data, source.format), "The given data", desk);
    case "input":
      return kept(readData(JSON.stringify(inputs), "json"), "The inputs", desk);
    case "search": {
      const { query, count } = source;
      return kept(call(desk, "search_web", { query, count }), `The search for "${query}"`, desk);
    }
    case "code": {
      const { code } = source;
      return kept(call(desk, "run_code", { code, ...(inputs && { input: inputs }) }), null, desk);
    }
  }
}

/** Reads the answer of a call; null while there is none, or if the tool is missing. */
function call(desk: Desk, tool: string, input: JsonObject): Reading | null {
  if (!desk.has(tool)) {
    return desk.fail(`This needs the tool ${tool}, which this execution does not have.`);
  }
  const done = desk.get(tool, input);
  return done && readAnswer(done.callId, done.answer);
}

/** Returns the page that was read; a failure names the source, or the code of the prompt. */
function kept(reading: Reading | null, name: string | null, desk: Desk): ReadPage[] {
  if (reading === null) return [];
  if (reading.ok) return [reading.value];
  if (name === null) desk.fail(`The code failed: ${reading.message}`);
  else desk.fail(`${name} could not be read: ${reading.message}`, "source_unavailable");
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
    const start = this.#follow(before, this.#open([url]));
    const list = this.#page(start, paging, after.length > 0);
    return { ...list, pages: this.#follow(after, list.pages) };
  }

  #follow(hops: readonly Hop[], from: ReadPage[]): ReadPage[] {
    return hops.reduce((pages, hop) => {
      if (this.#desk.isBlocked) return [];
      const urls = pages.flatMap((page) => {
        const targets = hopTargets(hop, page);
        if (targets.ok) return targets.value;
        this.#desk.fail(targets.message);
        return [];
      });
      return this.#open([...new Set(urls)]);
    }, from);
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
    const { pages, further } = this.#walk(start, first, Math.min(wanted, MAX_PAGES));
    if (this.#desk.isBlocked || paging.kind === "unsaid") return { pages, further };
    if (paging.kind === "page") {
      const page = pages[paging.number - first];
      if (page !== undefined) return { pages: [page], further: false };
      this.#desk.fail(`There is no page ${paging.number} after ${start.url}.`);
    } else if (paging.kind === "all" && further) {
      this.#desk.fail(`The list of ${start.url} has more than ${MAX_PAGES} pages.`);
    } else if (paging.kind === "first" && pages.length < paging.count) {
      const count = `only ${pages.length} of ${paging.count} pages`;
      this.#desk.fail(`The list of ${start.url} has ${count}.`);
    }
    return { pages, further: false };
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
      const message = reading?.ok === true ? emptiness(reading.value) : null;
      return kept(message === null ? reading : failure(message), url, this.#desk);
    });
  }
}

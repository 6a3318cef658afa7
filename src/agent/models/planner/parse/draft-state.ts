import type {
  Condition,
  Delivery,
  DraftPart,
  Form,
  Origin,
  Paging,
  Source,
  Surroundings,
} from "../program.ts";
import type { PhraseMatch } from "../text/phrases.ts";
import type { Token } from "../text/tokens.ts";
import { isBlank } from "./blank.ts";
import { type Clause, verbAt } from "./clauses.ts";
import type { Cover } from "./cover.ts";
import { type Stop, stop } from "./stop.ts";

/** Words that name what was found before, and say nothing else. */
export const REFERENCES = ["pronoun", "show", "and", "only", "but"];
export type File = Extract<Delivery, { kind: "file" }>;
export type Mail = Extract<Delivery, { kind: "mail" }>;

/** What the clauses of a prompt have asked for so far, and what every kind of clause does with it. */
export class DraftState {
  readonly tokens: readonly Token[];
  readonly surroundings: Surroundings;
  readonly sources: Source[] = [];
  readonly parts: DraftPart[] = [];
  readonly deliveries: Delivery[] = [];
  readonly needs = new Set<string>();
  /** The sources that a clause without an address is about. */
  context: string[] = [];
  /** Whether the last clause only named sources, so that the next one adds to them. */
  gathering = false;
  paging: Paging = { kind: "unsaid" };
  /** The condition of the effects that follow. */
  condition: Condition | null = null;
  /** E-mail addresses in answers to questions. */
  readonly answered: readonly string[];
  /** Whether a comparison is announced whose kind no clause has said yet. */
  comparing = false;
  /** The things of a clause such as "for each animal", whose pages a later clause opens. */
  each: string | null = null;
  /** Parts since the last delivery, which "it" and "them" name. */
  fresh: string[] = [];
  /** Whether the last part may be continued by a step: "sort it by price". */
  lastWeak = false;

  constructor(tokens: readonly Token[], surroundings: Surroundings, answered: readonly string[]) {
    this.tokens = tokens;
    this.surroundings = surroundings;
    this.answered = answered;
  }

  /** Adds a part. */
  addPart(asked: Omit<DraftPart, "id" | "name">): DraftPart {
    const part: DraftPart = { id: `p${this.parts.length + 1}`, ...asked, name: null };
    this.parts.push(part);
    this.fresh.push(part.id);
    return part;
  }

  /** Returns these parts, or the last one if there are none. */
  lastPartsOr(parts: readonly string[]): string[] {
    return parts.length > 0 ? [...parts] : this.parts.slice(-1).map(({ id }) => id);
  }

  textOf(ranges: readonly Origin[]): string {
    return ranges
      .map(({ from, to }) =>
        this.tokens
          .slice(from, to)
          .map(({ text }) => text)
          .join(" "),
      )
      .join(" ")
      .replace(/\s+/g, " ")
      .trim();
  }

  nextSource(): string {
    return `s${this.sources.length + 1}`;
  }

  /** Returns the first token of a clause that is not a filler such as "then" or "please". */
  start({ from, to }: Clause): number {
    let at = from;
    while (
      at < to &&
      isBlank(this.tokens.slice(at, at + 1), ["and"]) &&
      // "let EMAIL know" is a verb around its object.
      this.tokens[at + 1]?.kind !== "email" &&
      verbAt(this.tokens, at) === null
    )
      at += 1;
    return at < to ? at : from;
  }

  word(at: number): string {
    const token = this.tokens[at];
    return token?.kind === "word" ? token.word : "";
  }

  lastMail(): Mail | null {
    const mail = this.deliveries.findLast((delivery) => delivery.kind === "mail");
    return mail?.kind === "mail" ? mail : null;
  }

  /** Adds a part from what a cover leaves. Null if it leaves nothing. */
  requestPart(cover: Cover, form: Form): DraftPart | null {
    const sourceIds = this.sourcesOf(cover);
    if (isBlank(cover.restTokens(), REFERENCES)) return null;
    return this.addPart({ sourceIds, request: cover.rest(), form });
  }

  /** Covers the addresses of a clause and returns the sources that it is about. */
  sourcesOf(cover: Cover): string[] {
    const paging = cover.take(["pages"]);
    const opened = cover.takeAt(["readverb"], this.start(cover.clause));
    const read = [...(opened === null ? [] : [opened]), ...cover.take(["read"])];
    for (const { argument, literals } of paging) {
      const [number] = literals;
      this.paging = { kind: argument === "all" ? "all" : "this" };
      if (argument === "page" && number?.kind === "number")
        this.paging = { kind: "page", number: number.value };
    }
    const urls = read.flatMap(urlsOf);
    if (paging.length > 0) this.#repage();
    if (urls.length === 0) return this.context;
    const ids = urls.map((url) => this.pageSource(url));
    this.context = this.gathering ? [...new Set([...this.context, ...ids])] : [...new Set(ids)];
    return this.context;
  }

  #repage(): void {
    for (const source of this.sources) {
      if (source.kind === "page" && this.context.includes(source.id)) source.paging = this.paging;
    }
  }

  pageSource(url: string): string {
    const known = this.sources.find((source) => source.kind === "page" && source.url === url);
    if (known) return known.id;
    const id = this.nextSource();
    this.needs.add("browse");
    this.sources.push({
      kind: "page",
      id,
      url,
      hops: [],
      paging: this.paging,
    });
    return id;
  }

  unknownEffect(cover: Cover): Stop {
    const words = cover.restTokens().map(({ text }) => text);
    return stop(`This model cannot "${words.slice(0, 12).join(" ")}".`, { words });
  }

  fileNamed(matches: readonly PhraseMatch[]): File | null {
    const [name] = matches.flatMap(fileNames);
    const files = this.deliveries.filter((delivery) => delivery.kind === "file");
    const found =
      name === undefined
        ? files.at(-1)
        : files.find((delivery) => delivery.kind === "file" && delivery.filename === name);
    return found?.kind === "file" ? found : null;
  }

  /** Covers phrases that stand directly after covered tokens, or before nothing else. */
  coverEdges(cover: Cover, types: readonly string[]): PhraseMatch[] {
    return cover.take(types, ({ from, to }) => {
      const joined =
        /^(?:and|,)$/.test(this.tokens[from - 1]?.text ?? "") && cover.isCovered(from - 2);
      if (joined) cover.cover(from - 1, from);
      // "the names on URL" are read there; "the names" are those that were found.
      const reads = this.tokens
        .slice(cover.clause.from, cover.clause.to)
        .some(({ kind }) => kind === "url");
      const isNoun = !/^(?:it|them|this|that|these|those)$/.test(this.word(from));
      const names = types.includes("object") && (this.word(to) === "of" || (reads && isNoun));
      return from > cover.clause.from && !names && (joined || cover.isCovered(from - 1));
    });
  }
}

/** Returns the addresses of a phrase. */
export function urlsOf({ literals }: PhraseMatch): string[] {
  return literals.flatMap((token) => (token.kind === "url" ? [token.url] : []));
}

/** Returns the names of files of a phrase. */
export function fileNames({ literals }: PhraseMatch): string[] {
  return literals.flatMap((token) => (token.kind === "file" ? [token.name] : []));
}

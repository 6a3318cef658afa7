import type { JsonObject } from "../../../../contract/json.ts";
import type {
  Condition,
  Delivery,
  DraftPart,
  Form,
  Hop,
  Origin,
  Paging,
  Refusal,
  Source,
} from "../program.ts";
import { literalsIn } from "../text/phrases.ts";
import { type Token, wordOf } from "../text/tokens.ts";
import { isBlank } from "./blank.ts";
import { type Clause, verbAt } from "./clauses.ts";
import type { Cover } from "./cover.ts";

/** Words that name what was found before, and say nothing else. */
export const REFERENCES = ["pronoun", "show", "and", "only", "but"];
export type File = Extract<Delivery, { kind: "file" }>;
export type Mail = Extract<Delivery, { kind: "mail" }>;
type Bare<T> = T extends unknown ? Omit<T, "id" | "when" | "origin"> : never;

/** Why the reading of instructions ends, with a question if an answer can mend it. */
export interface Stop {
  refusal: Refusal;
  question: string | null;
}

/** Returns a stop with a reason. */
export function stop(
  reason: string,
  options: { words?: string[]; question?: string; suggestion?: string } = {},
): Stop {
  const { words = [], question = null, suggestion = null } = options;
  return { refusal: { reason, understood: [], words, suggestion }, question };
}

/** What the clauses of a prompt have asked for so far, and what every kind of clause does with it. */
export class DraftState {
  readonly tokens: readonly Token[];
  readonly inputs: JsonObject | null;
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
  /** Parts since the last delivery, which "it" and "them" name. */
  fresh: string[] = [];
  /** Whether the last part may be continued by a step: "sort it by price". */
  lastWeak = false;

  constructor(tokens: readonly Token[], inputs: JsonObject | null, answered: readonly string[]) {
    this.tokens = tokens;
    this.inputs = inputs;
    this.answered = answered;
  }

  addPart(asked: Omit<DraftPart, "id">): DraftPart {
    const part: DraftPart = { id: `p${this.parts.length + 1}`, ...asked };
    this.parts.push(part);
    this.fresh.push(part.id);
    return part;
  }

  /** Adds a delivery that a clause asks for, under the condition that was said before. */
  deliver({ from, to }: Clause, needs: string, delivery: Bare<Delivery>): void {
    const id = `d${this.deliveries.length + 1}`;
    this.needs.add(needs);
    this.deliveries.push({ ...delivery, id, when: this.condition, origin: { from, to } });
  }

  /** Returns these parts, or the last one if there are none. */
  lastPartsOr(parts: readonly string[]): string[] {
    return parts.length > 0 ? [...parts] : this.parts.slice(-1).map(({ id }) => id);
  }

  textOf(ranges: readonly Origin[]): string {
    const own = ranges.flatMap(({ from, to }) => this.tokens.slice(from, to));
    return own
      .map(({ text }) => text)
      .join(" ")
      .replace(/\s+/g, " ")
      .trim();
  }

  nextSource(): string {
    return `s${this.sources.length + 1}`;
  }

  /** Returns the first token of a clause that is not a filler such as "then" or "please". */
  start({ from, to }: Origin): number {
    const at = this.tokens.findIndex(
      (token, place) =>
        place >= from &&
        (!isBlank([token], ["and"]) ||
          // "let EMAIL know" is a verb around its object.
          this.tokens[place + 1]?.kind === "email" ||
          verbAt(this.tokens, place) !== null),
    );
    return at < 0 || at >= to ? from : at;
  }

  word(at: number): string {
    return wordOf(this.tokens[at]);
  }

  lastMail(): Mail | null {
    return this.deliveries.findLast((delivery) => delivery.kind === "mail") ?? null;
  }

  /** Returns the file of a name, or the last one. */
  fileNamed(name: string | undefined): File | null {
    const files = this.deliveries.filter((delivery) => delivery.kind === "file");
    const found = name === undefined ? files.at(-1) : files.find((one) => one.filename === name);
    return found ?? null;
  }

  /** Adds a part from what a cover leaves. Null if it leaves nothing. */
  requestPart(cover: Cover, form: Form): DraftPart | null {
    const sourceIds = this.sourcesOf(cover);
    if (isBlank(cover.restTokens(), REFERENCES)) return null;
    return this.addPart({ sourceIds, request: cover.rest(), form });
  }

  /** Covers the addresses of a clause and returns the sources that it is about. */
  sourcesOf(cover: Cover): string[] {
    const paging = cover.take("pages");
    const opened = cover.takeAt("readverb", this.start(cover.clause));
    const read = [...(opened === null ? [] : [opened]), ...cover.take("read")];
    for (const match of paging) {
      const number = literalsIn([match], "number")[0]?.value ?? 1;
      const [kind, count = number] = match.argument.split(" ");
      if (kind === "first") this.paging = { kind, count: Number(count) };
      else
        this.paging =
          kind === "page" ? { kind, number } : { kind: kind === "all" ? "all" : "this" };
    }
    for (const source of paging.length > 0 ? this.#pages() : []) source.paging = this.paging;
    const ids = literalsIn(read, "url").map(({ url }) => this.pageSource(url));
    if (ids.length === 0) return this.context;
    this.context = [...new Set([...(this.gathering ? this.context : []), ...ids])];
    return this.context;
  }

  #pages(): Extract<Source, { kind: "page" }>[] {
    const pages = this.sources.filter((source) => source.kind === "page");
    return pages.filter(({ id }) => this.context.includes(id));
  }

  pageSource(url: string): string {
    const known = this.sources.find((source) => source.kind === "page" && source.url === url);
    if (known) return known.id;
    const id = this.nextSource();
    this.needs.add("browse");
    this.sources.push({ kind: "page", id, url, hops: [], paging: this.paging });
    return id;
  }

  /** Adds a link to open to the pages of the context, or to copies if parts are about the pages. */
  follow(hop: Hop): Stop | null {
    const pages = this.#pages();
    if (pages.length === 0) {
      const suggestion = "Name its address.";
      return stop("It is not clear on which page the link is.", { suggestion });
    }
    this.gathering = true;
    this.context = pages.map((page) => {
      const hops = [...page.hops, hop];
      if (this.parts.every(({ sourceIds }) => !sourceIds.includes(page.id))) {
        page.hops = hops;
        return page.id;
      }
      const copy = { ...page, id: this.nextSource(), hops };
      this.sources.push(copy);
      return copy.id;
    });
    return null;
  }

  unknownEffect(cover: Cover): Stop {
    const words = cover.restTokens().map(({ text }) => text);
    return stop(`This model cannot "${words.slice(0, 12).join(" ")}".`, { words });
  }

  /**
   * Covers phrases for what was found before, directly after covered tokens: "send it", "and it". Returns
   * whether one of them means a file: by its noun, or as a pronoun right after a file was made.
   */
  coverObjects(cover: Cover, types: string): boolean {
    const reads = cover.own().some(({ kind }) => kind === "url");
    const isObject = ({ from, to }: Origin) => {
      const isJoined = /^(?:and|,)$/.test(this.tokens[from - 1]?.text ?? "");
      // "the names on URL" are read there; "the names" are those that were found.
      const isNoun = !/^(?:it|them|this|that|these|those)$/.test(this.word(from));
      const names = types === "object" && (this.word(to) === "of" || (reads && isNoun));
      const follows = isJoined || cover.isCovered(from - 1);
      if (names || !follows || from <= cover.clause.from) return false;
      if (isJoined) cover.cover(from - 1, from);
      return true;
    };
    const isAfterFile = this.deliveries.at(-1)?.kind === "file";
    const isPronoun = (text: string) => isAfterFile && /^(?:it|this|that)$/i.test(text);
    return cover.take(types, isObject).some((match) => {
      const text = this.textOf([match]);
      return isPronoun(text) || /\b(?:file|workbook|spreadsheet|csv)\b/i.test(text);
    });
  }
}

import type { Json } from "../../../../contract/json.ts";
import { type Patch, patchOf } from "../messages/patch.ts";
import type {
  Condition,
  Delivery,
  Draft,
  DraftPart,
  Form,
  Hop,
  Origin,
  Paging,
  Program,
  RequestBody,
  Source,
  Surroundings,
  Template,
} from "../program.ts";
import type { PhraseMatch } from "../text/phrases.ts";
import type { Token } from "../text/tokens.ts";
import { isBlank } from "./blank.ts";
import { type Clause, clausesOf, verbAt } from "./clauses.ts";
import type { Shown } from "./comparison.ts";
import { Cover } from "./cover.ts";
import { filledBody } from "./holes.ts";
import { eachThing, type HopReading, hopOf } from "./hops.ts";
import { type Stop, stop } from "./stop.ts";

const REFERENCES = ["pronoun", "show", "and", "only", "but"];
type File = Extract<Delivery, { kind: "file" }>;
type Mail = Extract<Delivery, { kind: "mail" }>;

/** Turns the clauses of a prompt into sources, parts and deliveries, before anything is read. */
export class Drafter {
  readonly #tokens: readonly Token[];
  readonly #surroundings: Surroundings;
  readonly #sources: Source[] = [];
  readonly #parts: DraftPart[] = [];
  readonly #deliveries: Delivery[] = [];
  readonly #needs = new Set<string>();
  /** The sources that a clause without an address is about. */
  #context: string[] = [];
  /** Whether the last clause only named sources, so that the next one adds to them. */
  #gathering = false;
  #paging: Paging = { kind: "unsaid" };
  /** The condition of the effects that follow. */
  #condition: Condition | null = null;
  /** E-mail addresses in answers to questions. */
  readonly #answered: readonly string[];
  /** Whether a comparison is announced whose kind no clause has said yet. */
  #comparing = false;
  /** The things of a clause such as "for each animal", whose pages a later clause opens. */
  #each: string | null = null;
  /** Parts since the last delivery, which "it" and "them" name. */
  #fresh: string[] = [];
  /** Whether the last part may be continued by a step: "sort it by price". */
  #lastWeak = false;
  program: Program | null = null;

  /** Whether a message stops everything. */
  isStopped = false;
  readonly #turns: readonly (readonly Token[])[];

  constructor(
    turns: readonly (readonly Token[])[],
    surroundings: Surroundings,
    answered: readonly string[] = [],
  ) {
    this.#answered = answered;
    this.#turns = turns;
    this.#tokens = turns.flat();
    this.#surroundings = surroundings;
  }

  /** Reads all clauses. Returns why the prompt is not accepted, or null. */
  read(): Stop | null {
    this.#inlineSources();
    let offset = 0;
    for (const [turn, tokens] of this.#turns.entries()) {
      for (const { from, to, opens } of clausesOf(tokens)) {
        const clause = { from: from + offset, to: to + offset, opens };
        const stopped =
          turn === 0 ? this.#clause(clause) : this.#patch(patchOf(this.#tokens, clause));
        if (stopped !== null) return stopped;
        if (this.isStopped) return null;
      }
      offset += tokens.length;
    }
    return this.#finish();
  }

  /** Applies a clause of a message. */
  #patch(patch: Patch): Stop | null {
    const mail = this.#lastMail();
    const last = this.#parts.at(-1);
    switch (patch.kind) {
      case "nothing":
        return null;
      case "stop":
        this.isStopped = true;
        return null;
      case "add":
        return this.#clause(patch.clause);
      case "retract": {
        const kept = this.#deliveries.filter(({ kind }) => kind !== patch.what);
        if (kept.length === this.#deliveries.length)
          return stop(`There is no ${patch.what} to take back.`);
        this.#deliveries.splice(0, this.#deliveries.length, ...kept);
        return null;
      }
      case "subject":
        if (mail === null) return stop("There is no e-mail whose subject could change.");
        mail.subject = patch.subject;
        mail.says = sayMail(mail);
        return null;
      case "recipients":
        if (mail === null) return stop("There is no e-mail whose recipient could change.");
        mail.to = patch.to;
        mail.says = sayMail(mail);
        return null;
      case "substitute": {
        const place = this.#placeOf(patch.old);
        if (place === null)
          return stop(`"${this.#textOf([patch.old])}" is not among what was asked.`, {
            words: [this.#textOf([patch.old])],
          });
        const { part, run, at, length } = place;
        const pieces = [{ from: run.from, to: at }, patch.by, { from: at + length, to: run.to }];
        part.request = part.request.flatMap((range) =>
          range === run ? pieces.filter(({ from, to }) => to > from) : [range],
        );
        return null;
      }
      case "refine":
        if (last === undefined) return stop("There is nothing to refine.");
        last.request = [...last.request, patch.words];
        return null;
    }
  }

  /** Finds words in the request of a part, the last part first. */
  #placeOf(old: Origin): { part: DraftPart; run: Origin; at: number; length: number } | null {
    const wanted = this.#tokens.slice(old.from, old.to).map(({ text }) => text.toLowerCase());
    for (const part of this.#parts.toReversed()) {
      for (const run of part.request) {
        for (let at = run.from; at + wanted.length <= run.to; at += 1) {
          const matches = wanted.every(
            (text, offset) => this.#tokens[at + offset]?.text.toLowerCase() === text,
          );
          if (matches) return { part, run, at, length: wanted.length };
        }
      }
    }
    return null;
  }

  says(): string[] {
    return this.#deliveries.map(({ says }) => says);
  }

  draft(): Draft {
    return {
      sources: this.#sources,
      deliveries: this.#deliveries,
      says: [
        ...this.#sources.flatMap((source) =>
          source.kind === "page" ? [`read ${source.url}${source.hops.map(sayHop).join("")}`] : [],
        ),
        ...this.#parts.map(({ request }) => `answer "${this.#textOf(request)}"`),
        ...this.says(),
      ],
      needs: [...this.#needs],
      parts: this.#parts,
    };
  }

  #textOf(ranges: readonly Origin[]): string {
    return ranges
      .map(({ from, to }) =>
        this.#tokens
          .slice(from, to)
          .map(({ text }) => text)
          .join(" "),
      )
      .join(" ")
      .replace(/\s+/g, " ")
      .trim();
  }

  #inlineSources(): void {
    for (const token of this.#tokens) {
      if (token.kind !== "data") continue;
      this.#sources.push({
        kind: "inline",
        id: this.#nextSource(),
        data: token.data,
        format: token.format,
      });
    }
  }

  #nextSource(): string {
    return `s${this.#sources.length + 1}`;
  }

  #clause(clause: Clause): Stop | null {
    const cover = new Cover(this.#tokens, clause);
    const prohibits = this.#prohibition(clause);
    if (prohibits !== null) return prohibits === "kept" ? null : prohibits;
    cover.take(["intro"]);
    const start = this.#start({ ...clause, from: this.#coverPurpose(cover) });
    if (
      this.#word(start) === "subject" ||
      (this.#word(start) === "the" && this.#word(start + 1) === "subject")
    )
      return this.#subjectClause(clause);
    const condition = cover.takeAt(["condition"], start);
    if (condition !== null) return this.#conditionClause(cover, condition);
    const isEffect = verbAt(this.#tokens, start)?.kind === "effect";
    const hasEmail = this.#tokens
      .slice(clause.from, clause.to)
      .some(({ kind }) => kind === "email");
    if (hasEmail && this.#copies(clause, start)) return null;
    if (hasEmail || this.#isMail(start, clause)) return this.#mailClause(cover, start);
    if (this.#isRequest(start, clause)) return this.#requestClause(cover, start);
    if (this.#continuesMail(start, clause)) return this.#attachClause(cover);
    const hop = this.#hopClause(clause, start);
    return hop === "none" ? this.#dataClause(cover, start, isEffect) : hop;
  }

  /** "and put Bob in cc": adds a copy to the last e-mail. */
  #copies({ from, to }: Clause, start: number): boolean {
    const mail = this.#lastMail();
    const words = this.#tokens.slice(from, to);
    const isCopy =
      words.some(({ text }) => /^(?:cc|copy)$/i.test(text)) &&
      /^(?:put|add|copy|cc|with|in)$/.test(this.#word(start));
    const copies = words.flatMap((token) => (token.kind === "email" ? [token.address] : []));
    if (!isCopy || mail === null || copies.length === 0 || mail.origin.to < from - 4) return false;
    const rest = words.slice(
      words.findLastIndex(({ text, kind }) => kind === "email" || /^(?:cc|copy)$/i.test(text)) + 1,
    );
    const at = rest.findIndex(({ text }) => text.toLowerCase() === "subject");
    const subject = at < 0 ? "" : this.#subjectAfter(to - rest.length + at + 1, to);
    if (subject !== "") mail.subject = subject;
    else if (!isBlank(rest)) return false;
    mail.cc.push(...copies);
    mail.says = sayMail(mail);
    return true;
  }

  /** "Otherwise don't send anything": nothing is done, unless it contradicts what was planned. */
  #prohibition({ from, to }: Clause): Stop | "kept" | null {
    const words = this.#tokens
      .slice(from, to)
      .map(({ text }) => text.toLowerCase().replaceAll("’", "'"))
      .filter((text) => /\p{L}/u.test(text));
    const said = words
      .join(" ")
      .replace(/^(?:but|and|please|if not|otherwise|else) /, "")
      .replace(/^(?:but|and|please|if not|otherwise|else) /, "");
    if (/^(?:do )?nothing(?: else)?$|^(?:otherwise|if not)$/.test(said)) return "kept";
    if (!/^(?:don't|do not|never|no need to) /.test(said)) return null;
    const kind = /\b(?:mail|email|e-mail|message|send)\b/.test(said)
      ? "mail"
      : /\b(?:post|request)\b/.test(said)
        ? "request"
        : /\b(?:save|file|write)\b/.test(said)
          ? "file"
          : null;
    if (kind === null) return stop(`"${said}" was not understood.`, { words: [said] });
    const planned = this.#deliveries.some(
      (delivery) => delivery.kind === kind && delivery.when === null,
    );
    return planned ? stop("The prompt asks for something and forbids it.") : "kept";
  }

  /** Covers "for our ticket system:" at the beginning of a clause, and returns where the clause goes on. */
  #coverPurpose(cover: Cover): number {
    const { from, to } = cover.clause;
    let at = from;
    while (at < to && isBlank(this.#tokens.slice(at, at + 1)) && this.#word(at) !== "for") at += 1;
    if (this.#word(at) !== "for" || !/^(?:our|my|the|a)$/.test(this.#word(at + 1))) return from;
    for (let end = at + 3; end <= Math.min(at + 5, to); end += 1) {
      const token = this.#tokens[end];
      if (this.#tokens.slice(at, end).some(({ kind }) => kind !== "word")) break;
      const isMark = token?.kind === "mark" && /^[:,]$/.test(token.mark);
      if (
        isMark ||
        (/^(?:our|my)$/.test(this.#word(at + 1)) &&
          /^(?:i|we|please|give|show|list)$/.test(this.#word(end)))
      ) {
        cover.cover(from, end);
        return end;
      }
    }
    return from;
  }

  /** "Subject: Goods of today", "the subject should be Tips". */
  #subjectClause({ from, to }: Clause): Stop | null {
    const mail = this.#lastMail();
    const at = this.#tokens.findIndex(
      (token, index) => index >= from && token.text.toLowerCase() === "subject",
    );
    const subject = this.#subjectAfter(at + 1, to);
    if (mail === null || subject === "")
      return stop("It is not clear of which e-mail that is the subject.");
    mail.subject = subject;
    mail.says = sayMail(mail);
    return null;
  }

  /** Returns the text that follows the word "subject". */
  #subjectAfter(from: number, to: number): string {
    let at = from;
    while (at < to && /^(?:line|is|:|should|must|be|reads)$/i.test(this.#tokens[at]?.text ?? ""))
      at += 1;
    const quote = this.#tokens[at];
    if (quote?.kind === "quote")
      return at + 1 === to || this.#tokens[at + 1]?.kind === "mark" ? quote.value : "";
    return this.#tokens
      .slice(at, to)
      .map(({ text }) => text)
      .join(" ")
      .replace(/ (?=[,.:;!?'’])/g, "")
      .replace(/[,;]$/, "");
  }

  /** Adds the links that a clause opens to the sources that it is about. */
  #hopClause(clause: Clause, start: number): Stop | null | "none" {
    const end = this.#hopEnd(clause, start);
    const own: Clause = { ...clause, to: end };
    const cover = new Cover(this.#tokens, own);
    const before = cover.take(["read", "pages"]).length;
    const thing = eachThing(cover.restTokens());
    const reading =
      hopOf(cover.restTokens(), before > 0) ?? hopOf(this.#tokens.slice(start, end), false);
    if (thing === null && reading === null) return "none";
    this.#sourcesOf(new Cover(this.#tokens, own));
    if (thing !== null) this.#each = thing;
    else {
      const stopped = this.#follow(reading);
      if (stopped !== null) return stopped;
    }
    return end < clause.to ? this.#clause({ from: end, to: clause.to, opens: false }) : null;
  }

  /** Returns where what is opened ends: at a comma or "and" after its verb. */
  #hopEnd({ to }: Clause, start: number): number {
    const stops = this.#tokens
      .slice(start, to)
      .findIndex(({ text }, index) => index > 0 && /^(?:,|and|then)$/i.test(text));
    return stops < 0 ? to : start + stops;
  }

  #follow(reading: HopReading | null): Stop | null {
    const hop = reading?.kind === "hop" ? reading.hop : this.#ownPages();
    if (hop === null) return stop("It is not clear whose pages are to be opened.");
    const sources = this.#sources.filter(
      (source) => source.kind === "page" && this.#context.includes(source.id),
    );
    if (sources.length === 0) {
      return stop("It is not clear on which page the link is.", {
        suggestion: "Name its address.",
      });
    }
    this.#context = sources.map((source) => this.#withHop(source, hop));
    this.#gathering = true;
    return null;
  }

  #ownPages(): Hop | null {
    const words = this.#each;
    this.#each = null;
    return words === null ? null : { which: "each", words };
  }

  /** Adds a hop to a source, or to a copy if a part is about the page itself. */
  #withHop(source: Source, hop: Hop): string {
    if (source.kind !== "page") return source.id;
    const isUsed = this.#parts.some(({ sourceIds }) => sourceIds.includes(source.id));
    if (!isUsed) {
      source.hops = [...source.hops, hop];
      return source.id;
    }
    const copy: Source = { ...source, id: this.#nextSource(), hops: [...source.hops, hop] };
    this.#sources.push(copy);
    return copy.id;
  }

  /** Returns the first token of a clause that is not a filler such as "then" or "please". */
  #start({ from, to }: Clause): number {
    let at = from;
    while (
      at < to &&
      isBlank(this.#tokens.slice(at, at + 1), ["and"]) &&
      verbAt(this.#tokens, at) === null
    )
      at += 1;
    return at < to ? at : from;
  }

  #word(at: number): string {
    const token = this.#tokens[at];
    return token?.kind === "word" ? token.word : "";
  }

  #isMail(start: number, { to }: Clause): boolean {
    const first = this.#word(start);
    const second = this.#tokens[start + 1]?.text.toLowerCase() ?? "";
    if (first === "email" && /^(?:and|or|address|addresses|of|,|\.|\?)$/.test(second)) return false;
    if (/^(?:email|notify|forward|inform|alert)$/.test(first)) return true;
    const next = this.#tokens
      .slice(start, Math.min(to, start + 5))
      .map((token) => (token.kind === "word" ? token.word : ""));
    return (
      /^(?:send|write|compose|mail)$/.test(first) &&
      next.some((word) => /^(?:email|mail)$/.test(word))
    );
  }

  #isRequest(start: number, { to }: Clause): boolean {
    const first = this.#word(start);
    const hasUrl = this.#tokens.slice(start, to).some(({ kind }) => kind === "url");
    if (/^(?:post|submit|patch|delete|push)$/.test(first)) return hasUrl;
    if (first === "put")
      return hasUrl && this.#tokens.slice(start, to).some(({ kind }) => kind === "data");
    const words = this.#tokens.slice(start, start + 6).map((token) => token.text.toLowerCase());
    if (/^(?:make|do|perform|issue)$/.test(first)) {
      return (
        hasUrl &&
        words.some((word) => /^(?:post|put|patch|delete)$/.test(word)) &&
        words.includes("request")
      );
    }
    if (!/^(?:send|deliver)$/.test(first) || !hasUrl) return false;
    const last = this.#tokens.slice(start, to).findLastIndex(({ kind }) => kind === "url") + start;
    return /^(?:to|at|webhook|endpoint|api|hook)$/.test(this.#word(last - 1));
  }

  #continuesMail(start: number, _: Clause): boolean {
    return this.#word(start) === "attach" && this.#lastMail() !== null;
  }

  #lastMail(): Mail | null {
    const mail = this.#deliveries.findLast((delivery) => delivery.kind === "mail");
    return mail?.kind === "mail" ? mail : null;
  }

  #conditionClause(cover: Cover, condition: PhraseMatch): Stop | null {
    const part = this.#requestPart(cover, "auto");
    if (part === null) return stop("It is not clear what the condition is.");
    if ("refusal" in part) return part;
    const holds = condition.argument === "none" ? "none" : "some";
    const before = this.#deliveries.at(-1);
    // "mail it, but only if ...": the condition follows its effect.
    if (
      !cover.clause.opens &&
      before !== undefined &&
      before.origin.to >= cover.clause.from - 3 &&
      before.when === null
    ) {
      before.when = { part: part.id, holds };
      this.#fresh = this.#fresh.filter((id) => id !== part.id);
      return null;
    }
    this.#condition = { part: part.id, holds: condition.argument === "none" ? "none" : "some" };
    return null;
  }

  /** Adds a part from what a cover leaves. Null if it leaves nothing. */
  #requestPart(cover: Cover, form: Form): DraftPart | Stop | null {
    const sourceIds = this.#sourcesOf(cover);
    if (isBlank(cover.restTokens(), REFERENCES)) return null;
    const part: DraftPart = {
      id: `p${this.#parts.length + 1}`,
      sourceIds,
      request: cover.rest(),
      form,
      name: null,
    };
    this.#parts.push(part);
    this.#fresh.push(part.id);
    return part;
  }

  /** Covers the addresses of a clause and returns the sources that it is about. */
  #sourcesOf(cover: Cover): string[] {
    const paging = cover.take(["pages"]);
    const opened = cover.takeAt(["readverb"], this.#start(cover.clause));
    const read = [...(opened === null ? [] : [opened]), ...cover.take(["read"])];
    for (const { argument } of paging) this.#paging = { kind: argument === "all" ? "all" : "this" };
    const urls = read.flatMap(({ literals }) =>
      literals.flatMap((token) => (token.kind === "url" ? [token.url] : [])),
    );
    if (paging.length > 0) this.#repage();
    if (urls.length === 0) return this.#context;
    const ids = urls.map((url) => this.#pageSource(url));
    this.#context = this.#gathering ? [...new Set([...this.#context, ...ids])] : [...new Set(ids)];
    return this.#context;
  }

  #repage(): void {
    for (const source of this.#sources) {
      if (source.kind === "page" && this.#context.includes(source.id)) source.paging = this.#paging;
    }
  }

  #pageSource(url: string): string {
    const known = this.#sources.find((source) => source.kind === "page" && source.url === url);
    if (known) return known.id;
    const id = this.#nextSource();
    this.#needs.add("browse");
    this.#sources.push({
      kind: "page",
      id,
      url,
      tool: "browse",
      headers: {},
      hops: [],
      paging: this.#paging,
      render: false,
      anyStatus: false,
      actions: [],
    });
    return id;
  }

  #dataClause(cover: Cover, start: number, isEffect: boolean): Stop | null {
    const files = this.#files(cover, start);
    if (files.length > 0) this.#coverEdges(cover, ["listing"]);
    const forms = cover.take(["form"]);
    const form = formOf(forms);
    for (const at of this.#dataTokens(cover.clause)) cover.cover(at, at + 1);
    const before = this.#context;
    const comparison = this.#isOfTwo(cover.clause) ? this.#comparison(cover, start) : null;
    const sourceIds = this.#sourcesOf(cover);
    const rest = cover.restTokens();
    const compared = comparison === "any" ? this.#announced(cover) : comparison;
    if (compared !== null) return this.#compareClause(cover, form, compared, sourceIds);
    const named = sourceIds !== before || this.#dataTokens(cover.clause).length > 0;
    const unnamed = this.#deliveries.at(-1);
    const name = files.flatMap(({ literals }) =>
      literals.flatMap((token) => (token.kind === "file" ? [token.name] : [])),
    )[0];
    // "Name it people.xlsx": the file that was asked for before.
    if (
      /^(?:name|call|title)$/.test(this.#word(start)) &&
      unnamed?.kind === "file" &&
      unnamed.filename === null &&
      name !== undefined
    ) {
      if (formatOf(name, undefined) !== unnamed.format)
        return stop(`${name} is no ${unnamed.format} file.`);
      unnamed.filename = name;
      unnamed.says = `write ${name}`;
      return null;
    }
    if (isBlank(rest, [...REFERENCES, "row"])) {
      if (files.length > 0) return this.#saveAll(files, cover);
      return this.#blankClause(cover, start, form, named);
    }
    this.#gathering = false;
    const verb = verbAt(this.#tokens, start);
    const last = this.#parts.at(-1);
    const continues =
      verb?.kind === "step" || this.#completesGroup(start) || this.#addsUp(cover, start);
    if (continues && last !== undefined && (this.#lastWeak || this.#isStep(last))) {
      last.request = [...last.request, ...cover.rest()];
      last.sourceIds = sourceIds;
      if (form !== "auto") last.form = form;
      if (!this.#fresh.includes(last.id)) this.#fresh.push(last.id);
      return files.length > 0 ? this.#save(files, [last.id], cover) : null;
    }
    const unknownEffect =
      isEffect &&
      this.#governs(start) &&
      files.length === 0 &&
      !/^(?:write|make|create|send|text|put|save)$/.test(this.#word(start));
    if (unknownEffect) return this.#unknownEffect(cover);
    this.#lastWeak = false;
    const part = this.#requestPart(cover, form);
    if (part === null) return null;
    if ("refusal" in part) return part;
    part.sourceIds = sourceIds;
    return files.length > 0 ? this.#save(files, [part.id], cover) : null;
  }

  /** "sum them up" after "how many homes were hit". */
  #addsUp(cover: Cover, start: number): boolean {
    const words = this.#tokens
      .slice(start, cover.clause.to)
      .filter((_, index) => !cover.isCovered(start + index))
      .map(({ text }) => text.toLowerCase());
    return (
      /^(?:sum|add|total) (?:them|it|these|those|all|everything)(?: all)?(?: up| together)?$/.test(
        words.filter((word) => /\p{L}/u.test(word)).join(" "),
      ) && this.#parts.length > 0
    );
  }

  /** Whether a word that may be a noun is a verb: "phone Ann", not "phone number". */
  #governs(start: number): boolean {
    if (
      !/^(?:phone|book|order|text|message|share|call|schedule|register|post|update|alert|reply|invite|transfer|subscribe|sign|mail|email|refund|charge|release|change|set|log|mark|like|ask|move|copy|block|vote|buy|cancel|edit|store|export|import|create|attach|reserve|approve)$/.test(
        this.#word(start),
      )
    )
      return true;
    const next = this.#tokens[start + 1];
    if (next === undefined) return false;
    const word = this.#word(start + 1);
    if (word === "") return next.kind !== "mark";
    if (/^(?:refund|cancel|approve|buy|reserve|reject)$/.test(this.#word(start)))
      return !/^(?:of|for|and|policy|amounts?|dates?)$/.test(word);
    return (
      /^(?:the|a|an|it|them|this|that|those|me|us|him|her|for|my|our|all|up|to)$/.test(word) ||
      /^\p{Lu}/u.test(next.text)
    );
  }

  /** Whether a clause is about two pages. */
  #isOfTwo({ from, to }: Clause): boolean {
    const urls = this.#tokens
      .slice(from, to)
      .flatMap((token) => (token.kind === "url" ? [token.url] : []));
    const known = urls.length === 0 || this.#gathering ? this.#context.length : 0;
    return new Set(urls).size + known === 2;
  }

  /** Returns what a clause compares, if it does; a mere "compare" waits for the clause that says it. */
  #comparison(cover: Cover, start: number): Shown | "any" | null {
    const opened = cover.takeAt(["comparing"], start);
    const [shown] = cover.take(["compare"]);
    const urls =
      shown?.literals.flatMap((token) => (token.kind === "url" ? [token.url] : [])) ?? [];
    if (urls.length === 2) this.#context = urls.map((url) => this.#pageSource(url));
    if (shown !== undefined) return SHOWN.find((kind) => kind === shown.argument) ?? null;
    return opened === null ? null : "any";
  }

  /** "Compare A with B" waits for what is compared; "compare the prices of A and B" says it. */
  #announced(cover: Cover): Shown | null {
    this.#comparing = true;
    return isBlank(cover.restTokens(), REFERENCES) ? null : "all";
  }

  #compareClause(
    cover: Cover,
    form: Form,
    comparison: Shown,
    sourceIds: readonly string[],
  ): Stop | null {
    this.#gathering = false;
    this.#comparing = false;
    const part: DraftPart = {
      id: `p${this.#parts.length + 1}`,
      sourceIds: [...sourceIds],
      request: cover.rest(),
      form,
      name: null,
      comparison,
    };
    this.#parts.push(part);
    this.#fresh.push(part.id);
    return null;
  }

  /** "group them by kind and count them": the figure belongs to the groups. */
  #completesGroup(start: number): boolean {
    const runs = this.#parts.at(-1)?.request ?? [];
    const grouping = runs
      .map((run) => this.#word(this.#start({ ...run, opens: false })))
      .find((word) => word === "group");
    return (
      grouping === "group" &&
      /^(?:count|sum|average|add|calculate|compute|give|show|tell|total|how)$/.test(
        this.#word(start),
      )
    );
  }

  #unknownEffect(cover: Cover): Stop {
    const words = cover.restTokens().map(({ text }) => text);
    return stop(`This model cannot "${words.slice(0, 12).join(" ")}".`, { words });
  }

  /** Whether a part began with a step, so that further steps continue it. */
  #isStep({ request }: DraftPart): boolean {
    const first = request[0];
    if (first === undefined) return false;
    return (
      verbAt(this.#tokens, this.#start({ from: first.from, to: first.to, opens: true }))?.kind ===
        "step" || this.#steppable
    );
  }

  get #steppable(): boolean {
    const last = this.#parts.at(-1);
    const first = last?.request[0];
    if (first === undefined) return false;
    const verb = verbAt(this.#tokens, this.#start({ from: first.from, to: first.to, opens: true }));
    const word = this.#word(this.#start({ from: first.from, to: first.to, opens: true }));
    return (
      verb?.kind !== "query" ||
      /^(?:list|show|give|find|get|extract|return|display|collect|pick|select|take)$/.test(word)
    );
  }

  #dataTokens({ from, to }: Clause): number[] {
    const found: number[] = [];
    for (let at = from; at < to; at += 1) if (this.#tokens[at]?.kind === "data") found.push(at);
    return found;
  }

  /** A clause that only names sources, or asks for the whole table. */
  #blankClause(cover: Cover, start: number, form: Form, named: boolean): Stop | null {
    const word = this.#word(start);
    const wantsTable =
      /^(?:extract|list|show|give|get|return|display|output|convert|scrape|provide|print)$/.test(
        word,
      );
    // "Is URL up?" asks something, though all its words may pass for filler.
    if (/^(?:is|are|was|were|does|do|did|has|have|can|will|how|why|when|where|who)$/.test(word)) {
      return stop("It is not clear what is asked.", {
        words: cover.restTokens().map(({ text }) => text),
      });
    }
    const last = this.#parts.at(-1);
    // "Get URL" alone only reads.
    const onlyReads =
      cover.isCovered(start) ||
      cover.restTokens().filter(({ kind }) => kind !== "mark").length <= 1;
    if (!wantsTable || (named && onlyReads)) {
      if (named) this.#gathering = true;
      if (form !== "auto" && last !== undefined) last.form = form;
      return null;
    }
    if (!named && last !== undefined) {
      if (form !== "auto") last.form = form;
      return null;
    }
    this.#gathering = false;
    const part: DraftPart = {
      id: `p${this.#parts.length + 1}`,
      sourceIds: this.#context,
      request: cover.rest(),
      form,
      name: null,
    };
    this.#parts.push(part);
    this.#fresh.push(part.id);
    this.#lastWeak = true;
    return null;
  }

  /** Covers the phrases that name a file, if the clause makes one. */
  #files(cover: Cover, start: number): PhraseMatch[] {
    const found = cover.take(["file"]);
    if (found.length > 0) cover.takeAt(["save"], start);
    return found;
  }

  #saveAll(files: readonly PhraseMatch[], cover: Cover): Stop | null {
    const parts = this.#fresh.length > 0 ? this.#fresh : this.#parts.slice(-1).map(({ id }) => id);
    if (parts.length > 0) return this.#save(files, parts, cover);
    // "Save the table of URL as x.csv": the whole table.
    const part: DraftPart = {
      id: `p${this.#parts.length + 1}`,
      sourceIds: this.#context,
      request: cover.rest(),
      form: "auto",
      name: null,
    };
    this.#parts.push(part);
    return this.#save(files, [part.id], cover);
  }

  #save(files: readonly PhraseMatch[], parts: readonly string[], { clause }: Cover): Stop | null {
    const filename =
      files.flatMap(({ literals }) =>
        literals.flatMap((token) =>
          token.kind === "file" ? [token.name] : token.kind === "quote" ? [token.value] : [],
        ),
      )[0] ?? null;
    const named = files.map(({ argument }) => argument).find((argument) => argument !== "name");
    const format = formatOf(filename, named);
    if (format === null) return stop(`This model cannot write ${filename ?? "such a file"}.`);
    if (format !== "xlsx" && parts.length > 1)
      return stop("Several results do not fit one file of that kind.", {
        suggestion: "Name one file for each, or a workbook.",
      });
    this.#needs.add(format === "xlsx" || format === "csv" ? "write_spreadsheet" : "emit_output");
    const file: File = {
      id: `d${this.#deliveries.length + 1}`,
      says: `write ${filename ?? `a ${format} file`}`,
      when: this.#condition,
      origin: { from: clause.from, to: clause.to },
      kind: "file",
      format,
      filename,
      sheets: parts.map((part) => ({ name: null, part })),
    };
    this.#deliveries.push(file);
    return null;
  }

  #attachClause(cover: Cover): Stop | null {
    const mail = this.#lastMail();
    const found = cover.take(["attach", "object"]);
    if (mail === null || !isBlank(cover.restTokens(), REFERENCES))
      return this.#unknownEffect(cover);
    const file = this.#fileNamed(found);
    if (file === null) return stop("There is no file to attach.");
    mail.attachments.push(file.id);
    return null;
  }

  #fileNamed(matches: readonly PhraseMatch[]): File | null {
    const names = matches.flatMap(({ literals }) =>
      literals.flatMap((token) => (token.kind === "file" ? [token.name] : [])),
    );
    const files = this.#deliveries.filter((delivery) => delivery.kind === "file");
    const name = names[0];
    const found =
      name === undefined
        ? files.at(-1)
        : files.find((delivery) => delivery.kind === "file" && delivery.filename === name);
    return found?.kind === "file" ? found : null;
  }

  #mailClause(cover: Cover, start: number): Stop | null {
    const opened = cover.takeAt(["mail"], start);
    const subject = cover.take(["subject"]).flatMap(quotes)[0] ?? null;
    const body = cover.take(["body"]).flatMap(quotes)[0] ?? null;
    const attach = cover.take(["attach"]);
    const cc = cover.take(["mailcc"]).flatMap(addresses);
    const targets = cover.take(["mailto"]);
    // "the workbook" is one that was made before; "as a workbook" makes one.
    const files = cover.take(
      ["file"],
      ({ argument, from }) => argument !== "name" && /^(?:as|in|into|a|an)$/.test(this.#word(from)),
    );
    if (opened !== null) cover.take(["mailvia"]);
    cover.take(["intext"]);
    const bareSubject = subject === null ? this.#bareSubject(cover) : null;
    if (targets.length > 1)
      return stop("Several e-mails in one clause are not told apart.", {
        suggestion: "Say each e-mail in a sentence of its own.",
      });
    const to = [...(opened === null ? [] : addresses(opened)), ...targets.flatMap(addresses)];
    const mailWords = opened === null ? cover.take(["mail"]) : [];
    if (opened === null && mailWords.length === 0) return this.#unknownEffect(cover);
    this.#coverEdges(cover, ["listing"]);
    const objects = this.#coverEdges(cover, ["object"]);
    this.#coverEdges(cover, ["listing"]);
    const sendsFile = objects.some(({ from, to: end }) =>
      this.#tokens
        .slice(from, end)
        .some(({ text }) => /^(?:file|workbook|spreadsheet|csv)$/i.test(text)),
    );
    if (sendsFile && this.#fileNamed([]) !== null) attach.push(...objects);
    // "email report.xlsx to Ann": a file that was made before.
    attach.push(...cover.take(["attachment"], (match) => this.#fileNamed([match]) !== null));
    const before = [...this.#fresh];
    const part = this.#requestPart(cover, "auto");
    if (part !== null && "refusal" in part) return part;
    if (to.length === 0) to.push(...this.#answered);
    if (to.length === 0) {
      return stop("The prompt does not say to which e-mail address to send it.", {
        question: "Which e-mail address should I send it to?",
      });
    }
    if (to.length > 10) return stop("An e-mail has at most ten recipients.");
    const parts = this.#mailParts(part, before);
    if (parts.length === 0 && body === null)
      return stop("It is not clear what the e-mail should say.");
    const attachments: string[] = [];
    if (files.length > 0) {
      const saved = this.#save(files, parts, cover);
      if (saved !== null) return saved;
      attachments.push(this.#fileNamed([])?.id ?? "");
    } else if (attach.length > 0) {
      const file = this.#fileNamed(attach);
      if (file === null)
        return stop("There is no file to attach.", { suggestion: "Say which file to make first." });
      attachments.push(file.id);
    }
    const template: Template = [
      ...(body === null ? [] : [{ text: body }]),
      ...parts.map((id) => ({ part: id })),
    ];
    this.#needs.add("send_email");
    this.#deliveries.push({
      id: `d${this.#deliveries.length + 1}`,
      says: sayMail({ to, cc, subject: subject ?? bareSubject }),
      when: this.#condition,
      origin: { from: cover.clause.from, to: cover.clause.to },
      kind: "mail",
      to,
      cc,
      subject: subject ?? bareSubject,
      body: template,
      attachments,
    });
    return null;
  }

  /** Covers ", subject Tips" to the end of the clause, and returns the subject. */
  #bareSubject(cover: Cover): string | null {
    const { from, to } = cover.clause;
    for (let at = from; at < to; at += 1) {
      if (cover.isCovered(at) || this.#word(at) !== "subject") continue;
      let end = at + 1;
      while (end < to && !cover.isCovered(end)) end += 1;
      const subject = this.#subjectAfter(at + 1, end);
      if (subject === "") return null;
      cover.cover(/^(?:the|with|and)$/.test(this.#word(at - 1)) ? at - 1 : at, end);
      return subject;
    }
    return null;
  }

  /** Returns the parts that a mail tells: its own, else those before it that were not delivered yet. */
  #mailParts(own: DraftPart | null, before: readonly string[]): string[] {
    if (own !== null) return [own.id];
    if (this.#condition !== null) return [this.#condition.part];
    return before.length > 0 ? [...before] : this.#parts.slice(-1).map(({ id }) => id);
  }

  /** Covers phrases that stand directly after covered tokens, or before nothing else. */
  #coverEdges(cover: Cover, types: readonly string[]): PhraseMatch[] {
    return cover.take(types, ({ from, to }) => {
      const joined =
        /^(?:and|,)$/.test(this.#tokens[from - 1]?.text ?? "") && cover.isCovered(from - 2);
      if (joined) cover.cover(from - 1, from);
      // "the names on URL" are read there; "the names" are those that were found.
      const reads = this.#tokens
        .slice(cover.clause.from, cover.clause.to)
        .some(({ kind }) => kind === "url");
      const isNoun = !/^(?:it|them|this|that|these|those)$/.test(this.#word(from));
      const names = types.includes("object") && (this.#word(to) === "of" || (reads && isNoun));
      return from > cover.clause.from && !names && (joined || cover.isCovered(from - 1));
    });
  }

  #requestClause(cover: Cover, start: number): Stop | null {
    const opened = cover.takeAt(["request"], start) ?? cover.takeAt(["save"], start);
    if (opened === null) return this.#unknownEffect(cover);
    const method = opened.type === "request" ? opened.argument : "POST";
    const targets = cover.take(["into"]);
    if (targets.length === 0) targets.push(...cover.take(["bare"]));
    const url = targets
      .flatMap(({ literals }) =>
        literals.flatMap((token) => (token.kind === "url" ? [token.url] : [])),
      )
      .at(-1);
    const bodies = cover.take(["requestbody"]);
    cover.take(["requestform"]);
    this.#coverEdges(cover, ["object"]);
    const data = bodies.flatMap(({ literals }) => literals).find(({ kind }) => kind === "data");
    if (url === undefined || targets.length !== 1)
      return stop("It is not clear where the request goes.");
    const before = [...this.#fresh];
    const part = this.#requestPart(cover, "auto");
    if (part !== null && "refusal" in part) return part;
    const body = this.#requestBody(data, part, before, bodies.length > 0);
    if (body === null) return stop("It is not clear what the request's body is.");
    this.#needs.add("http_request");
    const known = method === "PUT" || method === "PATCH" || method === "DELETE" ? method : "POST";
    this.#deliveries.push({
      id: `d${this.#deliveries.length + 1}`,
      says: `send ${known} ${url}`,
      when: this.#condition,
      origin: { from: cover.clause.from, to: cover.clause.to },
      kind: "request",
      method: known,
      url,
      headers: {},
      body,
    });
    return null;
  }

  #requestBody(
    data: Token | undefined,
    own: DraftPart | null,
    before: readonly string[],
    said: boolean,
  ): RequestBody | null {
    if (data?.kind === "data") {
      if (own !== null || data.format !== "json") return null;
      this.#dropInline(data.data);
      const value: Json = JSON.parse(data.data);
      const parts = before.length > 0 ? before : this.#parts.slice(-1).map(({ id }) => id);
      const known = this.#parts.filter(({ id }) => parts.includes(id));
      return filledBody(
        value,
        known.map(({ id, request }) => ({ id, words: this.#textOf(request) })),
      );
    }
    if (own !== null) return { kind: "parts", fields: [{ name: null, part: own.id }] };
    if (said) return { kind: "none" };
    const parts = before.length > 0 ? before : this.#parts.slice(-1).map(({ id }) => id);
    const [only, second] = parts;
    if (only === undefined) return null;
    if (second === undefined) return { kind: "parts", fields: [{ name: null, part: only }] };
    return { kind: "parts", fields: parts.map((part) => ({ name: part, part })) };
  }

  /** A body is no source. */
  #dropInline(data: string): void {
    const index = this.#sources.findIndex(
      (source) => source.kind === "inline" && source.data === data,
    );
    if (index >= 0) this.#sources.splice(index, 1);
  }

  /** Gives parts without an address their source, and checks that there is something to do. */
  #finish(): Stop | null {
    if (this.#comparing) {
      return stop("It is not clear what is to be compared.", {
        suggestion: "Ask for what is on both pages, on one of them only, or what differs.",
      });
    }
    if (this.#each !== null) {
      return stop(`It is not clear what is wanted for each ${this.#each}.`);
    }
    if (this.#parts.length === 0 && this.#deliveries.length === 0) {
      if (this.#sources.length === 0)
        return stop("Nothing in the prompt says what to read.", {
          words: this.#tokens
            .filter(({ kind }) => kind === "word")
            .slice(0, 20)
            .map(({ text }) => text),
        });
      const part: DraftPart = {
        id: "p1",
        sourceIds: this.#sources.map(({ id }) => id),
        request: [],
        form: "auto",
        name: null,
      };
      this.#parts.push(part);
    }
    for (const part of this.#parts) {
      if (part.sourceIds.length > 0) continue;
      if (this.#sources.length === 0 && this.#surroundings.inputs !== null) {
        this.#sources.push({ kind: "input", id: this.#nextSource(), name: null });
      }
      part.sourceIds = this.#sources.map(({ id }) => id);
      if (part.sourceIds.length === 0) {
        return stop("The prompt does not say where to read.", {
          words: [this.#textOf(part.request)],
          suggestion: "Name the address of a page.",
        });
      }
    }
    if (this.#condition !== null && !this.#deliveries.some(({ when }) => when !== null)) {
      return stop("It is not clear what depends on the condition.");
    }
    return null;
  }
}

/** Says which links are opened from a page. */
function sayHop({ which, words }: Hop): string {
  if (which === "one") return `, open its link "${words}"`;
  return words === "" ? ", open each of its links" : `, open each of its links about "${words}"`;
}

const SHOWN: readonly Shown[] = ["added", "removed", "changed", "common", "all"];

function sayMail({ to, cc, subject }: Pick<Mail, "to" | "cc" | "subject">): string {
  const about = subject === null ? "" : ` with the subject "${subject}"`;
  return `send an e-mail to ${[...to, ...cc].join(", ")}${about}`;
}

function quotes({ literals }: PhraseMatch): string[] {
  return literals.flatMap((token) => (token.kind === "quote" ? [token.value] : []));
}

function addresses({ literals }: PhraseMatch): string[] {
  return literals.flatMap((token) => (token.kind === "email" ? [token.address] : []));
}

const FORMS: readonly Form[] = ["table", "list", "number", "json", "csv", "markdown", "text"];

function formOf(matches: readonly PhraseMatch[]): Form {
  return FORMS.find((form) => matches.some(({ argument }) => argument === form)) ?? "auto";
}

const FORMATS: Partial<Record<string, File["format"]>> = {
  xlsx: "xlsx",
  xls: "xlsx",
  csv: "csv",
  json: "json",
  md: "markdown",
  markdown: "markdown",
  txt: "text",
  text: "text",
};

function formatOf(filename: string | null, named: string | undefined): File["format"] | null {
  const extension =
    filename === null ? undefined : (/[^.]*$/.exec(filename)?.[0].toLowerCase() ?? "");
  if (extension !== undefined) return FORMATS[extension] ?? null;
  return named === undefined ? null : (FORMATS[named] ?? null);
}

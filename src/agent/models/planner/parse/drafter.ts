import type { Patch } from "../messages/patch.ts";
import { patchOf } from "../messages/patch.ts";
import type { Draft, DraftPart, Hop, Origin, Program, Surroundings } from "../program.ts";
import type { PhraseMatch } from "../text/phrases.ts";
import type { Token } from "../text/tokens.ts";
import { isBlank } from "./blank.ts";
import { type Clause, clausesOf, verbAt } from "./clauses.ts";
import { Cover } from "./cover.ts";
import { dataClause } from "./data-clauses.ts";
import { DraftState } from "./draft-state.ts";
import { eachThing, hopOf } from "./hops.ts";
import { followLinks, hopEnd } from "./link-clauses.ts";
import {
  addCopies,
  attachClause,
  isMail,
  mailClause,
  sayMail,
  subjectClause,
} from "./mail-clauses.ts";
import { isRequest, requestClause } from "./request-clauses.ts";
import { type Stop, stop } from "./stop.ts";

/** Turns the clauses of a prompt into sources, parts and deliveries, before anything is read. */
export class Drafter {
  readonly #state: DraftState;
  readonly #turns: readonly (readonly Token[])[];
  program: Program | null = null;
  /** Whether a message stops everything. */
  isStopped = false;

  constructor(
    turns: readonly (readonly Token[])[],
    surroundings: Surroundings,
    answered: readonly string[] = [],
  ) {
    this.#turns = turns;
    this.#state = new DraftState(turns.flat(), surroundings, answered);
  }

  /** Reads all clauses. Returns why the prompt is not accepted, or null. */
  read(): Stop | null {
    this.#inlineSources();
    let offset = 0;
    for (const [turn, tokens] of this.#turns.entries()) {
      for (const { from, to, opens } of clausesOf(tokens)) {
        const clause = { from: from + offset, to: to + offset, opens };
        const stopped =
          turn === 0 ? this.#clause(clause) : this.#patch(patchOf(this.#state.tokens, clause));
        if (stopped !== null) return stopped;
        if (this.isStopped) return null;
      }
      offset += tokens.length;
    }
    return this.#finish();
  }

  /** Applies a clause of a message. */
  #patch(patch: Patch): Stop | null {
    const mail = this.#state.lastMail();
    const last = this.#state.parts.at(-1);
    switch (patch.kind) {
      case "nothing":
        return null;
      case "stop":
        this.isStopped = true;
        return null;
      case "add":
        return this.#clause(patch.clause);
      case "retract": {
        const kept = this.#state.deliveries.filter(({ kind }) => kind !== patch.what);
        if (kept.length === this.#state.deliveries.length)
          return stop(`There is no ${patch.what} to take back.`);
        this.#state.deliveries.splice(0, this.#state.deliveries.length, ...kept);
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
          return stop(`"${this.#state.textOf([patch.old])}" is not among what was asked.`, {
            words: [this.#state.textOf([patch.old])],
          });
        const { part, run, at, length } = place;
        const pieces = [{ from: run.from, to: at }, patch.by, { from: at + length, to: run.to }];
        part.request = part.request.flatMap((range) =>
          range === run ? pieces.filter(({ from, to }) => to > from) : [range],
        );
        return null;
      }
      case "vary":
        if (last === undefined) return stop("There is no question to vary.");
        if (patch.instead) last.variation = patch.words;
        else {
          const { request, sourceIds, form } = last;
          this.#state.addPart({ request, sourceIds, form }).variation = patch.words;
        }
        return null;
      case "refine":
        if (last === undefined) return stop("There is nothing to refine.");
        last.request = [...last.request, patch.words];
        return null;
    }
  }

  /** Finds words in the request of a part, the last part first. */
  #placeOf(old: Origin): { part: DraftPart; run: Origin; at: number; length: number } | null {
    const wanted = this.#state.tokens.slice(old.from, old.to).map(({ text }) => text.toLowerCase());
    for (const part of this.#state.parts.toReversed()) {
      for (const run of part.request) {
        for (let at = run.from; at + wanted.length <= run.to; at += 1) {
          const matches = wanted.every(
            (text, offset) => this.#state.tokens[at + offset]?.text.toLowerCase() === text,
          );
          if (matches) return { part, run, at, length: wanted.length };
        }
      }
    }
    return null;
  }

  says(): string[] {
    return this.#state.deliveries.map(({ says }) => says);
  }

  draft(): Draft {
    return {
      sources: this.#state.sources,
      deliveries: this.#state.deliveries,
      says: [
        ...this.#state.sources.flatMap((source) =>
          source.kind === "page" ? [`read ${source.url}${source.hops.map(sayHop).join("")}`] : [],
        ),
        ...this.#state.parts.map(({ request }) => {
          const text = this.#state.textOf(request);
          return text === "" ? "show what it has" : `answer "${text}"`;
        }),
        ...this.says(),
      ],
      needs: [...this.#state.needs],
      parts: this.#state.parts,
    };
  }

  #inlineSources(): void {
    for (const token of this.#state.tokens) {
      if (token.kind !== "data") continue;
      this.#state.sources.push({
        kind: "inline",
        id: this.#state.nextSource(),
        data: token.data,
        format: token.format,
      });
    }
  }

  #clause(clause: Clause): Stop | null {
    const cover = new Cover(this.#state.tokens, clause);
    const prohibits = this.#prohibition(clause);
    if (prohibits !== null) return prohibits === "kept" ? null : prohibits;
    cover.take(["intro"]);
    const start = this.#state.start({ ...clause, from: this.#coverPurpose(cover) });
    if (
      this.#state.word(start) === "subject" ||
      (this.#state.word(start) === "the" && this.#state.word(start + 1) === "subject")
    )
      return subjectClause(this.#state, clause);
    const condition = cover.takeAt(["condition"], start);
    if (condition !== null) return this.#conditionClause(cover, condition);
    const isEffect = verbAt(this.#state.tokens, start)?.kind === "effect";
    const hasEmail = this.#state.tokens
      .slice(clause.from, clause.to)
      .some(({ kind }) => kind === "email");
    if (hasEmail && addCopies(this.#state, clause, start)) return null;
    if (hasEmail || isMail(this.#state, start, clause))
      return mailClause(this.#state, cover, start);
    if (isRequest(this.#state, start, clause)) return requestClause(this.#state, cover, start);
    if (this.#state.word(start) === "attach" && this.#state.lastMail() !== null)
      return attachClause(this.#state, cover);
    const hop = this.#hopClause(clause, start);
    return hop === "none" ? dataClause(this.#state, cover, start, isEffect) : hop;
  }

  /** "Otherwise don't send anything": nothing is done, unless it contradicts what was planned. */
  #prohibition({ from, to }: Clause): Stop | "kept" | null {
    const words = this.#state.tokens
      .slice(from, to)
      .map(({ text }) => text.toLowerCase().replaceAll("’", "'"))
      .filter((text) => /\p{L}/u.test(text));
    const said = words.join(" ").replace(/^(?:(?:but|and|please|if not|otherwise|else) ){1,2}/, "");
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
    const planned = this.#state.deliveries.some(
      (delivery) => delivery.kind === kind && delivery.when === null,
    );
    return planned ? stop("The prompt asks for something and forbids it.") : "kept";
  }

  /** Covers "for our ticket system:" at the beginning of a clause, and returns where the clause goes on. */
  #coverPurpose(cover: Cover): number {
    const { from, to } = cover.clause;
    let at = from;
    while (
      at < to &&
      isBlank(this.#state.tokens.slice(at, at + 1)) &&
      this.#state.word(at) !== "for"
    )
      at += 1;
    if (this.#state.word(at) !== "for" || !/^(?:our|my|the|a)$/.test(this.#state.word(at + 1)))
      return from;
    for (let end = at + 3; end <= Math.min(at + 5, to); end += 1) {
      const token = this.#state.tokens[end];
      if (this.#state.tokens.slice(at, end).some(({ kind }) => kind !== "word")) break;
      const isMark = token?.kind === "mark" && /^[:,]$/.test(token.mark);
      if (
        isMark ||
        (/^(?:our|my)$/.test(this.#state.word(at + 1)) &&
          /^(?:i|we|please|give|show|list)$/.test(this.#state.word(end)))
      ) {
        cover.cover(from, end);
        return end;
      }
    }
    return from;
  }

  /** Adds the links that a clause opens to the sources that it is about. */
  #hopClause(clause: Clause, start: number): Stop | null | "none" {
    const end = hopEnd(this.#state, clause, start);
    const own: Clause = { ...clause, to: end };
    const cover = new Cover(this.#state.tokens, own);
    const before = cover.take(["read", "pages"]).length;
    const thing = eachThing(cover.restTokens());
    const reading =
      hopOf(cover.restTokens(), before > 0) ?? hopOf(this.#state.tokens.slice(start, end), false);
    if (thing === null && reading === null) return "none";
    this.#state.sourcesOf(new Cover(this.#state.tokens, own));
    if (thing !== null) this.#state.each = thing;
    else {
      const stopped = followLinks(this.#state, reading);
      if (stopped !== null) return stopped;
    }
    return end < clause.to ? this.#clause({ from: end, to: clause.to, opens: false }) : null;
  }

  #conditionClause(cover: Cover, condition: PhraseMatch): Stop | null {
    const part = this.#state.requestPart(cover, "auto");
    if (part === null) return stop("It is not clear what the condition is.");
    if ("refusal" in part) return part;
    const holds = condition.argument === "none" ? "none" : "some";
    const before = this.#state.deliveries.at(-1);
    // "mail it, but only if ...": the condition follows its effect.
    if (
      !cover.clause.opens &&
      before !== undefined &&
      before.origin.to >= cover.clause.from - 3 &&
      before.when === null
    ) {
      before.when = { part: part.id, holds };
      this.#state.fresh = this.#state.fresh.filter((id) => id !== part.id);
      return null;
    }
    this.#state.condition = { part: part.id, holds };
    return null;
  }

  /** Gives parts without an address their source, and checks that there is something to do. */
  #finish(): Stop | null {
    if (this.#state.comparing) {
      return stop("The prompt does not say what to compare.", {
        suggestion: "Ask for what is on both pages, on one of them only, or what differs.",
      });
    }
    if (this.#state.each !== null) {
      return stop(`It is not clear what is wanted for each ${this.#state.each}.`);
    }
    if (this.#state.parts.length === 0 && this.#state.deliveries.length === 0) {
      if (this.#state.sources.length === 0)
        return stop("Nothing in the prompt says what to read.", {
          words: this.#state.tokens
            .filter(({ kind }) => kind === "word")
            .slice(0, 20)
            .map(({ text }) => text),
        });
      const part: DraftPart = {
        id: "p1",
        sourceIds: this.#state.sources.map(({ id }) => id),
        request: [],
        form: "auto",
        name: null,
      };
      this.#state.parts.push(part);
    }
    for (const part of this.#state.parts) {
      if (part.sourceIds.length > 0) continue;
      if (this.#state.sources.length === 0 && this.#state.surroundings.inputs !== null) {
        this.#state.sources.push({ kind: "input", id: this.#state.nextSource(), name: null });
      }
      part.sourceIds = this.#state.sources.map(({ id }) => id);
      if (part.sourceIds.length === 0) {
        return stop("The prompt does not say where to read.", {
          words: [this.#state.textOf(part.request)],
          suggestion: "Name the address of a page.",
        });
      }
    }
    if (
      this.#state.condition !== null &&
      !this.#state.deliveries.some(({ when }) => when !== null)
    ) {
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

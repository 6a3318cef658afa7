import type { JsonObject } from "../../../../contract/json.ts";
import { type Patch, patchOf } from "../patch.ts";
import type { Delivery, Draft, Hop, Origin } from "../program.ts";
import type { PhraseMatch } from "../text/phrases.ts";
import type { Token } from "../text/tokens.ts";
import { isBlank } from "./blank.ts";
import { type Clause, clausesOf } from "./clauses.ts";
import { Cover } from "./cover.ts";
import { dataClause } from "./data-clauses.ts";
import { DraftState, type Stop, stop } from "./draft-state.ts";
import { isMail, isRequest, mailChange, mailClause, requestClause, sayMail } from "./effects.ts";
import { hopEnd, hopOf } from "./hops.ts";

/** Turns the clauses of a prompt into sources, parts and deliveries, before anything is read. */
export class Drafter {
  readonly #state: DraftState;
  readonly #turns: readonly (readonly Token[])[];
  /** Whether a message stops everything. */
  isStopped = false;

  constructor(
    turns: readonly (readonly Token[])[],
    inputs: JsonObject | null,
    answered: readonly string[],
  ) {
    this.#turns = turns;
    this.#state = new DraftState(turns.flat(), inputs, answered);
  }

  /** Reads all clauses. Returns why the prompt is not accepted, or null. */
  read(): Stop | null {
    const state = this.#state;
    for (const token of state.tokens) {
      if (token.kind !== "data") continue;
      const { data, format } = token;
      state.sources.push({ kind: "inline", id: state.nextSource(), data, format });
    }
    let offset = 0;
    for (const [turn, tokens] of this.#turns.entries()) {
      for (const { from, to, opens } of clausesOf(tokens)) {
        const clause = { from: from + offset, to: to + offset, opens };
        const stopped =
          turn === 0 ? this.#clause(clause) : this.#patch(patchOf(state.tokens, clause));
        if (stopped !== null || this.isStopped) return stopped;
      }
      offset += tokens.length;
    }
    return this.#finish();
  }

  /** Applies a clause of a message. */
  #patch(patch: Patch): Stop | null {
    const state = this.#state;
    const mail = state.lastMail();
    const last = state.parts.at(-1);
    switch (patch.kind) {
      case "nothing":
        return null;
      case "stop":
        this.isStopped = true;
        return null;
      case "add":
        return this.#clause(patch.clause);
      case "retract": {
        const kept = state.deliveries.filter(({ kind }) => kind !== patch.what);
        if (kept.length === state.deliveries.length)
          return stop(`There is no ${patch.what} to take back.`);
        state.deliveries.splice(0, state.deliveries.length, ...kept);
        return null;
      }
      case "mail":
        if (mail === null) return stop("There is no e-mail that could change.");
        Object.assign(mail, patch.change);
        mail.says = sayMail(mail);
        return null;
      case "substitute":
        return this.#substitute(patch.old, patch.by);
      case "vary":
        if (last === undefined) return stop("There is no question to vary.");
        if (patch.instead) last.variation = patch.words;
        else {
          const { request, sourceIds, form } = last;
          state.addPart({ request, sourceIds, form }).variation = patch.words;
        }
        return null;
      case "refine":
        if (last === undefined) return stop("There is nothing to refine.");
        last.request = [...last.request, patch.words];
        return null;
    }
  }

  /** Puts words in the place of others in the request of a part, the last part first. */
  #substitute(old: Origin, by: Origin): Stop | null {
    const { tokens, parts } = this.#state;
    const wanted = tokens.slice(old.from, old.to).map(({ text }) => text.toLowerCase());
    for (const part of parts.toReversed()) {
      for (const run of part.request) {
        const at = tokens.findIndex(
          (_, place) =>
            place >= run.from &&
            place + wanted.length <= run.to &&
            wanted.every((text, offset) => tokens[place + offset]?.text.toLowerCase() === text),
        );
        if (at < 0) continue;
        const after = { from: at + wanted.length, to: run.to };
        const pieces = [{ from: run.from, to: at }, by, after].filter(({ from, to }) => to > from);
        part.request = part.request.flatMap((range) => (range === run ? pieces : [range]));
        return null;
      }
    }
    const words = [this.#state.textOf([old])];
    return stop(`"${words[0]}" is not among what was asked.`, { words });
  }

  says(): string[] {
    return this.#state.deliveries.map(({ says }) => says);
  }

  draft(): Draft {
    const { sources, deliveries, parts, needs } = this.#state;
    const reads = sources.flatMap((source) =>
      source.kind === "page" ? [`read ${source.url}${source.hops.map(sayHop).join("")}`] : [],
    );
    const asks = parts.map(({ request }) => {
      const text = this.#state.textOf(request);
      return text === "" ? "show what it has" : `answer "${text}"`;
    });
    return {
      sources,
      deliveries,
      says: [...reads, ...asks, ...this.says()],
      needs: [...needs],
      parts,
    };
  }

  #clause(clause: Clause): Stop | null {
    const state = this.#state;
    const cover = new Cover(state.tokens, clause);
    const prohibits = this.#prohibition(clause);
    if (prohibits !== null) return prohibits === "kept" ? null : prohibits;
    const opening = cover.takeAt("intro", clause.from)?.to ?? clause.from;
    const start = state.start({ from: opening, to: clause.to });
    const condition = cover.takeAt("condition", start);
    if (condition !== null) return this.#conditionClause(cover, condition);
    const changed = mailChange(state, cover, start);
    if (changed !== null) return changed === "done" ? null : changed;
    const hasEmail = cover.own().some(({ kind }) => kind === "email");
    if (hasEmail || isMail(state, start)) return mailClause(state, cover, start);
    if (isRequest(state, start, clause)) return requestClause(state, cover, start);
    const hop = this.#hopClause(clause, start);
    return hop === "none" ? dataClause(state, cover, start) : hop;
  }

  /** "Otherwise don't send anything": nothing is done, unless it contradicts what was planned. */
  #prohibition(clause: Clause): Stop | "kept" | null {
    const said = this.#state
      .textOf([clause])
      .toLowerCase()
      .replace(/^(?:(?:but|and|please|if not|otherwise|else)[ ,]+){1,2}/, "")
      .replace(/[ .,!]+$/, "");
    if (/^(?:do )?nothing(?: else)?$|^(?:otherwise|if not)$/.test(said)) return "kept";
    if (!/^(?:don['’]t|do not|never|no need to) /.test(said)) return null;
    const kind = PROHIBITED.find(([, words]) => words.test(said))?.[0];
    if (kind === undefined) return stop(`"${said}" was not understood.`, { words: [said] });
    const planned = this.#state.deliveries.some((one) => one.kind === kind && one.when === null);
    return planned ? stop("The prompt asks for something and forbids it.") : "kept";
  }

  /** Adds the links that a clause opens to the sources that it is about. */
  #hopClause(clause: Clause, start: number): Stop | null | "none" {
    const state = this.#state;
    const end = hopEnd(state, clause.to, start);
    const own = new Cover(state.tokens, { ...clause, to: end });
    const before = own.take("read pages").length;
    const rest = own.restTokens();
    // "Find the link to the reviews, open it"
    const [opening, ...object] = rest;
    const isOpened = /^(?:open|follow|click|read|visit)$/i.test(opening?.text ?? "");
    if (isOpened && object.length > 0 && state.gathering && isBlank(object, ["pronoun"]))
      return null;
    // "Go to URL, then to Our crew"
    const isRead = before > 0 && isBlank(rest);
    const further = isRead ? hopOf(state.tokens.slice(end, clause.to), false) : null;
    const hop = further ?? hopOf(rest, before > 0);
    if (hop === null) return "none";
    state.gathering ||= further !== null;
    state.sourcesOf(new Cover(state.tokens, own.clause));
    const stopped = state.follow(hop);
    if (stopped !== null || further !== null || end >= clause.to) return stopped;
    return this.#clause({ from: end, to: clause.to, opens: false });
  }

  #conditionClause(cover: Cover, { argument }: PhraseMatch): Stop | null {
    const state = this.#state;
    // "If so", "if there are any": what was asked before.
    const part = state.requestPart(cover, "auto") ?? state.parts.at(-1);
    if (part === undefined) return stop("It is not clear what the condition is.");
    const condition = { part: part.id, holds: argument === "none" ? "none" : "some" } as const;
    const before = state.deliveries.at(-1);
    // "mail it, but only if ...": the condition follows its effect.
    const follows = before !== undefined && before.origin.to >= cover.clause.from - 3;
    if (cover.clause.opens || !follows || before.when !== null) state.condition = condition;
    else {
      before.when = condition;
      // "Mail Ann if there are late bills": the e-mail says what the condition found.
      if (before.kind === "mail" && before.body.length === 0) before.body = [{ part: part.id }];
      const isTold =
        before.kind === "mail" &&
        before.body.some((piece) => "part" in piece && piece.part === part.id);
      if (!isTold) state.fresh = state.fresh.filter((id) => id !== part.id);
    }
    return null;
  }

  /** Gives parts without an address their source, and checks that there is something to do. */
  #finish(): Stop | null {
    const state = this.#state;
    const { sources, parts, deliveries, inputs, tokens } = state;
    if (state.comparing) {
      return stop("The prompt does not say what to compare.", {
        suggestion: "Ask for what is on both pages, on one of them only, or what differs.",
      });
    }
    if (parts.length + deliveries.length + sources.length === 0) {
      const words = tokens.filter(({ kind }) => kind === "word").map(({ text }) => text);
      return stop("Nothing in the prompt says what to read.", { words: words.slice(0, 20) });
    }
    if (parts.length + deliveries.length === 0)
      state.addPart({ sourceIds: [], request: [], form: "auto" });
    for (const part of parts) {
      if (part.sourceIds.length > 0) continue;
      if (sources.length === 0 && inputs !== null) {
        sources.push({ kind: "input", id: state.nextSource() });
      }
      part.sourceIds = sources.map(({ id }) => id);
      if (part.sourceIds.length > 0) continue;
      return stop("The prompt does not say where to read.", {
        words: [state.textOf(part.request)],
        suggestion: "Name the address of a page.",
      });
    }
    if (deliveries.some((delivery) => delivery.kind === "mail" && delivery.body.length === 0))
      return stop("It is not clear what the e-mail should say.");
    const isIdle = state.condition !== null && deliveries.every(({ when }) => when === null);
    return isIdle ? stop("It is not clear what depends on the condition.") : null;
  }
}

/** The effects that a clause may forbid, by the words for them. */
const PROHIBITED: readonly (readonly [Delivery["kind"], RegExp])[] = [
  ["mail", /\b(?:mail|email|e-mail|message|send)\b/],
  ["request", /\b(?:post|request)\b/],
  ["file", /\b(?:save|file|write)\b/],
];

/** Says which links are opened from a page. */
function sayHop({ which, words }: Hop): string {
  if (which === "one") return `, open its link "${words}"`;
  return words === "" ? ", open each of its links" : `, open each of its links about "${words}"`;
}

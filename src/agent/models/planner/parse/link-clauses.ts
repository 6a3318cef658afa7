import type { Hop, Source } from "../program.ts";
import type { Clause } from "./clauses.ts";
import type { DraftState } from "./draft-state.ts";
import type { HopReading } from "./hops.ts";
import { type Stop, stop } from "./stop.ts";

/** Returns where what is opened ends: at a comma or "and" after its verb. */
export function hopEnd(state: DraftState, { to }: Clause, start: number): number {
  const stops = state.tokens
    .slice(start, to)
    .findIndex(({ text }, index) => index > 0 && /^(?:,|and|then)$/i.test(text));
  return stops < 0 ? to : start + stops;
}

/** Adds the links that are opened to the sources that the clause is about. */
export function followLinks(state: DraftState, reading: HopReading | null): Stop | null {
  const hop = reading?.kind === "hop" ? reading.hop : ownPages(state);
  if (hop === null) return stop("It is not clear whose pages are to be opened.");
  const sources = state.sources.filter(
    (source) => source.kind === "page" && state.context.includes(source.id),
  );
  if (sources.length === 0) {
    return stop("It is not clear on which page the link is.", {
      suggestion: "Name its address.",
    });
  }
  state.context = sources.map((source) => withHop(state, source, hop));
  state.gathering = true;
  return null;
}

function ownPages(state: DraftState): Hop | null {
  const words = state.each;
  state.each = null;
  return words === null ? null : { which: "each", words };
}

/** Adds a hop to a source, or to a copy if a part is about the page itself. */
function withHop(state: DraftState, source: Source, hop: Hop): string {
  if (source.kind !== "page") return source.id;
  const isUsed = state.parts.some(({ sourceIds }) => sourceIds.includes(source.id));
  if (!isUsed) {
    source.hops = [...source.hops, hop];
    return source.id;
  }
  const copy: Source = { ...source, id: state.nextSource(), hops: [...source.hops, hop] };
  state.sources.push(copy);
  return copy.id;
}

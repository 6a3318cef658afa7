import type { Form } from "../program.ts";
import { isBlank } from "./blank.ts";
import type { Clause } from "./clauses.ts";
import type { Shown } from "./comparison.ts";
import type { Cover } from "./cover.ts";
import { type DraftState, REFERENCES, urlsOf } from "./draft-state.ts";
import type { Stop } from "./stop.ts";

const SHOWN: readonly Shown[] = ["added", "removed", "changed", "common", "all"];

/** Whether a clause is about two pages. */
export function isOfTwo(state: DraftState, { from, to }: Clause): boolean {
  const urls = state.tokens
    .slice(from, to)
    .flatMap((token) => (token.kind === "url" ? [token.url] : []));
  const known = urls.length === 0 || state.gathering ? state.context.length : 0;
  return new Set(urls).size + known === 2;
}

/** Returns what a clause compares, if it does; a mere "compare" waits for the clause that says it. */
export function comparisonOf(state: DraftState, cover: Cover, start: number): Shown | "any" | null {
  const opened = cover.takeAt(["comparing"], start);
  const [shown] = cover.take(["compare"]);
  const urls = shown === undefined ? [] : urlsOf(shown);
  if (urls.length === 2) state.context = urls.map((url) => state.pageSource(url));
  if (shown !== undefined) return SHOWN.find((kind) => kind === shown.argument) ?? null;
  return opened === null ? null : "any";
}

/** "Compare A with B" waits for what is compared; "compare the prices of A and B" says it. */
export function announceComparison(state: DraftState, cover: Cover): Shown | null {
  state.comparing = true;
  return isBlank(cover.restTokens(), REFERENCES) ? null : "all";
}

/** Adds a part that compares two pages. */
export function compareClause(
  state: DraftState,
  cover: Cover,
  form: Form,
  comparison: Shown,
  sourceIds: readonly string[],
): Stop | null {
  state.gathering = false;
  state.comparing = false;
  state.addPart({ sourceIds: [...sourceIds], request: cover.rest(), form, comparison });
  return null;
}

import type { Json } from "../../../../contract/json.ts";
import type { DraftPart, RequestBody } from "../program.ts";
import type { Token } from "../text/tokens.ts";
import type { Clause } from "./clauses.ts";
import type { Cover } from "./cover.ts";
import { type DraftState, urlsOf } from "./draft-state.ts";
import { filledBody } from "./holes.ts";
import { type Stop, stop } from "./stop.ts";

/** Whether a clause sends an HTTP request. */
export function isRequest(state: DraftState, start: number, { to }: Clause): boolean {
  const first = state.word(start);
  const hasUrl = state.tokens.slice(start, to).some(({ kind }) => kind === "url");
  if (/^(?:post|submit|patch|delete|push)$/.test(first)) return hasUrl;
  if (first === "put")
    return hasUrl && state.tokens.slice(start, to).some(({ kind }) => kind === "data");
  const words = state.tokens.slice(start, start + 6).map((token) => token.text.toLowerCase());
  if (/^(?:call|invoke)$/.test(first)) {
    const all = state.tokens.slice(start, to).map(({ text }) => text.toLowerCase());
    return hasUrl && all.some((word) => /^(?:post|put|patch|delete)$/.test(word));
  }
  if (/^(?:make|do|perform|issue)$/.test(first)) {
    return (
      hasUrl &&
      words.some((word) => /^(?:post|put|patch|delete)$/.test(word)) &&
      words.includes("request")
    );
  }
  if (!/^(?:send|deliver)$/.test(first) || !hasUrl) return false;
  return state.tokens.some(
    ({ kind }, at) =>
      kind === "url" &&
      at > start &&
      at < to &&
      /^(?:to|at|webhook|endpoint|api|hook)$/.test(state.word(at - 1)),
  );
}

/** Reads a clause that sends an HTTP request. */
export function requestClause(state: DraftState, cover: Cover, start: number): Stop | null {
  const opened = cover.takeAt(["request"], start) ?? cover.takeAt(["save", "mail"], start);
  if (opened === null) return state.unknownEffect(cover);
  const [said] = cover.take(["method"]);
  const method = said?.argument ?? (opened.type === "request" ? opened.argument : "POST");
  const targets = cover.take(["into"]);
  if (targets.length === 0) targets.push(...cover.take(["bare"]));
  const url = targets.flatMap(urlsOf).at(-1);
  const bodies = cover.take(["requestbody"]);
  cover.take(["requestform"]);
  state.coverEdges(cover, ["object"]);
  const data = bodies.flatMap(({ literals }) => literals).find(({ kind }) => kind === "data");
  state.sourcesOf(cover);
  if (url === undefined || targets.length !== 1)
    return stop("It is not clear where the request goes.");
  const before = [...state.fresh];
  const part = state.requestPart(cover, "auto");
  const body = requestBody(state, data, part, before, bodies.length > 0, method === "DELETE");
  if (body === null) return stop("It is not clear what the request's body is.");
  state.needs.add("http_request");
  const known = method === "PUT" || method === "PATCH" || method === "DELETE" ? method : "POST";
  state.deliveries.push({
    id: `d${state.deliveries.length + 1}`,
    says: `send ${known} ${url}`,
    when: state.condition,
    origin: { from: cover.clause.from, to: cover.clause.to },
    kind: "request",
    method: known,
    url,
    body,
  });
  return null;
}

function requestBody(
  state: DraftState,
  data: Token | undefined,
  own: DraftPart | null,
  before: readonly string[],
  said: boolean,
  isPlain: boolean,
): RequestBody | null {
  if (data?.kind === "data") {
    if (own !== null || data.format !== "json") return null;
    dropInline(state, data.data);
    const value: Json = JSON.parse(data.data);
    const parts = state.lastPartsOr(before);
    const known = state.parts.filter(({ id }) => parts.includes(id) || parts.length === 0);
    return filledBody(
      value,
      known.map(({ id, request }) => ({ id, words: state.textOf(request) })),
    );
  }
  if (own !== null) return { kind: "parts", fields: [{ name: null, part: own.id }] };
  if (said || (isPlain && before.length === 0)) return { kind: "none" };
  const parts = state.lastPartsOr(before);
  const [only, second] = parts;
  if (only === undefined) return null;
  if (second === undefined) return { kind: "parts", fields: [{ name: null, part: only }] };
  return { kind: "parts", fields: parts.map((part) => ({ name: part, part })) };
}

/** Removes the data of a request's body from the sources. */
function dropInline(state: DraftState, data: string): void {
  const index = state.sources.findIndex(
    (source) => source.kind === "inline" && source.data === data,
  );
  if (index >= 0) state.sources.splice(index, 1);
}

import type { Json } from "../../../../contract/json.ts";
import { httpResponseContent } from "../../../../contract/tools/http-request.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { dataOf } from "../answer/material.ts";
import { type Part, textPart } from "../answer/parts.ts";
import { counted } from "../answer/words.ts";
import type { Desk } from "../desk.ts";
import type { PostOrder } from "../plan/post.ts";
import type { Verdict } from "./verdict.ts";

/** What became of what was to be sent to addresses. */
export interface Posted {
  waiting: boolean;
  said: string[];
  notes: string[];
  /** The answers that came back. */
  parts: Part[];
  done: number;
}

const NOTHING: Posted = { waiting: false, said: [], notes: [], parts: [], done: 0 };

/** What was found, as the JSON of a request; undefined when nothing was. */
function bodyOf(parts: readonly Part[]): { body: Json; what: string } | undefined {
  const [only, ...others] = parts;
  if (only === undefined) return undefined;
  if (others.length > 0)
    return { body: dataOf([...parts]) ?? null, what: `${parts.length} results` };
  const { data, records } = only;
  if (Array.isArray(data)) {
    const plain = data.every((value) => !isObject(value));
    const rows: Json[] = plain || records.length !== data.length ? data : records;
    return { body: rows, what: counted(rows.length, "row") };
  }
  if (isObject(data ?? null)) return { body: data ?? null, what: "the result" };
  const [record] = records;
  const named =
    record !== undefined && records.length === 1 ? record : { [only.label]: data ?? null };
  return { body: named, what: "the result" };
}

/** Sends what was found to where it was ordered, each once. `unsure` tells why it may not be right. */
export function sendPosts(
  orders: readonly PostOrder[],
  parts: readonly Part[],
  unsure: boolean,
  verdict: Verdict,
  desk: Desk,
): Posted {
  const all = orders.map((order) => sendPost(order, parts, unsure, verdict, desk));
  return {
    waiting: all.some(({ waiting }) => waiting),
    said: all.flatMap(({ said }) => said),
    notes: all.flatMap(({ notes }) => notes),
    parts: all.flatMap((one) => one.parts),
    done: all.reduce((sum, { done }) => sum + done, 0),
  };
}

function sendPost(
  order: PostOrder,
  parts: readonly Part[],
  unsure: boolean,
  verdict: Verdict,
  desk: Desk,
): Posted {
  const { method, url, body: written, message } = order;
  const not = (why: string): Posted => ({
    ...NOTHING,
    notes: [`Nothing was sent to ${url}: ${why}`],
  });
  if (!desk.has("http_request")) {
    return not("that needs the tool http_request, which is not among the tools of this run.");
  }
  if (order.conditional && verdict.kind === "fails") {
    const said = `Nothing was sent to ${url}, because the condition for it does not hold.`;
    return { ...NOTHING, done: 1, said: [said] };
  }
  if (order.conditional && verdict.kind !== "holds") {
    return not("I cannot tell whether the condition for it holds.");
  }
  const found = written === null ? bodyOf(parts) : { body: written.given, what: "what you wrote" };
  if (found === undefined) return not("nothing was found to send.");
  if (written === null && unsure) {
    return not("a part of the prompt was not understood, so it might be the wrong data.");
  }
  const { body, what } = found;
  const input: Json = { method, url, ...(body === null ? {} : { body }) };
  const means = (made: Json): boolean =>
    isObject(made) && made.method === method && made.url === url;
  const done = desk.once("http_request", input, message, means);
  if (done === null) return { ...NOTHING, waiting: true };
  if (!done.answer.ok) {
    const { code, message: reason } = done.answer.error;
    if (code === "denied") return not("you did not allow it.");
    if (code === "uncertain" || code === "interrupted") {
      const note = `Whether ${what} reached ${url} is not known: ${reason} It is not sent again.`;
      return { ...NOTHING, notes: [note] };
    }
    return not(reason);
  }
  const content = httpResponseContent.safeParse(done.answer.content);
  if (!content.success) return { ...NOTHING, done: 1, said: [`Sent ${what} to ${url}.`] };
  const { status, json, text } = content.data;
  const value: Json = json ?? text ?? null;
  const shown = value === null || value === "" ? "." : `: ${JSON.stringify(value).slice(0, 500)}`;
  const said = `Sent ${what} as JSON to ${url} by ${method}; it answered with status ${status}${shown}`;
  const part = textPart("response", said, value, [done.callId], "json");
  const response: Part = { ...part, nodeType: "HTTP_RESPONSE" };
  if (status >= 400) return { ...NOTHING, notes: [said], parts: [response] };
  return { ...NOTHING, done: 1, said: [said], parts: [response] };
}

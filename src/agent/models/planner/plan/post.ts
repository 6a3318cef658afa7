import type { Json } from "../../../../contract/json.ts";
import type { Reading, Sentence } from "../language/reading.ts";
import { asks } from "./asks-for.ts";
import { objectOf } from "./mail-head.ts";
import { STOP } from "./mail-words.ts";
import { HAND_OVER } from "./remote.ts";
import { findRequest, NEGATED } from "./request.ts";
import { type Taken, without } from "./taken.ts";

/** What was found, or a body that is written out, sent to an address. */
export interface PostOrder {
  method: "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  /** A body that is written out; null where what is found is sent. */
  body: { given: Json | null } | null;
  /** Whether a summary is sent rather than what was found. */
  summary: boolean;
  conditional: boolean;
  /** Whether it is all that was asked for: what it sends is found for it alone. */
  whole: boolean;
  /** The message that ordered it. */
  message: number;
}

const BEGIN = String.raw`(?:^|[,;:]\s*|\b(?:and|then|please|you|also|now|just|afterwards|finally|to|must|should)\s+)`;
const TARGET = String.raw`(?:(?:the|this|my|our)\s+)?(?:(?:api|endpoint|service|web ?hook|hook|url|address)\s+(?:at\s+)?){0,2}url(\d+)_`;
const BY = String.raw`(?:\s*,?\s*(?:via|by|as|with|using|in)\s+(?:an?\s+|the\s+)?(?:http\s+)?(post|put|patch)(?:\s+(?:requests?|calls?|body|method))?)`;
const AS_JSON = String.raw`(?:\s*,?\s*(?:as|in)\s+(?:an?\s+)?(?:raw\s+|valid\s+)?json(?:\s+(?:array|object|body|payload|data|format))?)`;
const OBJECT = String.raw`(?:it|them|this|that|these|those|everything|all|both|what|the|an?|its|their|only|just|each|every|rows|results)\b(?:(?!\b(?:blk|str)\d+_)[^;@])*?`;

/** "post the rows to url1_", "send it via POST to url1_ as JSON". */
const TO_TARGET = new RegExp(
  String.raw`${BEGIN}(post|put|patch|submit|push|send|transmit|forward|deliver)\s+(${OBJECT})(?:${BY}|${AS_JSON}){0,2}\s+to\s+${TARGET}(?:${BY}|${AS_JSON}){0,2}(?!\s+(?:to|for)\s+\S*@)`,
  "i",
);
/** "POST to url1_ the table found at url0_", "make a PUT request to url1_ with the rows". */
const AT_TARGET = new RegExp(
  String.raw`${BEGIN}(?:(?:send|make|do|issue|perform|use|submit)\s+(?:an?\s+|the\s+)?(?:http\s+)?)?(post|put|patch)(?:\s+(?:requests?|calls?))?\s+(?:to|at|on)\s+${TARGET}\s*,?:?\s*(?:(?:with|of|containing|carrying|holding)\s+)?(${OBJECT})(?:${AS_JSON}|(?:\s+as\s+(?:the\s+|its\s+)?(?:body|payload)))?\s*$`,
  "i",
);
/** What is no data of a page. */
const NO_DATA =
  /\b(?:requests?|calls?|e-?mails?|mails?|pings?|links?|comments?|greetings?|invitations?|letters?|differences?|comparisons?)\b|\b(?:next|close|compared|relative|related|similar|according|due|up|equal|linked|linking|leading|pointing|belonging|added|matched|access)\s*$/i;

function method(word: string | undefined): "POST" | "PUT" | "PATCH" {
  const upper = word?.toUpperCase();
  return upper === "PUT" || upper === "PATCH" ? upper : "POST";
}

interface Found {
  match: string;
  verb: string | undefined;
  url: number;
  object: string;
}

/** "Don't post it": nothing that was ordered is sent. */
const CALLED_OFF =
  /\b(?:do not|don['’]?t|never|stop|cancel)\b[^;,]*\b(?:post|put|patch|send|submit|push)(?:ing)?\b/i;

function found(raw: string): Found | null {
  const to = TO_TARGET.exec(raw);
  if (to !== null && NEGATED.test(raw.slice(0, raw.indexOf(to[1] ?? "", to.index)))) return null;
  if (to !== null) {
    const [match, verb, object = "", before, url, after] = to;
    return { match, verb: before ?? after ?? verb, url: Number(url), object };
  }
  const at = AT_TARGET.exec(raw);
  if (at === null) return null;
  const [match, verb, url, object = ""] = at;
  return { match, verb, url: Number(url), object };
}

/** Whether a sentence orders that something be sent to an address. */
export function posts({ raw, urls }: Sentence, reading: Reading): boolean {
  const request = findRequest(raw, urls, reading);
  const written = request !== null && request.method !== "GET" && request.method !== "HEAD";
  return written || found(raw) !== null;
}

/**
 * Takes the orders out that send what was found to an address: it is sent once it is known. What is
 * written out itself stays a request of its own, unless it hangs on a condition.
 */
export function takePosts(
  sentences: readonly Sentence[],
  reading: Reading,
  under: Set<Sentence>,
): Taken<PostOrder[]> {
  const order: PostOrder[] = [];
  /** The sentences without what is only found to be sent. */
  const others: Sentence[] = [];
  const left = sentences.flatMap((sentence) => {
    const { message, raw, urls } = sentence;
    const conditional = under.has(sentence);
    const request = findRequest(raw, urls, reading);
    if (request !== null && request.method !== "GET" && request.method !== "HEAD") {
      if (!conditional) return [sentence];
      const { method, url, body } = request;
      const given = { given: body ?? null };
      order.push({
        method: method ?? "POST",
        url,
        body: given,
        summary: false,
        conditional,
        whole: false,
        message,
      });
      return [];
    }
    if (order.length > 0 && (STOP.test(raw) || CALLED_OFF.test(raw))) {
      order.splice(0);
      return [sentence];
    }
    const one = found(raw);
    const url = one === null ? undefined : reading.addresses[one.url];
    if (one === null || url === undefined || NO_DATA.test(one.object)) return [sentence];
    if (/^https:\/\/docs\.google\.com\//.test(url)) return [sentence];
    const { content, about } = objectOf(one.object);
    const summary = about === "summary";
    order.push({
      method: method(one.verb),
      url,
      body: null,
      summary,
      conditional,
      whole: false,
      message,
    });
    const rest = raw.replace(one.match, () => ` , ${content} `).replace(HAND_OVER, " ");
    others.push(...without(sentence, raw.replace(one.match, " , ").replace(HAND_OVER, " ")));
    const kept = without(sentence, rest);
    if (conditional) for (const one of kept) under.add(one);
    return kept;
  });
  others.push(...left.filter((one) => sentences.includes(one)));
  const whole = !others.some(asks);
  return { sentences: left, order: order.map((one) => ({ ...one, whole })) };
}

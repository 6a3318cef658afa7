import type { HttpRequestInput } from "../../../../contract/tools/http-request.ts";
import type { Block } from "../language/literals.ts";
import type { Reading } from "../language/reading.ts";

type Method = NonNullable<HttpRequestInput["method"]>;

const LITERAL = String.raw`(?:blk|str)\d+_`;
/** The address that a verb acts on, with a few words for what lies there. */
const TARGET = String.raw`(?:(?:the|this|my|our)\s+)?(?:(?:api|endpoint|resource|service|web ?hook|hook|url|address)\s+(?:at\s+)?){0,2}url(\d+)_`;
const BEGIN = String.raw`(?:^|[,;:]\s*|\b(?:and|then|please|you|also|now|just|http|must|should)\s+)`;
/** Words for what is written out: "this JSON", "the following text". */
const WRITTEN = String.raw`(?:(?:this|that|the|an?|following|raw|json|text|data|form|message|body|payload|string|object|value|note|words?|content)\s+){0,5}`;

/** "send a PUT request (with {…}) to url0_": the method is named as one. */
const REQUEST = new RegExp(
  String.raw`\b(get|head|post|put|patch|delete)\s+(?:http\s+)?(?:requests?|calls?)\s+(?:(?:with|of|containing|carrying)\s+[^;]{0,60}?${LITERAL}\s+)?(?:to|at|on|against|for|of)\s+${TARGET}`,
  "i",
);
/** "call url0_ with the POST method". */
const CALLED_WITH = new RegExp(
  String.raw`\b(?:call|request|query|hit|invoke|access)\s+${TARGET}\s+(?:with|using|via|by)\s+(?:an?\s+|the\s+)?(?:http\s+)?(?:method\s+)?(get|head|post|put|patch|delete)\b(?!\s+data)`,
  "i",
);
/** "DELETE url0_", "POST to url0_ with …": the verb stands right before the address. */
const GOVERNS = new RegExp(
  String.raw`${BEGIN}(?:(?:do|make|use|issue|perform|send)\s+(?:an?\s+)?(?:http\s+)?)?(head|post|put|patch|delete)\s+(?:(?:to|at|on|against)\s+)?${TARGET}`,
  "i",
);
/** "PUT {…} to url0_", "send the text "…" to url0_". */
const BRINGS = new RegExp(
  String.raw`\b(post|put|patch|send|submit|push|transmit|deliver)\s+${WRITTEN}${LITERAL}\s+(?:as\s+(?:an?\s+|the\s+)?(?:json|text|body|payload)\s+)?(?:to|at)\s+${TARGET}`,
  "i",
);
/** "send this to url0_: {…}". */
const FOLLOWED = new RegExp(
  String.raw`\b(post|put|patch|send|submit|push)\s+${WRITTEN}(?:to|at)\s+${TARGET}\s*[:,]?\s*(?:(?:with|as)\s+)?${WRITTEN}:?\s*${LITERAL}`,
  "i",
);
/** "submit name=Ann and age=3 to url0_". */
const PAIRS = new RegExp(
  String.raw`\b(submit|send|post|put|patch)\s+(?:(?!\b(?:rows?|where|whose|if|that)\b)[\w ]){0,40}\w ?= ?(?:(?!\b(?:rows?|where|whose|if)\b)[\s\S]){1,300}?\bto\s+${TARGET}`,
  "i",
);
const VERB = "(post|put|patch|delete)";
/** A method of HTTP that is named as the way something is done: "by POST", "a PUT request". */
const NAMED = new RegExp(
  String.raw`\b(?:via|by|with|using|through|as|in|over|of)\s+(?:an?\s+|the\s+)?(?:http\s+)?(?:method\s+)?${VERB}(?:\s+(?:requests?|calls?|method)\b|(?=\s*(?:$|[,:]|\b(?:to|at|on|with|and|containing|carrying)\b)))|\b(?:via|by)\s+(posting|putting|patching|deleting)\b|\b${VERB}\s+(?:requests?|calls?|method)\b`,
  "i",
);
/** The method in capitals, which no other word is. */
const CAPITALS = /\b(POST|PUT|PATCH|DELETE)(?:ing)?\b/;
/** Where an order to send something begins. */
const SENDS = new RegExp(
  String.raw`${BEGIN}(?:send|make|do|issue|perform|fire|use|using|with|via|by|invoke|submit|run|execute|trigger|transmit|deliver|push|write|call|ping|hit|request|query|update|create|remove|delete|replace|change|set|store|upload|add|post|put|patch|curl)\b`,
  "i",
);
const MENTIONS =
  /\b(?:mentions?|mentioned|contains?|says?|about|called|named|word|term|find|search|look for)\s+(?:the\s+|an?\s+)?(?:http\s+)?(?:POST|PUT|PATCH|DELETE)\b/;
const ASKS = /^\s*(?:which|what|does|do(?!\s+an?\b)|is|are|how|why|who|when|explain|describe)\b/i;
/** What is put or posted there goes to no server. */
const OF_FILES =
  /\b(?:in(?:to)?|as|to)\s+(?:an?\s+|the\s+|one\s+)?(?:new\s+)?(?:excel|csv|xlsx|workbooks?|spread ?sheets?|sheets?|tabs?|files?|columns?)\b|\bPOST\s+data\b/;
/** What is found is sent: that is another order. */
const FOUND_DATA =
  /\b(?:rows?|tables?|lists?|results?|it|them|those|these|everything|findings|headings?|links?|titles?|prices?|names?|summary|summaries|what|answers?|output|products?|entries|items?)\b/i;
const NO_BODY = /\b(?:no|without an?y?|an empty|nothing)\b(?:\s+body)?/i;
/** "trigger the webhook url0_ with {…}": nothing but a POST brings that. */
const HOOKED = new RegExp(
  String.raw`\b(?:call|trigger|hit|ping|invoke|notify|fire|use)\s+(?:(?:the|this|my|our)\s+)?(?:web ?hook|hook)\s+(?:at\s+)?url(\d+)_\s*,?\s*(?:(?:with|passing|sending|and send(?: it)?|and pass(?: it)?)\s+)?${WRITTEN}:?\s*${LITERAL}`,
  "i",
);
/** "overwrite url0_ with {…}": what is written out is for the address, by no method that is named. */
const WRITES_LITERAL = new RegExp(
  String.raw`${BEGIN}(?:(?:update|overwrite|replace|change|notify|trigger|set)\s+(?:\w+\s+){0,3}?url\d+_\s+(?:with|to|about|of)\s+${WRITTEN}${LITERAL}|(?:send|submit|push|post|put|patch|transmit|deliver|upload|publish)\s+${WRITTEN}${LITERAL}[^;]*\b(?:to|at|on)\s+${TARGET}|notify\s+${TARGET})`,
  "i",
);
const CALL_API =
  /\b(?:call|query|hit|invoke|request)\s+(?:the\s+|this\s+|an?\s+)?(?:[\w-]+\s+){0,2}?(?:api|endpoint|service|webhook|url\d+_)(?![\w-])|\b(?:api|endpoint)\s+(?:at|of)?\s*url\d|\bhttp request\b/i;
const HEADER =
  /\bheaders?\s*:?\s*["'`]?([A-Za-z][\w-]{1,60})\s*(?::|=|set to|of)\s*["'`]?([^"'`\n,;]{1,300})["'`]?/i;
/** Parts of data: what is put, posted or deleted there is no business of a server. */
const OF_DATA =
  /\b(?:columns?|rows?|cells?|duplicates?|excel|csv|xlsx|workbooks?|spread ?sheets?|sheets?|tabs?|tables?|files?|list|numbers?|dates?)\b/i;
/** What is to be sent is named, and not written out: it is found first. */
const DATA_FOLLOWS =
  /^\s*[,:]?\s*(?:with\s+|containing\s+)?(?:the|all|its|their|those|these|this|that|an?|my|our|what|everything|them|it)\b/i;
/** What is said not to be done. */
export const NEGATED = /(?:\bnot|n['’]t|\bnever|\bwithout|\binstead of)\s+(?:\w+\s+){0,3}$/i;

const METHODS: Record<string, Method> = {
  get: "GET",
  head: "HEAD",
  post: "POST",
  put: "PUT",
  patch: "PATCH",
  delete: "DELETE",
  send: "POST",
  submit: "POST",
  push: "POST",
  transmit: "POST",
  deliver: "POST",
  posting: "POST",
  putting: "PUT",
  patching: "PATCH",
  deleting: "DELETE",
};

/** Whether a request may change something. */
export function writes(request: HttpRequestInput | null): request is HttpRequestInput {
  return request !== null && request.method !== "GET" && request.method !== "HEAD";
}

/** A sentence as these rules read it: placeholders stay, marks around them go. */
function plain(raw: string): string {
  return raw
    .replace(/[()<>"'`*]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** A value with the quotation in it that was taken out. */
function spelled(value: string, strings: readonly string[]): string {
  return value.replace(/str(\d+)_/g, (_raw, at: string) => strings[Number(at)] ?? "").trim();
}

/** `name=Ann and age=3` as an object; null when the text holds no such pairs. */
function pairs(raw: string, strings: readonly string[]): Record<string, string> | null {
  const found = [
    ...raw.matchAll(
      /(?<![\w?&/.=-])([a-z_]\w{0,40})\s?=\s?("[^"\n]{0,200}"|'[^'\n]{0,200}'|[^\s,;&"']{1,200})/gi,
    ),
  ].slice(0, 50);
  if (found.length === 0) return null;
  return Object.fromEntries(
    found.map(([, name = "", value = ""]) => [
      name,
      spelled(value.replace(/^["']|["']$/g, ""), strings),
    ]),
  );
}

/** A verb and the address that it governs. */
interface Governing {
  method: Method;
  /** The place of the address in the list of all. */
  url: number;
  /** Whether the words name a method of HTTP and can mean nothing else. */
  plain: boolean;
}

function governing(text: string): Governing | null {
  for (const pattern of [REQUEST, CALLED_WITH, BRINGS, FOLLOWED, PAIRS, GOVERNS]) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const [first = "", second = ""] = match.slice(1);
    const verb = pattern === CALLED_WITH ? second : first;
    const url = Number(pattern === CALLED_WITH ? first : second);
    const method = METHODS[verb.toLowerCase()];
    const negated = NEGATED.test(text.slice(0, text.indexOf(verb, match.index)));
    if (method === undefined || negated) return null;
    if (pattern !== GOVERNS) return { method, url, plain: true };
    const after = text.slice(match.index + match[0].length);
    if (OF_DATA.test(after) && !new RegExp(LITERAL).test(after)) return null;
    if (DATA_FOLLOWS.test(after) && !new RegExp(LITERAL).test(after)) return null;
    if (method === "DELETE" && /^\s*(?:from|out of|of|,|and url)\b/i.test(after)) return null;
    return { method, url, plain: verb === verb.toUpperCase() || method === "DELETE" };
  }
  return null;
}

/** Whether a text that names a method orders anything by it. */
function orders(text: string): boolean {
  return !MENTIONS.test(text) && !ASKS.test(text) && !OF_FILES.test(text);
}

/** The method that an order to send names somewhere, and the address that it goes to. */
function named(text: string): Governing | null {
  const hooked = HOOKED.exec(text)?.[1];
  if (hooked !== undefined) return { method: "POST", url: Number(hooked), plain: true };
  const written = new RegExp(LITERAL).test(text);
  if (!orders(text) || !SENDS.test(text)) return null;
  if (!written && OF_DATA.test(text)) return null;
  const match = NAMED.exec(text) ?? CAPITALS.exec(text);
  const verb = match?.slice(1).find((group) => group !== undefined) ?? "";
  const method = METHODS[verb.toLowerCase()];
  if (match === null || method === undefined) return null;
  if (NEGATED.test(text.slice(0, text.indexOf(verb, match.index)))) return null;
  const places = new Set([...text.matchAll(/url(\d+)_/g)].map(([, at]) => Number(at)));
  const aimed = [
    ...text.matchAll(new RegExp(String.raw`\b(?:to|at|on|against)\s+${TARGET}`, "gi")),
  ];
  const [only] = places;
  const url = places.size === 1 ? only : Number(aimed.at(-1)?.[1] ?? Number.NaN);
  if (url === undefined || Number.isNaN(url)) return null;
  if (!written && method !== "DELETE" && FOUND_DATA.test(text)) return null;
  const alone = method === "DELETE" || NO_BODY.test(text) || places.size === 1;
  return written || alone ? { method, url, plain: true } : null;
}

const ANOTHER =
  /\s*(?:[,;]\s*(?:and\s+)?(?:then\s+)?|\band\s+(?:then\s+)?|\bthen\s+)(?=(?:(?:please|also)\s+)?(?:(?:send|make|do|issue|perform)\s+)?(?:an?\s+)?(?:http\s+)?(?:POST|PUT|PATCH|DELETE)\b[^;]*url\d)/;
const TARGETS = /(?:\bboth\s+)?(url\d+_(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)(?:to\s+)?url\d+_)+)/;

/** Each change that a sentence orders, by itself: "DELETE url0_ and url1_" are two. */
export function eachChange(raw: string): string[] {
  if ((raw.match(/url\d+_/g) ?? []).length < 2) return [raw];
  const condition = /^\s*(?:if|unless|when)\b[^,]*,\s*/i.exec(raw)?.[0] ?? "";
  const [first = "", under] = condition === "" ? raw.split(THEN_IF) : [raw];
  if (under !== undefined && seemsToWrite(under)) return [first, ...eachChange(under)];
  const parts: string[] = [];
  for (const part of raw.slice(condition.length).split(ANOTHER)) {
    const last = parts.at(-1);
    // What is read first, or decides about it, stays with the change.
    if (last === undefined || (seemsToWrite(last) && !CONDITION.test(raw.slice(condition.length))))
      parts.push(part);
    else parts[parts.length - 1] = `${last} and ${part}`;
  }
  return parts.flatMap(toEach).map((part) => `${condition}${part}`);
}

const CONDITION = /\b(?:if|unless|when|whether|provided|in case|as long as|only after)\b/i;
/** "Open url0_ and, if it says so, …". */
const THEN_IF = /\s*,?\s*\b(?:and|then)\b\s*,?\s*(?=(?:if|unless)\b[^,]*,)/i;

/** Whether a condition stands in a sentence. */
export function hasCondition(raw: string): boolean {
  return CONDITION.test(raw);
}

/** The same change at each of several addresses. */
function toEach(part: string): string[] {
  const list = TARGETS.exec(part)?.[1];
  if (list === undefined || !seemsToWrite(part)) return [part];
  if (/url\d+_/.test(part.replace(list, " "))) return [part];
  return (list.match(/url\d+_/g) ?? []).map((url) => part.replace(TARGETS, url));
}

/** Whether a sentence seems to order a change at an address, whatever these rules make of it. */
export function seemsToWrite(raw: string): boolean {
  const text = plain(raw);
  if (!/url\d+_/.test(text) || !orders(text)) return false;
  const way = SENDS.test(text) ? (NAMED.exec(text) ?? CAPITALS.exec(text)) : null;
  const match = way ?? WRITES_LITERAL.exec(text);
  return match !== null && !NEGATED.test(text.slice(0, match.index)) && !/@/.test(text);
}

/** The verb that governs an address, or the method that is named for it: that one counts. */
function governed(text: string): Governing | null {
  const verb = governing(text);
  const way = named(text);
  if (verb === null || way === null) return verb ?? way;
  // Of two orders in one sentence, each has a method of its own.
  const several = new Set(text.match(/url\d+_/g)).size > 1;
  return several ? verb : { ...verb, method: way.method };
}

/** What a sentence writes out to be sent. */
function bodyOf(text: string, blocks: readonly Block[], strings: readonly string[]) {
  const block = /blk(\d+)_/.exec(text);
  const written = block === null ? undefined : blocks[Number(block[1])];
  if (written !== undefined) return written.kind === "json" ? written.value : written.text;
  const literal =
    /\b(?:body|text|message|data|payload|content|send|post|put|patch)\b[^,;]{0,30}?str(\d+)_/i.exec(
      text,
    );
  if (literal !== null) return strings[Number(literal[1])];
  return pairs(text.replace(/url\d+_/g, " ").replace(HEADER, " "), strings) ?? undefined;
}

/**
 * The HTTP call that a sentence orders, or null when it only reads. Whatever may change something
 * needs a verb that governs that very address, or a body that is written out for it: a page that was
 * to be read must never be written to. Of several addresses the one behind "to" is the target.
 */
export function findRequest(
  raw: string,
  urls: readonly number[],
  { addresses, blocks, strings }: Pick<Reading, "addresses" | "blocks" | "strings">,
): HttpRequestInput | null {
  const text = plain(raw);
  const found = governed(text);
  const header = HEADER.exec(raw);
  const headers =
    header?.[1] === undefined ? null : { [header[1]]: spelled(header[2] ?? "", strings) };
  if (found === null) {
    const url = addresses[urls[0] ?? -1];
    return url !== undefined && CALL_API.test(text)
      ? { method: "GET", url, ...(headers && { headers }) }
      : null;
  }
  const url = addresses[found.url];
  if (url === undefined || !urls.includes(found.url)) return null;
  const { method } = found;
  const request: HttpRequestInput = { method, url, ...(headers && { headers }) };
  if (method === "GET" || method === "HEAD") return request;
  const body = bodyOf(text, blocks, strings);
  if (body !== undefined) return { ...request, body };
  return found.plain ? request : null;
}

import type { HttpRequestInput } from "../../../../contract/tools/http-request.ts";
import type { Block } from "../language/literals.ts";
import type { Reading } from "../language/reading.ts";

type Method = NonNullable<HttpRequestInput["method"]>;

const LITERAL = String.raw`(?:blk|str)\d+_`;
/** The address that a verb acts on, with a few words for what lies there. */
const TARGET = String.raw`(?:(?:the|this|my|our)\s+)?(?:(?:api|endpoint|resource|service|web ?hook|hook|url|address)\s+(?:at\s+)?){0,2}url(\d+)_`;
const BEGIN = String.raw`(?:^|[,;:]\s*|\b(?:and|then|please|you|also|now|just|http|must|should)\s+)`;
/** Words for what is written out: "this JSON", "the following text". */
const WRITTEN = String.raw`(?:(?:this|that|the|an?|following|raw|json|text|data|message|body|payload|string|object|value|note|words?|content)\s+){0,5}`;

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
  String.raw`\b(post|put|patch|send|submit|push)\s+${WRITTEN}${LITERAL}\s+(?:as\s+(?:an?\s+|the\s+)?(?:json|text|body|payload)\s+)?(?:to|at)\s+${TARGET}`,
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
  const found = governing(text);
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

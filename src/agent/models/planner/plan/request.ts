import type { HttpRequestInput } from "../../../../contract/tools/http-request.ts";
import type { Block } from "../language/literals.ts";

const VERB =
  /\b(?:send|make|do|issue|perform|submit|execute|fire|use|with|by|via|an?|the|http)\s+(?:an?\s+|the\s+)?(?:http\s+|rest\s+|simple\s+)?(post|put|patch|delete|get|head)\b(?! office|s\b)/;
const LEADING =
  /(?:^|\band\s|\bthen\s|\bplease\s|,\s|\byou\s)(post|put(?!.{0,120} (?:of|from) url\d)|patch|delete)\s+(?=(?:blk|str|url)\d|(?:this|the following|the|to|it|some|a)\b.{0,80}\b(?:to|at|on)? ?url\d|to\b)/;
const CALL_API =
  /\b(?:call|query|hit|invoke|request)\s+(?:the\s+|this\s+|an?\s+)?(?:[\w-]+\s+){0,2}?(?:api|endpoint|service|webhook|url\d+_)\b|\b(?:api|endpoint)\s+(?:at|of)?\s*url\d|\bhttp request\b/;
const SEND_DATA =
  /\b(?:send|submit|post|push)\s+(?:[\w ]{0,40}?)(blk\d+_|str\d+_)\s+(?:to|at|as)\b/;
const SEND_PAIRS = /\b(?:submit|send|post)\s+[\w ]{0,40}\w ?= ?[\s\S]{1,300}\bto url\d/;
const HEADER =
  /\bheaders?\s*:?\s*["'`]?([A-Za-z][\w-]{1,60})\s*(?::|=|set to|of)\s*["'`]?([^"'`\n,;]{1,300})["'`]?/i;

function methodOf(text: string, raw: string): HttpRequestInput["method"] | null {
  const upper = /(?<![\w-])(POST|PUT|PATCH|DELETE|HEAD)(?![\w-])/.exec(raw)?.[1];
  const named = upper?.toLowerCase() ?? VERB.exec(text)?.[1] ?? LEADING.exec(text)?.[1];
  switch (named) {
    case "post":
      return "POST";
    case "put":
      return "PUT";
    case "patch":
      return "PATCH";
    case "delete":
      return "DELETE";
    case "head":
      return "HEAD";
    case "get":
      return "GET";
    default:
      return SEND_DATA.test(text) || SEND_PAIRS.test(text)
        ? "POST"
        : CALL_API.test(text)
          ? "GET"
          : null;
  }
}

/** `name=Ann and age=3` as an object; null when the text holds no such pairs. */
function pairs(raw: string): Record<string, string> | null {
  const found = [
    ...raw.matchAll(
      /(?<![\w?&/.=-])([a-z_]\w{0,40})\s?=\s?("[^"\n]{0,200}"|'[^'\n]{0,200}'|[^\s,;&"']{1,200})/gi,
    ),
  ].slice(0, 50);
  if (found.length === 0) return null;
  return Object.fromEntries(
    found.map((match) => [match[1] ?? "", (match[2] ?? "").replace(/^["']|["']$/g, "")]),
  );
}

/**
 * The HTTP call that a sentence asks for, or null when it asks to read a page. `text` is normalized,
 * with placeholders; `raw` is as written, with the addresses taken out.
 */
export function findRequest(
  text: string,
  raw: string,
  url: string,
  blocks: Block[],
  strings: string[],
): HttpRequestInput | null {
  const method = methodOf(text, raw);
  if (method === null) return null;
  const header = HEADER.exec(raw);
  const headers = header?.[1] === undefined ? undefined : { [header[1]]: (header[2] ?? "").trim() };
  const request: HttpRequestInput = { method, url, ...(headers && { headers }) };
  if (method === "GET" || method === "HEAD") return request;
  const block = /blk(\d+)_/.exec(text);
  const written = block === null ? undefined : blocks[Number(block[1])];
  if (written !== undefined) {
    return { ...request, body: written.kind === "json" ? written.value : written.text };
  }
  const literal =
    /\b(?:body|text|message|data|payload|content|send|post|put)\b[^,;]{0,30}?str(\d+)_/.exec(text);
  const string = literal === null ? undefined : strings[Number(literal[1])];
  if (string !== undefined) return { ...request, body: string };
  const object = pairs(header === null ? raw : raw.replace(HEADER, " "));
  return object === null ? request : { ...request, body: object };
}

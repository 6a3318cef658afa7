import { type HookResponse, REFERENCE } from "../contract/webhooks/response.ts";

/** A response to the sender of an accepted request. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Null for none. */
  body: string | null;
}

/** What an answer depends on besides the endpoint's setting. */
interface Answered {
  /** The usual status and body. */
  status: number;
  json: { requestId: string };
  /** Of the request. */
  headers: Headers;
}

/** Keeps a browser that is led here from running what the answer contains, on the origin of the service. */
const SANDBOX = { "Content-Security-Policy": "default-src 'none'; sandbox" };

/** Returns what a sender gets for an accepted request: the endpoint's own answer, or the usual one. */
export function answerTo(
  set: HookResponse | null,
  { status, json, headers: sent }: Answered,
): Answer {
  if (set === null)
    return { status, headers: { "Content-Type": JSON_TYPE }, body: JSON.stringify(json) };
  const given = Object.entries(set.headers ?? {});
  const type = given.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const content = contentOf(set, type, json, sent);
  return {
    status: set.status ?? status,
    headers: {
      ...(content !== null && {
        "Content-Type": type ?? (set.body === undefined ? JSON_TYPE : TEXT),
      }),
      ...Object.fromEntries(given),
      ...SANDBOX,
    },
    body: content,
  };
}

const JSON_TYPE = "application/json";
const TEXT = "text/plain; charset=utf-8";

function contentOf(
  { body }: HookResponse,
  type: string | undefined,
  json: Answered["json"],
  sent: Headers,
): string | null {
  if (body === undefined) return JSON.stringify(json);
  if (body === "") return null;
  const escaped = escapeFor(type);
  return body.replaceAll(REFERENCE, (_, reference: string) => {
    const name = reference.trim();
    return escaped(
      name === "requestId" ? json.requestId : (sent.get(name.replace("header.", "")) ?? ""),
    );
  });
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Returns how a value is written within a text of this type. */
function escapeFor(type = TEXT): (value: string) => string {
  if (/\bjson\b/i.test(type)) return (value) => JSON.stringify(value).slice(1, -1);
  if (/\b(?:html|xml)\b/i.test(type)) {
    return (value) => value.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
  }
  return (value) => value;
}

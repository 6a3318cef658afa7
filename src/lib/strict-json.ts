/** Containers that may be open at once. */
export const MAX_JSON_DEPTH = 64;

/** What reading JSON came to. `detail` is a sentence for the sender that says where. */
export type StrictJson =
  | { ok: true; value: unknown }
  | { ok: false; code: "malformed_json" | "invalid_request"; detail: string };

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/**
 * Reads JSON that means the same to every reader: UTF-8, no name twice in an object (RFC 8259 §4
 * leaves the meaning of that open, and two readers that differ are a way around a check), no half
 * surrogate, no number beyond a double, at most 64 levels. `__proto__` stays an ordinary own property.
 */
export function parseStrictJson(bytes: Uint8Array): StrictJson {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return malformed("The body is not UTF-8.");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return malformed(`The body is not JSON: ${error instanceof Error ? error.message : error}.`);
  }
  return flawOf(text) ?? { ok: true, value };
}

const malformed = (detail: string): StrictJson => ({ ok: false, code: "malformed_json", detail });
const refused = (detail: string): StrictJson => ({ ok: false, code: "invalid_request", detail });

const NUMBER = /[-+.0-9eE]+/y;
const COLON = /[ \t\r\n]*:/y;

/** What JSON.parse lets pass. One pass over a text that is known to be JSON, without recursion. */
function flawOf(text: string): StrictJson | null {
  const open: Set<string>[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text[at];
    if (char === '"') {
      const end = endOfString(text, at);
      const string = decode(text.slice(at, end));
      if (!string.isWellFormed()) return refused(`Half a surrogate pair at position ${at}.`);
      COLON.lastIndex = end;
      const isName = COLON.test(text);
      const names = open.at(-1);
      if (isName && names?.has(string)) {
        return malformed(`The name ${quote(string)} comes twice in one object, at position ${at}.`);
      }
      if (isName) names?.add(string);
      at = end;
    } else if (char === "{" || char === "[") {
      open.push(new Set());
      if (open.length > MAX_JSON_DEPTH) {
        return refused(`More than ${MAX_JSON_DEPTH} levels of nesting at position ${at}.`);
      }
      at += 1;
    } else if (char === "}" || char === "]") {
      open.pop();
      at += 1;
    } else if (char === "-" || (char !== undefined && char >= "0" && char <= "9")) {
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(text)?.[0] ?? char;
      if (!Number.isFinite(Number(number))) return refused(`A number too large at position ${at}.`);
      at += number.length;
    } else {
      at += 1;
    }
  }
  return null;
}

/** The position after the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  let quote = start;
  let escapes: number;
  do {
    quote = text.indexOf('"', quote + 1);
    escapes = 0;
    while (text[quote - 1 - escapes] === "\\") escapes += 1;
  } while (escapes % 2 === 1);
  return quote + 1;
}

function decode(literal: string): string {
  return literal.includes("\\") ? JSON.parse(literal) : literal.slice(1, -1);
}

const quote = (name: string): string =>
  JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);

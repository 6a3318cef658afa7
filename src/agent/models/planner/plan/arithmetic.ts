const EXPRESSION =
  /^\s*(?:please\s+)?(?:what(?:'s| is| does)|calculate|compute|evaluate|work out|solve|how much is|tell me)?\s*(?:the (?:result|value|answer) of|of)?\s*([\d\s.,+\-*/×÷x^()%]{3,200}?)\s*(?:equals?|=|make)?\s*[?.=!]*\s*$/i;
const DATE =
  /^\s*(?:please\s+)?(?:what(?:'s| is)|tell me|give me)\s+(?:today's date|the (?:current )?date(?: today)?|the (?:current )?(?:day|time)(?: is it)?|the date today)(?:\s+(?:now|today|in utc))?\s*[?.!]*\s*$|^\s*what (?:day|date|time) is (?:it|today)(?:\s+(?:now|today))?\s*[?.!]*\s*$/i;
const MAX_DEPTH = 30;

class Reader {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The value of the whole text, or null when it is no arithmetic. */
  read(): number | null {
    const value = this.sum(0);
    return this.at === this.text.length ? value : null;
  }

  private take(mark: string): boolean {
    if (this.text[this.at] !== mark) return false;
    this.at++;
    return true;
  }

  private sum(depth: number): number | null {
    let value = this.product(depth);
    while (value !== null) {
      const sign = this.take("+") ? 1 : this.take("-") ? -1 : 0;
      if (sign === 0) return value;
      const next = this.product(depth);
      value = next === null ? null : value + sign * next;
    }
    return null;
  }

  private product(depth: number): number | null {
    let value = this.factor(depth);
    while (value !== null) {
      const times = this.take("*");
      if (!times && !this.take("/")) return value;
      const next = this.factor(depth);
      value = next === null ? null : times ? value * next : value / next;
    }
    return null;
  }

  private factor(depth: number): number | null {
    if (depth > MAX_DEPTH) return null;
    if (this.take("-")) {
      const value = this.factor(depth + 1);
      return value === null ? null : -value;
    }
    const base = this.take("(") ? this.group(depth) : this.number();
    if (base === null || !this.take("^")) return base;
    const power = this.factor(depth + 1);
    return power === null ? null : base ** power;
  }

  private group(depth: number): number | null {
    const value = this.sum(depth + 1);
    return this.take(")") ? value : null;
  }

  private number(): number | null {
    const digits = /^\d+(?:\.\d+)?/.exec(this.text.slice(this.at, this.at + 40))?.[0];
    if (digits === undefined) return null;
    this.at += digits.length;
    return this.take("%") ? Number(digits) / 100 : Number(digits);
  }
}

const N = String.raw`(-?\d[\d,]*(?:\.\d+)?%?)`;
/** Sums that are told in words. */
const WORDED: [RegExp, string][] = [
  [new RegExp(`\\bmultiply ${N} (?:by|with|and|times) ${N}`, "i"), "$1 * $2"],
  [new RegExp(`\\bdivide ${N} by ${N}`, "i"), "$1 / $2"],
  [new RegExp(`\\bsubtract ${N} from ${N}`, "i"), "$2 - $1"],
  [new RegExp(`\\badd ${N} (?:to|and) ${N}`, "i"), "$1 + $2"],
  [new RegExp(`\\bdouble ${N}`, "i"), "2 * $1"],
  [new RegExp(`\\b(?:the )?square root of ${N}`, "i"), "$1 ^ 0.5"],
  [new RegExp(`\\b(?:the )?square of ${N}`, "i"), "$1 ^ 2"],
  [new RegExp(`\\b(?:the )?(?:product) of ${N} and ${N}`, "i"), "$1 * $2"],
  [new RegExp(`${N} (?:times|multiplied by) ${N}`, "i"), "$1 * $2"],
  [new RegExp(`${N} divided by ${N}`, "i"), "$1 / $2"],
  [new RegExp(`${N} plus ${N}`, "i"), "$1 + $2"],
  [new RegExp(`${N} minus ${N}`, "i"), "$1 - $2"],
  [new RegExp(`${N} (?:to the power of|raised to(?: the power of)?) ${N}`, "i"), "$1 ^ $2"],
];

function inSigns(text: string): string {
  return WORDED.reduce((said, [words, signs]) => said.replace(words, signs), text);
}

/**
 * The answer to a prompt that is nothing but arithmetic ("What is 12 * 7?") or that asks for the date;
 * null for every other prompt. Sums are rounded to 10 decimals, against binary noise.
 */
export function calculate(prompt: string, now: Date): string | null {
  if (DATE.test(prompt)) {
    return `It is ${now.toISOString().slice(0, 10)}, ${now.toISOString().slice(11, 16)} UTC.`;
  }
  const short = inSigns(prompt.slice(0, 400)).replace(/(\d\s?)(?:%|percent) of (?=\d)/gi, "$1% * ");
  const found = EXPRESSION.exec(short)?.[1];
  if (found === undefined) return null;
  const text = found
    .replace(/\s*(?:×|x)\s*/gi, "*")
    .replace(/÷/g, "/")
    .replace(/(\d),(?=\d{3}\b)/g, "$1")
    .replace(/\s+/g, "");
  if (!/\d[)%]*[-+*/^]+[(-]*\d/.test(text) || /^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const value = new Reader(text).read();
  if (value === null || !Number.isFinite(value)) return null;
  return `${found.trim()} = ${Number(value.toFixed(10))}`;
}

/** What a sum comes to, of a reply that tells it. */
export function resultOf(reply: string): number | undefined {
  const value = Number(/= (\S+)$/.exec(reply)?.[1] ?? Number.NaN);
  return Number.isNaN(value) ? undefined : value;
}

const FIRST =
  /^([^?!\n]{3,200}?)(?:\s*[?.!]\s+|\s*,?\s+(?:and then|and|then)\s+|\s*,\s*)(?=(?:then\s+|please\s+)*(?:send|e-?mail|mail|post|put|patch|save|write|store|tell)\b)([\s\S]+)$/i;
const WITHIN =
  /\bthe (?:result|answer|value|outcome) of ((?:[\d(-])[\d\s.+*/×÷^()%x-]{1,60}[\d)%])(?=\s*(?:$|[,.;]|\b(?:to|by|and|as|via|with)\b))/i;

/** A prompt in which a sum is worked out, where something is to be done with what it comes to. */
export function withSum(prompt: string, now: Date): string {
  const [, sum = "", rest = ""] = FIRST.exec(prompt) ?? [];
  const first = resultOf(calculate(sum, now) ?? "");
  if (first !== undefined) return `Get the result from {"result": ${first}} and ${rest}`;
  return prompt.replace(WITHIN, (raw, within: string) => {
    const value = resultOf(calculate(within, now) ?? "");
    return value === undefined ? raw : `the result of {"result": ${value}}`;
  });
}

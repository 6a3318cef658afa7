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

/**
 * The answer to a prompt that is nothing but arithmetic ("What is 12 * 7?") or that asks for the date;
 * null for every other prompt. Sums are rounded to 10 decimals, against binary noise.
 */
export function calculate(prompt: string, now: Date): string | null {
  if (DATE.test(prompt)) {
    return `It is ${now.toISOString().slice(0, 10)}, ${now.toISOString().slice(11, 16)} UTC.`;
  }
  const short = prompt.slice(0, 400).replace(/(\d\s?)(?:%|percent) of (?=\d)/gi, "$1% * ");
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

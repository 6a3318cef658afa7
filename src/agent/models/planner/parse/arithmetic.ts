import type { Token } from "../text/tokens.ts";

type Operator = "+" | "-" | "*" | "/" | "^" | "(" | ")";
type Piece = { kind: "number"; value: number } | { kind: "operator"; operator: Operator };

const MARKS: Readonly<Record<string, Operator | undefined>> = {
  "+": "+",
  "-": "-",
  "−": "-",
  "–": "-",
  "*": "*",
  "×": "*",
  "·": "*",
  "/": "/",
  "÷": "/",
  "^": "^",
  "(": "(",
  ")": ")",
};
const WORDS: Readonly<Record<string, Operator | undefined>> = {
  plus: "+",
  minus: "-",
  times: "*",
  x: "*",
  multiplied: "*",
  divided: "/",
  over: "/",
};

/** Returns an expression and its value; null if the tokens are not a calculation with at least one operator. */
export function arithmeticOf(
  tokens: readonly Token[],
): { expression: string; value: number } | null {
  const pieces = piecesOf(tokens);
  const isCalculation =
    pieces?.some((piece) => piece.kind === "operator" && !"()".includes(piece.operator)) ?? false;
  if (pieces === null || !isCalculation) return null;
  const reader = new Expression(pieces);
  const value = reader.sum();
  if (value === null || !reader.isAtEnd || !Number.isFinite(value)) return null;
  const expression = pieces
    .map((piece) => (piece.kind === "number" ? String(piece.value) : piece.operator))
    .join(" ")
    .replaceAll("( ", "(")
    .replaceAll(" )", ")");
  return { expression, value: Number(value.toPrecision(12)) };
}

function piecesOf(tokens: readonly Token[]): Piece[] | null {
  const pieces: Piece[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "number") {
      // "7 -2" is a difference, not two numbers.
      const isGlued = token.value < 0 && pieces.at(-1)?.kind === "number";
      if (isGlued) pieces.push({ kind: "operator", operator: "+" });
      if (token.unit !== "") return null;
      pieces.push({ kind: "number", value: token.value });
      continue;
    }
    const previous = tokens[index - 1];
    const isBy = token.kind === "word" && token.word === "by" && previous?.kind === "word";
    if (isBy) continue;
    const operator =
      token.kind === "mark"
        ? MARKS[token.mark]
        : token.kind === "word"
          ? WORDS[token.word]
          : undefined;
    if (operator === undefined) return null;
    pieces.push({ kind: "operator", operator });
  }
  return pieces;
}

/** Reads an expression by recursive descent; each method returns null where it is malformed. */
class Expression {
  readonly #pieces: readonly Piece[];
  #at = 0;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#pieces.length;
  }

  sum(): number | null {
    let left = this.#product();
    for (;;) {
      const operator = this.#take("+", "-");
      if (operator === null || left === null) return left;
      const right = this.#product();
      if (right === null) return null;
      left = operator === "+" ? left + right : left - right;
    }
  }

  #product(): number | null {
    let left = this.#power();
    for (;;) {
      const operator = this.#take("*", "/");
      if (operator === null || left === null) return left;
      const right = this.#power();
      if (right === null) return null;
      left = operator === "*" ? left * right : left / right;
    }
  }

  #power(): number | null {
    const base = this.#atom();
    if (base === null || this.#take("^") === null) return base;
    const exponent = this.#power();
    return exponent === null ? null : base ** exponent;
  }

  #atom(): number | null {
    if (this.#take("-") !== null) {
      const value = this.#atom();
      return value === null ? null : -value;
    }
    if (this.#take("(") !== null) {
      const value = this.sum();
      return this.#take(")") === null ? null : value;
    }
    const piece = this.#pieces[this.#at];
    if (piece?.kind !== "number") return null;
    this.#at += 1;
    return piece.value;
  }

  #take(...operators: Operator[]): Operator | null {
    const piece = this.#pieces[this.#at];
    if (piece?.kind !== "operator" || !operators.includes(piece.operator)) return null;
    this.#at += 1;
    return piece.operator;
  }
}

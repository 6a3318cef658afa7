import type { Token } from "../text/tokens.ts";

/** Operators by how they are written; "by" follows "divided" and says nothing. */
const OPERATORS: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries([..."+-*/^()"].map((mark) => [mark, mark])),
  ...{ "−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", by: "" },
  ...{ plus: "+", minus: "-", times: "*", x: "*", multiplied: "*", divided: "/", over: "/" },
};
const RANKS: Readonly<Record<string, number | undefined>> = {
  ...{ "+": 1, "-": 1, "*": 2, "/": 2, "^": 3 },
};

/** Returns an expression and its value; null if the tokens are not a calculation with at least one operator. */
export function arithmeticOf(
  tokens: readonly Token[],
): { expression: string; value: number } | null {
  const pieces = tokens.flatMap((token, index): (number | string)[] => {
    if (token.kind !== "number") return [OPERATORS[token.text.toLowerCase()] ?? "?"];
    // "7 -2" is a difference, not two numbers.
    const isGlued = token.value < 0 && tokens[index - 1]?.kind === "number";
    return [...(isGlued ? ["+"] : []), token.unit === "" ? token.value : "?"];
  });
  const read = pieces.filter((piece) => piece !== "");
  if (!read.some((piece) => RANKS[piece] !== undefined)) return null;
  const rest = [...read];
  const value = resultOf(rest, 1);
  if (value === null || rest.length > 0 || !Number.isFinite(value)) return null;
  const expression = read.join(" ").replaceAll("( ", "(").replaceAll(" )", ")");
  return { expression, value: Number(value.toPrecision(12)) };
}

/** Takes an expression of operators of a rank or above off the pieces; null where it is malformed. */
function resultOf(pieces: (number | string)[], rank: number): number | null {
  let left = atomOf(pieces);
  for (;;) {
    const [operator = ""] = pieces;
    const own = RANKS[operator] ?? 0;
    if (left === null || own < rank) return left;
    pieces.shift();
    const right = resultOf(pieces, operator === "^" ? own : own + 1);
    left = right === null ? null : computed(left, String(operator), right);
  }
}

function atomOf(pieces: (number | string)[]): number | null {
  const first = pieces.shift();
  if (typeof first === "number") return first;
  if (first === "-") {
    const value = atomOf(pieces);
    return value === null ? null : -value;
  }
  const value = first === "(" ? resultOf(pieces, 1) : null;
  return value !== null && pieces.shift() === ")" ? value : null;
}

function computed(left: number, operator: string, right: number): number {
  if (operator === "+") return left + right;
  if (operator === "-") return left - right;
  if (operator === "*") return left * right;
  return operator === "/" ? left / right : left ** right;
}

import tokenizer, { type Token, type Tokens, types } from "ret";

const MAX_PATTERN_LENGTH = 500;
/** Ways in which the bounded parts of a pattern may share out one text. */
const MAX_WAYS = 1_000_000;
/** Repetitions without an end, each of which multiplies the time by the length of the text. */
const MAX_UNBOUNDED = 3;

/**
 * Why a regular expression may take a time that grows without reason with its text, as a sentence;
 * null when it is fit to be run on other people's text. The engine tries one way of matching after
 * another, so what counts is how many ways there are to match the same text. The rule errs on the side
 * of refusing: it does not look at what the parts of a repetition can match.
 */
export function unsafePattern(pattern: string): string | null {
  if (pattern.length > MAX_PATTERN_LENGTH) return `is longer than ${MAX_PATTERN_LENGTH} characters`;
  try {
    new RegExp(pattern, "u");
  } catch {
    return "is not a regular expression (ECMA-262 with the u flag)";
  }
  const unbounded = { count: 0 };
  const ways = waysOf(tokenizer(pattern), unbounded);
  if (ways === Infinity) return "repeats something that can itself match in several ways";
  if (ways > MAX_WAYS) return "can match the same text in too many ways";
  if (unbounded.count > MAX_UNBOUNDED)
    return `has more than ${MAX_UNBOUNDED} repetitions without end`;
  return null;
}

/** In how many ways a part can match one text, an endless repetition being counted apart. */
function waysOf(token: Tokens, unbounded: { count: number }): number {
  switch (token.type) {
    case types.ROOT:
    case types.GROUP: {
      const options = token.options ?? [token.stack ?? []];
      const ways = options.map((tokens) => product(tokens, unbounded));
      return areExclusive(options) ? Math.max(...ways) : ways.reduce((sum, next) => sum + next, 0);
    }
    case types.REPETITION: {
      const before = unbounded.count;
      const inner = waysOf(token.value, unbounded);
      const hasEndless = unbounded.count > before;
      if (token.max > 1 && hasEndless) return Infinity;
      if (token.max !== Infinity) return (token.max - token.min + 1) * inner ** token.max;
      unbounded.count += 1;
      return inner > 1 ? Infinity : 1;
    }
    case types.REFERENCE:
      return Infinity;
    default:
      return 1;
  }
}

function product(tokens: Token[], unbounded: { count: number }): number {
  return tokens.reduce((ways, token) => ways * waysOf(token, unbounded), 1);
}

/** Whether the first character alone decides which of the options can match. */
function areExclusive(options: Token[][]): boolean {
  const first = options.map(([token]) => (token?.type === types.CHAR ? token.value : null));
  return !first.includes(null) && new Set(first).size === first.length;
}

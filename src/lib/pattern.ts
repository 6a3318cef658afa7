import { type AST, RegExpParser } from "@eslint-community/regexpp";

const MAX_PATTERN_LENGTH = 500;
/** Ways in which the bounded parts of a pattern may share out one text. */
const MAX_WAYS = 1_000_000;
/** Repetitions without an end, each of which multiplies the time by the length of the text. */
const MAX_ENDLESS = 3;

const parser = new RegExpParser();

/** How a part of a pattern can share out a text: in `ways`, besides what its endless parts do. */
interface Freedom {
  ways: number;
  endless: number;
}

const FIXED: Freedom = { ways: 1, endless: 0 };
const RUNAWAY: Freedom = { ways: Number.POSITIVE_INFINITY, endless: 0 };

/**
 * Why a regular expression may take a time that grows without reason with its text, as a sentence;
 * null when it is fit to be run on other people's text. The engine tries one way of matching after
 * another, so what counts is how many ways there are to match the same text. The rule errs on the side
 * of refusing: it does not look at what the parts of a repetition can match.
 */
export function unsafePattern(pattern: string): string | null {
  if (pattern.length > MAX_PATTERN_LENGTH) return `is longer than ${MAX_PATTERN_LENGTH} characters`;
  let parsed: AST.Pattern;
  try {
    parsed = parser.parsePattern(pattern, 0, pattern.length, { unicode: true });
  } catch {
    return "is not a regular expression (ECMA-262 with the u flag)";
  }
  const { ways, endless } = ofOptions(parsed.alternatives);
  if (ways === Number.POSITIVE_INFINITY) {
    return "repeats something that can itself match in several ways";
  }
  if (ways > MAX_WAYS) return "can match the same text in too many ways";
  if (endless > MAX_ENDLESS) return `has more than ${MAX_ENDLESS} repetitions without end`;
  return null;
}

function ofElement(element: AST.Element): Freedom {
  switch (element.type) {
    case "Group":
    case "CapturingGroup":
      return ofOptions(element.alternatives);
    case "Assertion":
      return "alternatives" in element ? ofOptions(element.alternatives) : FIXED;
    case "Quantifier":
      return ofRepetition(element);
    case "Backreference":
      return RUNAWAY;
    default:
      return FIXED;
  }
}

function ofRepetition({ element, min, max }: AST.Quantifier): Freedom {
  const { ways, endless } = ofElement(element);
  if (max > 1 && endless > 0) return RUNAWAY;
  if (max === Number.POSITIVE_INFINITY) return ways > 1 ? RUNAWAY : { ways, endless: 1 };
  return { ways: (max - min + 1) * ways ** max, endless };
}

function ofOptions(options: AST.Alternative[]): Freedom {
  const each = options.map(({ elements }) => ofSequence(elements));
  const ways = each.map((option) => option.ways);
  return {
    ways: areExclusive(options) ? Math.max(...ways) : ways.reduce((sum, next) => sum + next, 0),
    endless: each.reduce((sum, { endless }) => sum + endless, 0),
  };
}

function ofSequence(elements: AST.Element[]): Freedom {
  return elements
    .map(ofElement)
    .reduce(
      (all, next) => ({ ways: all.ways * next.ways, endless: all.endless + next.endless }),
      FIXED,
    );
}

/** Whether the first character alone decides which of the options can match. */
function areExclusive(options: AST.Alternative[]): boolean {
  const first = options.map(({ elements: [element] }) =>
    element?.type === "Character" ? element.value : null,
  );
  return !first.includes(null) && new Set(first).size === first.length;
}

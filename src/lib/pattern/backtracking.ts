import type { AST } from "@eslint-community/regexpp";

/**
 * Whether a backtracking engine could take exponential time for a pattern: it repeats without end a part
 * that an endless repetition inside can match alone, as `(a+)+`, `(\w+\s?)*` and `(.*)*` do, or that
 * has the same alternative twice. `([a-z]+\.)+` does not: each round ends at the dot.
 */
export function runsAway(pattern: AST.Pattern): boolean {
  return pattern.alternatives.some(({ elements }) => elements.some(elementRunsAway));
}

function elementRunsAway(element: AST.Element): boolean {
  if (element.type === "Quantifier") {
    const { max, element: repeated } = element;
    if (max === Number.POSITIVE_INFINITY && canBeShared(repeated)) return true;
    return elementRunsAway(repeated);
  }
  return alternativesOf(element).some(({ elements }) => elements.some(elementRunsAway));
}

/** Whether rounds of this part can share the same text in several ways. */
function canBeShared(repeated: AST.QuantifiableElement): boolean {
  const texts = alternativesOf(repeated).map(({ raw }) => raw);
  return new Set(texts).size < texts.length || canBeEndless(repeated);
}

/** Whether an element can match ever more text, as a whole or by all of an alternative. */
function canBeEndless(element: AST.Element): boolean {
  if (element.type === "Quantifier") {
    return element.max === Number.POSITIVE_INFINITY || canBeEndless(element.element);
  }
  return alternativesOf(element).some(({ elements }) =>
    elements.some(
      (inner, at) =>
        canBeEndless(inner) && elements.every((other, i) => i === at || canBeEmpty(other)),
    ),
  );
}

function canBeEmpty(element: AST.Element): boolean {
  if (element.type === "Assertion") return true;
  if (element.type === "Quantifier") return element.min === 0 || canBeEmpty(element.element);
  return alternativesOf(element).some(({ elements }) => elements.every(canBeEmpty));
}

/**
 * Whether a search stops near its match, so that finding all matches takes linear time. Every match
 * takes the same way through such a pattern, and only single characters repeat without end: a search
 * that reads on after a match looks for a better one, and ends where the next match could not begin. A
 * choice that contains an endless repetition, as `a(?:.*z)?`, can read all of the text for each match.
 */
export function stopsAtMatch({ alternatives }: AST.Pattern): boolean {
  return areDirect(alternatives);
}

function areDirect(alternatives: AST.Alternative[]): boolean {
  const isChoice = alternatives.length > 1;
  return alternatives.every(({ elements }) => elements.every(isChoice ? isBounded : isDirect));
}

function isDirect(element: AST.Element): boolean {
  if (element.type !== "Quantifier") return areDirect(alternativesOf(element));
  return alternativesOf(element.element).length === 0 || isBounded(element);
}

function isBounded(element: AST.Element): boolean {
  if (element.type === "Quantifier") {
    return element.max < Number.POSITIVE_INFINITY && isBounded(element.element);
  }
  return alternativesOf(element).every(({ elements }) => elements.every(isBounded));
}

function alternativesOf(element: AST.Element): AST.Alternative[] {
  return element.type === "Group" || element.type === "CapturingGroup" ? element.alternatives : [];
}

import type { AST } from "@eslint-community/regexpp";

/**
 * Whether an engine that backtracks could take an exponential time for a pattern: it repeats without
 * end something that one endless repetition inside can match alone, as `(a+)+`, `(\w+\s?)*` and
 * `(.*)*` do, or that has the same option twice. `([a-z]+\.)+` does not: its rounds end at the dot.
 */
export function runsAway(pattern: AST.Pattern): boolean {
  return pattern.alternatives.some((option) => option.elements.some(elementRunsAway));
}

function elementRunsAway(element: AST.Element): boolean {
  if (element.type === "Quantifier") {
    const { max, element: repeated } = element;
    if (max === Number.POSITIVE_INFINITY && canBeShared(repeated)) return true;
    return elementRunsAway(repeated);
  }
  return optionsOf(element).some((option) => option.elements.some(elementRunsAway));
}

/** Whether rounds of this can share out the same text in several ways. */
function canBeShared(repeated: AST.QuantifiableElement): boolean {
  const options = optionsOf(repeated);
  const texts = options.map(({ raw }) => raw);
  if (new Set(texts).size < texts.length) return true;
  return options.some(({ elements }) =>
    elements.some(
      (element, at) =>
        isEndless(element) && elements.every((other, i) => i === at || canBeEmpty(other)),
    ),
  );
}

/** Whether an element can match ever more text, as a whole or by an option that is all of it. */
function isEndless(element: AST.Element): boolean {
  if (element.type === "Quantifier") {
    return element.max === Number.POSITIVE_INFINITY || isEndless(element.element);
  }
  return optionsOf(element).some(({ elements }) =>
    elements.some(
      (inner, at) =>
        isEndless(inner) && elements.every((other, i) => i === at || canBeEmpty(other)),
    ),
  );
}

function canBeEmpty(element: AST.Element): boolean {
  if (element.type === "Assertion") return true;
  if (element.type === "Quantifier") return element.min === 0 || canBeEmpty(element.element);
  const options = optionsOf(element);
  return options.some(({ elements }) => elements.every(canBeEmpty));
}

function optionsOf(element: AST.Element): AST.Alternative[] {
  return element.type === "Group" || element.type === "CapturingGroup" ? element.alternatives : [];
}

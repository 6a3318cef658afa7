import type { Condition } from "../../../contract/webhooks/routing.ts";

const COMPARISONS = { gt: ">", gte: "≥", lt: "<", lte: "≤" } as const;

/** Puts a condition in words: `action is "opened" and number > 7`. */
export function conditionText(condition: Condition): string {
  const { all, any, not, jsonata } = condition;
  if (all !== undefined) return all.map((one) => nested(one, "any")).join(" and ");
  if (any !== undefined) return any.map((one) => nested(one, "all")).join(" or ");
  if (not !== undefined) return `not (${conditionText(not)})`;
  if (jsonata !== undefined) return `JSONata ${jsonata}`;
  return comparisonText(condition);
}

/** A combination of the other kind needs brackets. */
function nested(condition: Condition, other: "all" | "any"): string {
  const text = conditionText(condition);
  return condition[other] === undefined ? text : `(${text})`;
}

function comparisonText(condition: Condition): string {
  const { in: part = "body", path = "", exists, equals, oneOf, matches, ignoreCase } = condition;
  const name = part === "body" ? path : `${part} ${path}`;
  if (exists !== undefined) return `${name} ${exists ? "exists" : "is missing"}`;
  if (equals !== undefined) return `${name} is ${JSON.stringify(equals)}`;
  if (oneOf !== undefined) {
    return `${name} is one of ${oneOf.map((one) => JSON.stringify(one)).join(", ")}`;
  }
  if (matches !== undefined) {
    return `${name} matches ${matches}${ignoreCase === true ? " in any case" : ""}`;
  }
  const bounds = Object.entries(COMPARISONS).flatMap(([operator, sign]) => {
    const bound = Object.entries(condition).find(([key]) => key === operator)?.[1];
    return bound === undefined ? [] : [`${name} ${sign} ${bound}`];
  });
  return bounds.join(" and ");
}

import { expect, it } from "vitest";
import type { Condition } from "../../../../src/contract/webhooks/routing.ts";
import { conditionText } from "../../../../src/dashboard/pages/webhooks/endpoint-routes.tsx";

const A: Condition = { path: "a", exists: true };
const B: Condition = { in: "header", path: "X-B", exists: false };

it.each<[Condition, string]>([
  [A, "a exists"],
  [B, "header X-B is missing"],
  [{ path: "a", equals: "x" }, 'a is "x"'],
  [{ path: "a", oneOf: [1, null] }, "a is one of 1, null"],
  [{ in: "query", path: "a", matches: "^v" }, "query a matches ^v"],
  [{ path: "a", matches: "^v", ignoreCase: true }, "a matches ^v in any case"],
  [{ path: "a", gte: 7 }, "a ≥ 7"],
  [{ all: [A, { any: [A, B] }] }, "a exists and (a exists or header X-B is missing)"],
  [{ any: [{ all: [A, B] }, A] }, "(a exists and header X-B is missing) or a exists"],
  [{ not: A }, "not (a exists)"],
  [{ jsonata: "a > 1" }, "JSONata a > 1"],
])("describes %j in words", (condition, words) => {
  expect(conditionText(condition)).toBe(words);
});

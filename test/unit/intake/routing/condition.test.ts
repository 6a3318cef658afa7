import { describe, expect, it } from "vitest";
import type { PayloadValue } from "../../../../src/contract/webhooks/payload.ts";
import { type Condition, condition } from "../../../../src/contract/webhooks/routing.ts";
import { sourcesOf } from "../../../../src/intake/mapping/sources.ts";
import { WorkBudget } from "../../../../src/intake/mapping/work-budget.ts";
import { conditionFaults, judge } from "../../../../src/intake/routing/condition.ts";

const PAYLOAD: PayloadValue = {
  action: "opened",
  number: 7,
  id: 12345678901234567890n,
  at: "2026-11-20T10:00:00+01:00",
  labels: [{ name: "bug" }],
  draft: null,
};

function judged(when: Condition, payload = PAYLOAD) {
  const headers = new Headers({ "X-GitHub-Event": "pull_request" });
  const url = new URL("https://service.example/hooks/a?n=3");
  const sources = sourcesOf({ method: "POST", url, headers });
  return judge(when, { payload, sources, budget: new WorkBudget() });
}

describe("a comparison", () => {
  it.each<[Condition, boolean]>([
    [{ path: "action", equals: "opened" }, true],
    [{ path: "action", equals: "closed" }, false],
    [{ path: "labels[0]", equals: { name: "bug" } }, true],
    [{ path: "draft", equals: null }, true],
    [{ path: "missing", equals: null }, false],
    [{ path: "number", equals: "7" }, false],
    [{ path: "action", oneOf: ["closed", "opened"] }, true],
    [{ path: "action", matches: "^open" }, true],
    [{ path: "action", matches: "^pen" }, false],
    [{ path: "action", matches: "^OPEN", ignoreCase: true }, true],
    [{ path: "number", matches: "7" }, false],
    [{ path: "draft", exists: true }, true],
    [{ path: "missing", exists: true }, false],
    [{ path: "missing", exists: false }, true],
    [{ path: "number", gt: 7 }, false],
    [{ path: "number", gte: 7 }, true],
    [{ path: "number", lt: 7 }, false],
    [{ path: "number", lte: 7 }, true],
    [{ path: "id", gt: 12345678901234560000 }, true],
    [{ path: "action", gt: 1 }, false],
    [{ path: "at", lt: "2026-11-20T09:00:01Z" }, true],
    [{ path: "at", gt: "2026-11-20T09:00:00Z" }, false],
    [{ in: "header", path: "x-github-event", equals: "pull_request" }, true],
    [{ in: "query", path: "n", gte: 3 }, true],
  ])("%j is %s", async (when, holds) => {
    expect((await judged(when)).holds).toBe(holds);
  });

  it("reports the value and the expected one", async () => {
    expect((await judged({ path: "action", equals: "closed" })).reason).toBe(
      '`action` is "opened", not "closed".',
    );
    expect((await judged({ in: "header", path: "X-None", exists: true })).reason).toBe(
      "`header X-None` is missing.",
    );
  });
});

const yes: Condition = { path: "number", equals: 7 };
const no: Condition = { path: "number", equals: 8 };

it.each<[Condition, boolean]>([
  [{ all: [yes, yes] }, true],
  [{ all: [yes, no] }, false],
  [{ any: [no, yes] }, true],
  [{ any: [no, no] }, false],
  [{ not: { any: [no, yes] } }, false],
  [{ jsonata: "labels.name = 'bug' and number > 5" }, true],
  [{ jsonata: "$headers.`x-github-event` = 'push'" }, false],
  [{ jsonata: "$query.n = '3'" }, true],
  [{ jsonata: "missing" }, false],
  [{ jsonata: "labels" }, true],
])("the combination or expression %j is %s", async (when, holds) => {
  expect((await judged(when)).holds).toBe(holds);
});

it("an expression that takes too much work does not match", async () => {
  const endless = "($f := function($n) { $f($n + 1) }; $f(0))";
  const reason = expect.stringContaining("too much work");
  expect(await judged({ jsonata: endless })).toMatchObject({ holds: false, reason });
});

describe("a condition to be saved", () => {
  it.each([
    [{}],
    [{ path: "a" }],
    [{ path: "a", equals: 1, exists: true }],
    [{ path: "a", equals: 1, not: { path: "b", exists: true } }],
    [{ not: { path: "b", exists: true }, equals: 1 }],
    [{ path: "a", equal: 1 }],
  ])("must have one form and one operator, unlike %j", (given) => {
    expect(condition.safeParse(given).success).toBe(false);
  });

  it.each<[Condition, string]>([
    [{ path: "a..b", exists: true }, "when.path"],
    [{ all: [{ path: "a", matches: "(a+)+" }] }, "when.all[0].matches"],
    [{ not: { path: "a", gt: "tomorrow" } }, "when.not.gt"],
    [{ jsonata: "a +" }, "when.jsonata"],
    [{ in: "header", path: "Authorization", exists: true }, "when.path"],
  ])("is refused for %j", (given, path) => {
    expect(conditionFaults(given, "when")).toMatchObject([{ path }]);
  });

  it("ignores case only if it has a pattern", () => {
    const given = { path: "action", equals: "OPEN", ignoreCase: true };
    expect(condition.safeParse(given).error?.issues).toMatchObject([
      { message: "must have `matches` beside `ignoreCase`" },
    ]);
  });
});

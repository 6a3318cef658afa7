import { expect, it } from "vitest";
import { DEFAULT_QUOTAS, quotaReached, quotas } from "../../../src/contract/operators.ts";

it.each(quotas.keyof().options)("the error of a reached quota names the next step: %s", (quota) => {
  const most = DEFAULT_QUOTAS[quota];
  const [named, ...advice] = quotaReached(quota, most).split(/(?<=\.) /);
  expect(named).toBe(`The account's quota \`${quota}\` of ${most} is used up.`);
  expect(advice.join(" ")).toMatch(
    /^(Delete|Shorten|Try again) .*, or ask the operators for more\.$/,
  );
});

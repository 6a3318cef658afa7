import type { Check, Findings, Verdict } from "../../../../src/intake/checks/check.ts";
import type { Endpoint, InboundRequest } from "../../../../src/intake/types.ts";
import { NOBODY, NOW } from "../../../support/hook-request.ts";

/** What a check says of a request, after checks that found this. */
export async function verdictOf(
  check: Check,
  endpoint: Endpoint,
  request: InboundRequest,
  found: Partial<Findings> = {},
  { minTlsVersion = "1.3", mapAnyway = false } = {},
): Promise<Verdict> {
  return await check.run({
    endpoint,
    request,
    now: NOW,
    minTlsVersion,
    mapAnyway,
    sender: NOBODY,
    others: async () => [],
    found: {
      signedAt: null,
      payload: undefined,
      mappedInputs: null,
      warnings: [],
      routes: null,
      ...found,
    },
  });
}

/** The same, as its kind or the rules that were broken. */
export async function rulesOf(...context: Parameters<typeof verdictOf>): Promise<string> {
  const verdict = await verdictOf(...context);
  if (verdict.kind !== "refused") return verdict.kind;
  return `${verdict.code}: ${verdict.errors.map(({ rule }) => rule).join(", ")}`;
}

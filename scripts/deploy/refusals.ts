/** A refusal by Cloudflare: its code and its words. */
export interface Refusal {
  /** Null where Cloudflare gave none. */
  code: number | null;
  message: string;
}

/** The account has no such Worker, or no workers.dev subdomain, by what was asked for. */
export const NOT_FOUND = 10_007;
/** https://github.com/cloudflare/workers-sdk/issues/8756 */
export const NO_LIMITS_ON_FREE_PLAN = 100_328;

/** What to do, by Cloudflare's codes. */
const ADVICE = new Map([
  ...[7_403, 9_109, 10_000, 10_001].map((code): [number, string] => [
    code,
    "this sign-in lacks a permission. Run npx wrangler login again, or give the API token Edit on D1, Queues and Workers Scripts",
  ]),
  // https://github.com/cloudflare/wrangler-legacy/issues/320
  [
    10_034,
    "the e-mail address of your Cloudflare account is not verified. Open the link in Cloudflare's message (https://dash.cloudflare.com/profile sends another), then run this again",
  ],
  [10_031, "this workers.dev subdomain belongs to another account. Choose another name"],
  // https://github.com/cloudflare/workers-sdk/issues/9045
  [
    10_063,
    "your account has no workers.dev subdomain. Run this again with --subdomain <a name of your choice>",
  ],
  // https://github.com/cloudflare/wildebeest/issues/149
  [
    10_084,
    "your account has agreed to no price of Durable Objects, for which Cloudflare may want a payment method. Open the address below, then run this again",
  ],
  [
    100_129,
    "your plan does not include Queues. Choose one that does at https://dash.cloudflare.com/?to=/:account/workers/plans, then run this again",
  ],
  // https://github.com/cloudflare/workers-sdk/issues/9878
  [
    100_117,
    "the name has DNS records that Workers do not manage, such as a CNAME. Delete them in the dashboard, then run this again",
  ],
]);

/** Returns what to do about the first code that has advice, or undefined. */
export function adviceFor(codes: readonly (number | null)[]): string | undefined {
  for (const code of codes) {
    const advice = ADVICE.get(code ?? 0);
    if (advice !== undefined) return advice;
  }
  return undefined;
}

/** Describes a refusal of Cloudflare's API: what to do, and what it said. */
export function describeRefusal(asked: string, { code, message }: Refusal): string {
  const advice = adviceFor([code]);
  const head = `Cloudflare refused ${asked}${advice === undefined ? "" : `: ${advice}`}.`;
  return `${head}\n\n${message}${code === null ? "" : ` [code: ${code}]`}`;
}

import type { InboundRequest } from "../../types.ts";
import { namesIn, type TextScheme, type Unverified } from "../signature-headers.ts";
import { sentParts } from "../verify.ts";
import { describeMatch, describeNone } from "./describe.ts";
import type { Finding } from "./finding.ts";
import type { OtherKey } from "./keys.ts";
import { type SentDigest, sentDigests } from "./sent-headers.ts";
import { templatesOf } from "./templates.ts";
import { findMatch, type Match, type Test, type Trial, trials } from "./trials.ts";

/** A credential as a diagnosis tries it. */
interface Tried {
  /** The configured key first. */
  keys: OtherKey[];
  /** The wrong uses of a key. */
  uses: readonly Trial["use"][];
  /** For whom the sender signs. */
  audience: string;
  /** Returns a test of these signatures, and the number of HMACs that it costs. */
  testOf(digests: SentDigest[]): { test: Test; cost: number };
  /** Says what is left if nothing matches. */
  none(): Promise<Finding[]>;
}

/** Finds how a request was signed over a template's text, under the header names that it uses. */
export async function examineText<Scheme extends TextScheme>(
  scheme: Scheme,
  request: InboundRequest,
  verdict: Unverified,
  { keys, uses, audience, testOf, none }: Tried,
): Promise<{ findings: Finding[]; match: Match | null; used: Scheme }> {
  const { sent: headers, material } = await sentParts(scheme, request);
  const used = { ...scheme, ...namesIn(scheme, headers) };
  const digests = sentDigests(used, headers);
  const { test, cost } = testOf(digests);
  const match =
    material === null || digests.length === 0
      ? null
      : await findMatch(
          trials(keys, templatesOf(used, headers), { ...material, audience }, uses),
          cost,
          test,
        );
  const findings =
    match === null
      ? describeNone(used, headers, digests, verdict, digests.length === 0 ? [] : await none())
      : describeMatch(used, headers, match, verdict);
  return { findings, match, used };
}

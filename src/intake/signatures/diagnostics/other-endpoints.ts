import type { SignatureScheme } from "../../../contract/webhooks/signature.ts";
import { allValues } from "../../secrets.ts";
import type { Endpoint, InboundRequest, Others } from "../../types.ts";
import { type KeyContext, type StoredSignature, verifyKeySignature } from "../key-signature.ts";
import { verifySignature } from "../verify.ts";
import type { Finding } from "./finding.ts";

/** Bytes that may be signed with the secrets of other endpoints. */
const MAX_BYTES = 8 * 1_048_576;

/** Names the endpoint whose secret a request is signed with, or returns null. `now` in epoch milliseconds. */
export async function endpointOfHmac(
  scheme: SignatureScheme,
  request: InboundRequest,
  now: number,
  others: Others,
): Promise<Finding | null> {
  return await otherEndpoint(await fewOf(others, request), async ({ config, hmac, token }) => {
    const schemes = new Set([scheme, config.auth.hmac?.scheme ?? scheme]);
    for (const secret of [hmac, token].filter((each) => each !== null)) {
      for (const each of schemes) {
        if ((await verifySignature(each, secret, request, now)).ok) return true;
      }
    }
    return false;
  });
}

/** Names the endpoint whose public key verifies a request, or returns null. */
export async function endpointOfKey(
  stored: StoredSignature,
  request: InboundRequest,
  context: KeyContext,
  others: Others,
): Promise<Finding | null> {
  return await otherEndpoint(await fewOf(others, request), async ({ config: { auth } }) => {
    if (auth.signature?.preset !== stored.preset) return false;
    const { publicKey, audience } = auth.signature;
    return (await verifyKeySignature({ ...stored, publicKey, audience }, request, context)).ok;
  });
}

/** Names the endpoint that has a token as one of its secrets, or returns null. */
export async function endpointOfToken(
  others: Others,
  equalsAny: (secrets: string[]) => Promise<boolean>,
): Promise<Finding | null> {
  return await otherEndpoint(await others(), async ({ token, hmac }) =>
    equalsAny([token, hmac].flatMap(allValues)),
  );
}

async function fewOf(others: Others, { body }: InboundRequest): Promise<Endpoint[]> {
  // Each one is tried with up to two secrets and two schemes.
  const length = body.kind === "whole" ? Math.max(1, 4 * body.raw.length) : MAX_BYTES;
  return (await others()).slice(0, Math.floor(MAX_BYTES / length));
}

/** Returns what to say of the first endpoint whose credentials a request has: its name and id. */
async function otherEndpoint(
  others: Endpoint[],
  hasCredentials: (other: Endpoint) => Promise<boolean>,
): Promise<Finding | null> {
  for (const other of others) {
    if (!(await hasCredentials(other))) continue;
    const { name, endpointId } = other.config;
    return {
      cause: "secret_of_endpoint",
      text: `The sender uses the secret or key of your endpoint "${name}" (${endpointId}), not the one of this endpoint. Give it the one of this endpoint, or the URL of that one.`,
    };
  }
  return null;
}

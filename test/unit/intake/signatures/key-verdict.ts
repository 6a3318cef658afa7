import { createEndpointBody } from "../../../../src/contract/webhooks/endpoint.ts";
import { storedSignature } from "../../../../src/http/webhooks/auth-faults.ts";
import { verifyKeySignature } from "../../../../src/intake/signatures/key-signature.ts";
import type { SenderPort } from "../../../../src/ports/webhooks.ts";
import { inboundRequest, RECEIVED_AT } from "../../../support/signed-request.ts";

/** Returns the setting as it is stored. */
export function storedOf(signature: object) {
  const { auth } = createEndpointBody.parse({ name: "a", auth: { signature } });
  if (!auth.signature) throw new Error("the setting has no signature");
  return storedSignature(auth.signature);
}

/** Returns the verdict on a request under `auth.signature`. */
export async function keyVerdictOf(
  signature: object,
  request: Parameters<typeof inboundRequest>[0],
  fetchKey: SenderPort["fetchKey"] = async () => null,
) {
  const context = { fetchKey, now: RECEIVED_AT };
  return await verifyKeySignature(storedOf(signature), inboundRequest(request), context);
}

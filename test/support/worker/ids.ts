import { KEY_RANDOM_BYTES, newKey } from "../../../src/accounts/key-format.ts";
import { ENDPOINT_RANDOM_BYTES, newEndpointId } from "../../../src/endpoints/endpoint-id.ts";
import { ID_KEY } from "./bindings.ts";

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));

/** An id with the service's own check, which no endpoint has. */
export function issuedEndpointId(): Promise<string> {
  return newEndpointId(random(ENDPOINT_RANDOM_BYTES), [ID_KEY]);
}

/** A key with the service's own check, which its account does not know. */
export function issuedKey(accountId: string): Promise<string> {
  return newKey(accountId, random(KEY_RANDOM_BYTES), [ID_KEY]);
}

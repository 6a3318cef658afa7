import type { JsonObject } from "../../../contract/json.ts";
import { DEFAULT_TOKEN_HEADER } from "../../../contract/webhooks/endpoint.ts";
import { customScheme } from "../../../contract/webhooks/signature.ts";
import { isObject } from "../../../lib/json-values.ts";
import type { Fields, Values } from "../../forms/form.ts";

/** The fields that a new endpoint and its settings have in common. */
export const ENDPOINT_FIELDS = {
  name: { kind: "line", label: "Name", required: true },
  "auth.ipAllowlist": {
    kind: "lines",
    label: "IP allowlist",
    hint: "IP addresses and CIDR ranges such as 203.0.113.0/24, one per line. Leave empty to allow any.",
    more: { rows: 3 },
  },
  "auth.token.header": {
    kind: "line",
    label: "Token header",
    hint: "Authorization: Bearer also works.",
  },
  "auth.hmac": {
    kind: "json",
    label: "Signature scheme",
    hint: "As auth.hmac of the API, without the secret. The template of the signed text must include {body}.",
    more: { rows: 10 },
  },
} as const satisfies Fields;

/** The scheme of a custom signature that is shown first. */
export const DEFAULT_SCHEME = customScheme.parse({});

/** Returns the signature of this preset or, without one, of the scheme that was typed. */
export function typedSignature(values: Values, preset?: string): JsonObject {
  const { "auth.hmac": scheme, "auth.hmac.secret": secret } = values;
  const custom = isObject(scheme) ? scheme : {};
  return {
    ...(preset === undefined ? custom : { preset }),
    ...(secret !== undefined && { secret }),
  };
}

/** Returns the token's settings that were typed. */
export function typedToken(values: Values): JsonObject {
  const header = values["auth.token.header"] ?? null;
  const secret = values["auth.token.secret"];
  return {
    ...(header !== null && header !== DEFAULT_TOKEN_HEADER && { header }),
    ...(secret !== undefined && { secret }),
  };
}

import type * as z from "zod";
import {
  type EndpointConfig,
  endpointSaved,
  rotateSecretBody,
} from "../../contract/webhooks/endpoint.ts";
import { settingsOf } from "../../env.ts";
import { jsonBody } from "../body.ts";
import type { Http } from "../context.ts";
import { HttpProblem, invalid, invalidByFaults } from "../problem.ts";
import { jsonResponse, route } from "../route.ts";
import { replaceSecret, type SealTarget } from "./auth.ts";
import { keyFaults, valueFaults } from "./auth-faults.ts";
import { changeExisting } from "./config-updates.ts";
import type { EndpointDraft } from "./draft.ts";
import { recordOf, savedOf, WEBHOOKS, writer } from "./resource.ts";

export const rotate = route("POST", `${WEBHOOKS}/:endpointId/rotate-secret`, {
  operationId: "rotateSecret",
  summary: "Rotate the secret of an endpoint",
  description:
    "Replaces the token or the signing secret. The old secret stays valid for `overlapSeconds`. Without `secret` a new one is generated, which only this response includes.",
  auth: writer,
  body: jsonBody(rotateSecretBody, { target: "token", overlapSeconds: 3_600 }),
  response: jsonResponse(200, "The endpoint.", endpointSaved),
  problems: ["conflict"],
  async handler({ http, caller, params: { endpointId }, body }) {
    const changed = await changeExisting(
      http,
      caller,
      endpointId,
      (before, now) => rotated(http, before, body, now),
      "endpoint.secret_rotated",
    );
    return { value: savedOf(await recordOf(http, changed.config), changed.generated) };
  },
});

async function rotated(
  http: Http,
  before: EndpointConfig,
  { target, secret: given, overlapSeconds }: z.output<typeof rotateSecretBody>,
  now: number,
): Promise<EndpointDraft> {
  const { token, hmac } = before.auth;
  const use = target ?? (hmac === null ? "token" : "hmac");
  const scheme = use === "hmac" ? hmac?.scheme : undefined;
  const kept = use === "hmac" ? hmac : token;
  if (kept === null) {
    throw invalid("target", "target", `must be a secret of the endpoint, which has no auth.${use}`);
  }
  const faultsOf = (text: string) =>
    scheme === undefined ? valueFaults("secret", text) : keyFaults("secret", text, scheme);
  const faults = given === undefined ? [] : faultsOf(given);
  if (faults.length > 0) throw invalidByFaults(faults);
  const encoding = scheme?.secretEncoding ?? (token?.in === "basic" ? "credentials" : "utf8");
  const validUntil = now + overlapSeconds * 1_000;
  const { secret, generated } = await replaceSecret(
    { given, kept: kept.secret, use, encoding, validUntil },
    { endpointId: before.endpointId, settings: settingsOf(http.env), now },
  );
  const auth = {
    ...before.auth,
    ...(use === "token" && token && { token: { ...token, secret } }),
    // The sender can no longer choose the secret.
    ...(use === "hmac" && hmac && { hmac: { preset: hmac.preset, scheme: hmac.scheme, secret } }),
  };
  return {
    config: { ...before, auth },
    generated: generated === undefined ? {} : { [use]: generated },
  };
}

/**
 * Returns the endpoint with the signing secret that its sender has chosen. Throws a 401 if it has one
 * already: another handshake came first.
 */
export async function withAdoptedSecret(
  before: EndpointConfig,
  given: string,
  target: SealTarget,
): Promise<EndpointDraft> {
  const { hmac } = before.auth;
  if (hmac?.awaitsSecret !== true) {
    throw new HttpProblem("unauthorized", "The endpoint has a signing secret already.");
  }
  const { preset, scheme } = hmac;
  const { secret } = await replaceSecret(
    { given, kept: null, use: "hmac", encoding: scheme.secretEncoding, validUntil: target.now },
    target,
  );
  const auth = { ...before.auth, hmac: { preset, scheme, secret } };
  return { config: { ...before, auth }, generated: {} };
}

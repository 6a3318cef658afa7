import type * as z from "zod";
import {
  type EndpointConfig,
  endpointSaved,
  rotateSecretBody,
  type StoredAuth,
} from "../../contract/webhooks/endpoint.ts";
import type { Fault } from "../../contract/webhooks/payload.ts";
import { settingsOf } from "../../env.ts";
import { optionalJsonBody } from "../body.ts";
import type { Http } from "../context.ts";
import { invalid, invalidByFaults } from "../problem.ts";
import { jsonResponse, route } from "../route.ts";
import { type AuthDraft, keyFaults, replaceSecret, type SealTarget, valueFaults } from "./auth.ts";
import { changeExisting } from "./config-updates.ts";
import type { EndpointDraft } from "./draft.ts";
import { endpointParams, exampleSaved, recordOf, savedOf, WEBHOOKS, writer } from "./resource.ts";

type RotateBody = z.output<typeof rotateSecretBody>;

export const rotate = route({
  method: "POST",
  path: `${WEBHOOKS}/:endpointId/rotate-secret`,
  operationId: "rotateSecret",
  tag: "Webhooks",
  summary: "Rotate the secret of an endpoint",
  description:
    "Replaces the token or the signing secret. The old secret stays valid for `overlapSeconds`. Without `secret` a new one is generated, which only this response includes.",
  auth: writer,
  params: endpointParams,
  body: optionalJsonBody(rotateSecretBody, { target: "token", overlapSeconds: 3_600 }),
  response: jsonResponse(200, "The endpoint.", endpointSaved, exampleSaved),
  problems: ["not_found", "conflict", "unavailable"],
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
  body: RotateBody,
  now: number,
): Promise<EndpointDraft> {
  const target = { endpointId: before.endpointId, settings: settingsOf(http.env), now };
  const use = body.target ?? (before.auth.hmac === null ? "token" : "hmac");
  const { auth, generated } =
    use === "hmac"
      ? await withNextKey(before.auth, body, target)
      : await withNextToken(before.auth, body, target);
  return { config: { ...before, auth }, generated };
}

async function withNextKey(
  auth: StoredAuth,
  { secret: given, overlapSeconds }: RotateBody,
  target: SealTarget,
): Promise<AuthDraft> {
  const { hmac } = auth;
  if (hmac === null) throw unused("hmac");
  throwIfAny(given === undefined ? [] : keyFaults("secret", given, hmac.scheme));
  const { secret, generated } = await replaceSecret(
    {
      given,
      kept: hmac.secret,
      use: "hmac",
      encoding: hmac.scheme.secretEncoding,
      validUntil: target.now + overlapSeconds * 1_000,
    },
    target,
  );
  return {
    auth: { ...auth, hmac: { preset: hmac.preset, scheme: hmac.scheme, secret } },
    generated: generated === undefined ? {} : { hmac: generated },
  };
}

async function withNextToken(
  auth: StoredAuth,
  { secret: given, overlapSeconds }: RotateBody,
  target: SealTarget,
): Promise<AuthDraft> {
  const { token } = auth;
  if (token === null) throw unused("token");
  throwIfAny(given === undefined ? [] : valueFaults("secret", given));
  const { secret, generated } = await replaceSecret(
    {
      given,
      kept: token.secret,
      use: "token",
      encoding: token.in === "basic" ? "credentials" : "utf8",
      validUntil: target.now + overlapSeconds * 1_000,
    },
    target,
  );
  return {
    auth: { ...auth, token: { ...token, secret } },
    generated: generated === undefined ? {} : { token: generated },
  };
}

function throwIfAny(faults: Fault[]): void {
  if (faults.length > 0) throw invalidByFaults(faults);
}

const unused = (use: "token" | "hmac") =>
  invalid("target", "target", `must be a secret of the endpoint, which has no auth.${use}`);

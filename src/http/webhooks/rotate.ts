import type * as z from "zod";
import {
  type EndpointConfig,
  endpointSaved,
  type KeptSecret,
  rotateSecretBody,
  type StoredAuth,
} from "../../contract/inbound/endpoint.ts";
import type { Fault } from "../../contract/inbound/payload.ts";
import { settingsOf } from "../../env.ts";
import type { SecretEncoding } from "../../inbound/secrets.ts";
import { jsonAnswer } from "../answer.ts";
import { optionalJsonBody } from "../body.ts";
import type { Http } from "../context.ts";
import { type HttpProblem, invalid, invalidByFaults } from "../problem.ts";
import { noQuery } from "../query.ts";
import { route } from "../route.ts";
import type { AuthDraft } from "./auth.ts";
import { keyFaults, valueFaults } from "./auth-faults.ts";
import { changeExisting } from "./change.ts";
import type { EndpointDraft } from "./draft.ts";
import { endpointParams, exampleSaved, TAG, WEBHOOKS, writer } from "./resource.ts";
import { savedOf } from "./saved.ts";
import { replacedSecret, type SealFor } from "./sealing.ts";

type RotateBody = z.output<typeof rotateSecretBody>;

export const rotate = route({
  method: "POST",
  path: `${WEBHOOKS}/:endpointId/rotate-secret`,
  operationId: "rotateSecret",
  tag: TAG,
  summary: "Replace the secret of an endpoint",
  description:
    "The old secret is valid beside the new one for overlapSeconds more. A new secret that is not given is made, and shown in this answer alone.",
  guard: writer,
  params: endpointParams,
  query: noQuery,
  body: optionalJsonBody(rotateSecretBody, { target: "token", overlapSeconds: 3_600 }),
  answer: jsonAnswer(200, "The endpoint.", endpointSaved, exampleSaved),
  errors: ["not_found", "conflict", "unavailable"],
  async handler({ http, caller: { accountId }, params: { endpointId }, body }) {
    const changed = await changeExisting(http, accountId, endpointId, (before, now) =>
      rotated(http, before, body, now),
    );
    return { value: await savedOf(http, changed) };
  },
});

async function rotated(
  http: Http,
  before: EndpointConfig,
  body: RotateBody,
  now: number,
): Promise<EndpointDraft> {
  const who = { endpointId: before.endpointId, settings: settingsOf(http.env), now };
  const use = body.target ?? (before.auth.hmac === null ? "token" : "hmac");
  const { auth, made } =
    use === "hmac"
      ? await withNextKey(before.auth, body, who)
      : await withNextToken(before.auth, body, who);
  return { config: { ...before, auth }, made };
}

async function withNextKey(auth: StoredAuth, body: RotateBody, who: SealFor): Promise<AuthDraft> {
  const { hmac } = auth;
  if (hmac === null) throw noSecret("hmac");
  refuse(body.secret === undefined ? [] : keyFaults("secret", body.secret, hmac.scheme));
  const encoding = hmac.scheme.secretEncoding;
  const { secret, made } = await next(hmac.secret, "hmac", encoding, body, who);
  return {
    auth: { ...auth, hmac: { ...hmac, secret } },
    made: made === undefined ? {} : { hmac: made },
  };
}

async function withNextToken(auth: StoredAuth, body: RotateBody, who: SealFor): Promise<AuthDraft> {
  const { token } = auth;
  if (token === null) throw noSecret("token");
  refuse(body.secret === undefined ? [] : valueFaults("secret", body.secret));
  const { secret, made } = await next(token.secret, "token", "utf8", body, who);
  return {
    auth: { ...auth, token: { ...token, secret } },
    made: made === undefined ? {} : { token: made },
  };
}

function next(
  kept: KeptSecret,
  use: "token" | "hmac",
  encoding: SecretEncoding,
  { secret: given, overlapSeconds }: RotateBody,
  who: SealFor,
) {
  const validUntil = who.now + overlapSeconds * 1_000;
  return replacedSecret({ given, kept, use, encoding, validUntil }, who);
}

function refuse(faults: Fault[]): void {
  if (faults.length > 0) throw invalidByFaults(faults);
}

function noSecret(use: "token" | "hmac"): HttpProblem {
  return invalid("target", "target", `The endpoint has no auth.${use}, and so no such secret.`);
}

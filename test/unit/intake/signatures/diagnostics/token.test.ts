import { expect, it } from "vitest";
import type { Cause } from "../../../../../src/contract/webhooks/advice.ts";
import type { StoredAuth } from "../../../../../src/contract/webhooks/endpoint.ts";
import { tokensIn } from "../../../../../src/intake/credentials.ts";
import { matchesAny } from "../../../../../src/intake/secrets.ts";
import {
  appliedToToken,
  diagnoseToken,
} from "../../../../../src/intake/signatures/diagnostics/token.ts";
import { URL_OF_ENDPOINT } from "../../../../support/diagnosis.ts";
import { KEPT } from "../../../../support/hook-request.ts";
import { inboundRequest, RECEIVED_AT } from "../../../../support/signed-request.ts";

type StoredToken = NonNullable<StoredAuth["token"]>;
type Sent = Parameters<typeof inboundRequest>[0];
type Row = [name: string, StoredToken, Sent, Cause, says: string, secret?: string];

const SECRET = "tok-s3cr3t-of-the-sender";
const DEFAULT: StoredToken = { header: null, secret: KEPT };
const GITLAB: StoredToken = { preset: "gitlab", header: "X-Gitlab-Token", secret: KEPT };
const QUERY: StoredToken = { header: null, in: "query", name: "token", secret: KEPT };
const IN_BODY = { in: "body", name: "passcode" } as const;
const BODY: StoredToken = { preset: "figma", header: null, ...IN_BODY, secret: KEPT };
const BASIC: StoredToken = { preset: "postmark", header: null, in: "basic", secret: KEPT };

/** Requests with a token in the default header, in Authorization, in the query, and in the body. */
const inHeader = (token: string) => ({ headers: { "x-webhook-token": token } });
const authorized = (authorization: string) => ({ headers: { authorization } });
const asked = (query: string) => ({ url: `${URL_OF_ENDPOINT}?${query}` });
const told = (body: object) => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

const RIGHT = inHeader(SECRET);
const byKey = { headers: { "x-api-key": SECRET } };
const byBearer = { headers: { "x-token": `Bearer ${SECRET}` } };
const bySignature = { headers: { "x-hub-signature-256": `sha256=${"0".repeat(64)}` } };

it.each<Row>([
  ["another header", DEFAULT, byKey, "token_place", 'Set auth.token to {"header": "x-api-key"}'],
  ["another header than GitLab's", GITLAB, byBearer, "token_place", "x-token"],
  ["Authorization, bare", DEFAULT, authorized(SECRET), "token_place", "authorization"],
  ["the query", DEFAULT, asked(`key=${SECRET}`), "token_place", '{"in": "query", "name": "key"}'],
  [
    "the body",
    DEFAULT,
    told({ secret: SECRET }),
    "token_place",
    '{"in": "body", "name": "secret"}',
  ],
  ["a header in place of the query", QUERY, inHeader(SECRET), "token_place", "x-webhook-token"],
  ["another parameter", QUERY, asked(`secret=${SECRET}`), "token_place", '"name": "secret"'],
  ["another field", BODY, told({ secret: SECRET }), "token_place", '"name": "secret"'],
  ["stored quotes", DEFAULT, RIGHT, "secret_quotes", "Save it without", `"${SECRET}"`],
  ["a stored variable", DEFAULT, RIGHT, "secret_variable", "Save it without", `MY_TOKEN=${SECRET}`],
])("the diagnosis of a token names what the endpoint can change: %s", async (...row) => {
  expect(await expectCause(row)).toBe(true);
});

it.each<Row>([
  ["no token", DEFAULT, {}, "token_missing", "sends no token"],
  ["no token in the query", QUERY, {}, "token_missing", "token in the query"],
  ["no token in the body", BODY, told({}), "token_missing", "passcode"],
  ["no credentials", BASIC, {}, "token_missing", "user:password"],
  ["another token", DEFAULT, inHeader("another"), "unknown", "not the token of this endpoint"],
  ["Token for Bearer", DEFAULT, authorized(`Token ${SECRET}`), "token_place", "Bearer"],
  ["Basic", DEFAULT, authorized(`Basic ${btoa(`me:${SECRET}`)}`), "token_place", "Basic"],
  ["no Basic", BASIC, authorized(`Bearer user:${SECRET}`), "token_place", "Basic"],
  ["Basic without base64", BASIC, authorized(`Basic user:${SECRET}`), "encoding", "base64"],
  ["quotes around it", DEFAULT, inHeader(`"${SECRET}"`), "secret_quotes", "quotes"],
  [
    "its variable",
    DEFAULT,
    inHeader(`MY_TOKEN=${SECRET}`),
    "secret_variable",
    "name of a variable",
  ],
  ["a variable", DEFAULT, inHeader(`\${MY_TOKEN}`), "secret_variable", "name of a variable"],
  ["Bearer twice", DEFAULT, authorized(`Bearer Bearer ${SECRET}`), "prefix", "Bearer"],
  ["Bearer and a colon", DEFAULT, inHeader(`Bearer: ${SECRET}`), "prefix", "Bearer"],
  ["undefined", DEFAULT, inHeader("undefined"), "secret_empty", "is missing"],
  ["an empty token", QUERY, asked("token="), "secret_empty", "is missing"],
  ["a signature", DEFAULT, bySignature, "other_sender", "auth.hmac"],
])("the diagnosis of a token names what the sender must change: %s", async (...row) => {
  expect(await expectCause(row)).toBe(false);
});

/** Expects the cause and the text, and no token in it; returns whether a change is advised that mends it. */
async function expectCause([, stored, sent, cause, says, current]: Row): Promise<boolean> {
  const request = inboundRequest({ url: URL_OF_ENDPOINT, ...sent });
  const secret = {
    current: current ?? (stored === BASIC ? `user:${SECRET}` : SECRET),
    previous: null,
  };
  const isAccepted = async (by = stored, using = secret.current) => {
    const { given } = await tokensIn(by, request);
    return given.length > 0 && (await matchesAny(given.flat(), [using]));
  };
  expect(await isAccepted()).toBe(false);
  const wrong = { stored, secret, request, now: RECEIVED_AT };
  const { advice, sentences } = await diagnoseToken({ ...wrong, others: async () => [] });
  const said = sentences.join("\n");
  expect(advice?.causes, said).toContain(cause);
  expect(said).toContain(says);
  expect(said).not.toContain(SECRET);
  if (!advice?.change) return false;
  const after = appliedToToken(advice.change, stored, secret);
  expect(after && (await isAccepted(after.stored, after.secret.current))).toBe(true);
  return true;
}

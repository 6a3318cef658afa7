import type { Cause } from "../../src/contract/webhooks/advice.ts";
import type { StoredAuth } from "../../src/contract/webhooks/endpoint.ts";

type StoredToken = NonNullable<StoredAuth["token"]>;

/** A sender and an endpoint that do not agree on a token. */
export interface WrongToken {
  name: string;
  stored: StoredToken;
  secret: string;
  request: { headers: Record<string, string>; url?: string; body?: string };
  cause: Cause;
  /** What the diagnosis says. */
  text: string;
  fixable: boolean;
}

const SECRET = "tok-s3cr3t-of-the-sender";
const CREDENTIALS = "postmark:s3cr3t-of-postmark";
const URL_OF = "https://hooks.example/hooks/a";
const kept = { sealed: "", last4: "", previous: null };

const DEFAULT: StoredToken = { header: null, secret: kept };
const GITLAB: StoredToken = { preset: "gitlab", header: "X-Gitlab-Token", secret: kept };
const QUERY: StoredToken = { header: null, in: "query", name: "token", secret: kept };
const BODY: StoredToken = {
  preset: "figma",
  header: null,
  in: "body",
  name: "passcode",
  secret: kept,
};
const BASIC: StoredToken = { preset: "postmark", header: null, in: "basic", secret: kept };

const sent = (headers: Record<string, string>, more: { url?: string; body?: string } = {}) => ({
  headers: { "content-type": "application/json", ...headers },
  ...more,
});
const basic = (text: string) => sent({ authorization: `Basic ${btoa(text)}` });
const asked = (query: string) => sent({}, { url: `${URL_OF}?${query}` });

type Row = [
  name: string,
  stored: StoredToken,
  request: WrongToken["request"],
  cause: Cause,
  text: string,
  fixable?: "fixable" | undefined,
  secret?: string,
];

const ROWS: Row[] = [
  ["no token", DEFAULT, sent({}), "token_missing", "sends no token"],
  [
    "another token",
    DEFAULT,
    sent({ "x-webhook-token": "another" }),
    "unknown",
    "is not the token of this endpoint",
  ],
  [
    "the token in another header",
    DEFAULT,
    sent({ "x-api-key": SECRET }),
    "token_place",
    'Set auth.token to {"header": "x-api-key"}',
    "fixable",
  ],
  [
    "GitLab's token as a bearer token of another header",
    GITLAB,
    sent({ "x-token": `Bearer ${SECRET}` }),
    "token_place",
    "x-token",
    "fixable",
  ],
  [
    "the token in Authorization without Bearer",
    DEFAULT,
    sent({ authorization: SECRET }),
    "token_place",
    "authorization",
    "fixable",
  ],
  [
    "Token in place of Bearer",
    DEFAULT,
    sent({ authorization: `Token ${SECRET}` }),
    "token_place",
    "Bearer",
  ],
  [
    "the token in the query where a header is configured",
    DEFAULT,
    asked(`key=${SECRET}`),
    "token_place",
    '{"in": "query", "name": "key"}',
    "fixable",
  ],
  [
    "the token in the body where a header is configured",
    DEFAULT,
    sent({}, { body: JSON.stringify({ secret: SECRET }) }),
    "token_place",
    '{"in": "body", "name": "secret"}',
    "fixable",
  ],
  [
    "the token as the password of Basic where a header is configured",
    DEFAULT,
    basic(`me:${SECRET}`),
    "token_place",
    "Basic",
  ],
  [
    "quotes around the token",
    DEFAULT,
    sent({ "x-webhook-token": `"${SECRET}"` }),
    "secret_quotes",
    "quotes",
  ],
  [
    "quotes around the stored token",
    DEFAULT,
    sent({ "x-webhook-token": SECRET }),
    "secret_quotes",
    "Save it without",
    "fixable",
    `"${SECRET}"`,
  ],
  [
    "the stored token with the name of its variable",
    DEFAULT,
    sent({ "x-webhook-token": SECRET }),
    "secret_variable",
    "Save it without",
    "fixable",
    `WEBHOOK_TOKEN=${SECRET}`,
  ],
  [
    "the token with the name of its variable",
    DEFAULT,
    sent({ "x-webhook-token": `WEBHOOK_TOKEN=${SECRET}` }),
    "secret_variable",
    "name of a variable",
  ],
  [
    "a variable that is not expanded",
    DEFAULT,
    sent({ "x-webhook-token": `\${WEBHOOK_TOKEN}` }),
    "secret_variable",
    "name of a variable",
  ],
  ["Bearer twice", DEFAULT, sent({ authorization: `Bearer Bearer ${SECRET}` }), "prefix", "Bearer"],
  [
    "Bearer and a colon",
    DEFAULT,
    sent({ "x-webhook-token": `Bearer: ${SECRET}` }),
    "prefix",
    "Bearer",
  ],
  ["undefined", DEFAULT, sent({ "x-webhook-token": "undefined" }), "secret_empty", "is missing"],
  ["an empty token", QUERY, asked("token="), "secret_empty", "is missing"],
  // In the query.
  ["no query", QUERY, sent({}), "token_missing", "token"],
  [
    "another parameter",
    QUERY,
    asked(`secret=${SECRET}`),
    "token_place",
    '{"in": "query", "name": "secret"}',
    "fixable",
  ],
  [
    "a token in a header where the query is configured",
    QUERY,
    sent({ "x-webhook-token": SECRET }),
    "token_place",
    "x-webhook-token",
    "fixable",
  ],
  // In the body.
  ["no passcode", BODY, sent({}, { body: "{}" }), "token_missing", "passcode"],
  [
    "another field of the body",
    BODY,
    sent({}, { body: JSON.stringify({ secret: SECRET }) }),
    "token_place",
    '"name": "secret"',
    "fixable",
  ],
  // Basic authentication.
  ["no credentials", BASIC, sent({}), "token_missing", "user:password"],
  [
    "credentials without base64",
    BASIC,
    sent({ authorization: `Basic ${CREDENTIALS}` }),
    "encoding",
    "base64",
  ],
  [
    "a bearer token in place of Basic",
    BASIC,
    sent({ authorization: `Bearer ${CREDENTIALS}` }),
    "token_place",
    "Basic",
  ],
  // Senders that sign.
  [
    "a signature in place of a token",
    DEFAULT,
    sent({ "x-hub-signature-256": `sha256=${"0".repeat(64)}` }),
    "other_sender",
    "auth.hmac",
  ],
];

export const WRONG_TOKENS: WrongToken[] = ROWS.map(
  ([name, stored, request, cause, text, fixable, secret]) => ({
    name,
    stored,
    secret: secret ?? (stored === BASIC ? CREDENTIALS : SECRET),
    request: { url: URL_OF, body: "{}", ...request },
    cause,
    text,
    fixable: fixable !== undefined,
  }),
);

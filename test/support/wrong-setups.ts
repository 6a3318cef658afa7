import { createHash, createHmac } from "node:crypto";
import type { Cause } from "../../src/contract/webhooks/advice.ts";
import {
  PRESETS,
  type PresetName,
  type SignatureScheme,
} from "../../src/contract/webhooks/signature.ts";
import { presetOf } from "../../src/intake/signatures/presets.ts";
import { custom } from "./diagnosis.ts";
import { RECEIVED_AT } from "./signed-request.ts";

/** A sender and an endpoint that do not agree, as integrators describe it in public issues. */
export interface WrongSetup {
  name: string;
  scheme: SignatureScheme;
  /** The preset of the scheme; null for a custom one. */
  preset: PresetName | null;
  /** The secret of the endpoint. */
  stored: string;
  request: { body: string; headers: Record<string, string>; url?: string; method?: string };
  cause: Cause;
  /** Whether a change of the endpoint can mend it. */
  fixable: boolean;
}

const SECRET = "s3cr3t-of-the-webhook";
const KEY = Buffer.from("thirty-two bytes of a secret ...");
const WHSEC = `whsec_${KEY.toString("base64")}`;
const URL_OF = "https://hooks.example/hooks/a";
const SECOND = String(RECEIVED_AT / 1_000);
const BODY = '{"id":7,"name":"J\u00fcrgen <b>","url":"https://a.example/x","items":[1,2]}';
const PRETTY = JSON.stringify(JSON.parse(BODY), null, 2);

type Key = string | Buffer;
const mac = (text: string | Buffer, key: Key = SECRET, algorithm = "sha256") =>
  createHmac(algorithm, key).update(text).digest();
const hex = (text: string | Buffer, key?: Key, algorithm?: string) =>
  mac(text, key, algorithm).toString("hex");
const b64 = (text: string | Buffer, key?: Key, algorithm?: string) =>
  mac(text, key, algorithm).toString("base64");
const sha = (text: string) => createHash("sha256").update(text).digest("hex");

const preset = (name: PresetName) => presetOf(name).scheme;
const own = (settings: object = {}) => custom(settings);
const sent = (
  headers: Record<string, string>,
  body = BODY,
  more: { url?: string; method?: string } = {},
) => ({
  body,
  headers: { "content-type": "application/json", ...headers },
  ...more,
});
const X = "x-webhook-signature";
const GITHUB = "x-hub-signature-256";
const github = (value: string, body = BODY) => sent({ [GITHUB]: `sha256=${value}` }, body);
const stripe = (time: string, text: string, key: Key = SECRET, body = BODY) =>
  sent({ "stripe-signature": `t=${time},v1=${hex(text, key)}` }, body);
const slack = (time: string, text: string) =>
  sent({ "x-slack-request-timestamp": time, "x-slack-signature": `v0=${hex(text)}` });
const standard = (text: string, key: Key, more: Record<string, string> = {}) =>
  sent({
    "webhook-id": "msg_1",
    "webhook-timestamp": SECOND,
    "webhook-signature": `v1,${b64(text, key)}`,
    ...more,
  });
const square = (url: string, headers: Record<string, string> = {}, called = URL_OF) =>
  sent({ "x-square-hmacsha256-signature": b64(`${url}${BODY}`), ...headers }, BODY, {
    url: called,
  });
const STANDARD_TEXT = `msg_1.${SECOND}.${BODY}`;

type Row = [
  name: string,
  scheme: SignatureScheme,
  request: WrongSetup["request"],
  cause: Cause,
  fixable?: "fixable" | undefined,
  stored?: string,
];

/** A JSON Web Token, as Node's own HMAC signs it. */
function jwt(key: Key, { alg = "HS256", algorithm = "sha256", claims = {} } = {}): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg })}.${part({ iat: Number(SECOND), ...claims })}`;
  return `${text}.${mac(text, key, algorithm).toString("base64url")}`;
}
const covered = { claims: { sha256: sha(BODY) } };
const mailgun = (key: Key, token = "t0ken") => {
  const signature = { timestamp: SECOND, token, signature: hex(`${SECOND}${token}`, key) };
  return sent({}, JSON.stringify({ signature, "event-data": { id: "e" } }));
};
const MONDAY = "authorization";
const TOKEN_HEADER = "x-webhook-signature";

const ROWS: Row[] = [
  [
    "a JSON Web Token of another hash",
    own({ header: TOKEN_HEADER, form: "jwt", bodyClaim: "sha256" }),
    sent({ [TOKEN_HEADER]: jwt(SECRET, { alg: "HS512", algorithm: "sha512", ...covered }) }),
    "algorithm",
  ],
  [
    "a JSON Web Token that has expired",
    preset("monday"),
    sent({ [MONDAY]: jwt(SECRET, { claims: { exp: Number(SECOND) - 3_600 } }) }),
    "signed_values",
  ],
  [
    "a JSON Web Token of a private key",
    preset("monday"),
    sent({ [MONDAY]: jwt(SECRET, { alg: "RS256" }) }),
    "algorithm",
  ],
  [
    "a JSON Web Token without a signature",
    preset("monday"),
    sent({ [MONDAY]: jwt(SECRET, { alg: "none" }) }),
    "algorithm",
  ],
  ["a JSON Web Token of another secret", preset("monday"), sent({ [MONDAY]: jwt("x") }), "unknown"],
  [
    "an API key where a JSON Web Token belongs",
    preset("monday"),
    sent({ [MONDAY]: "abc" }),
    "not_a_signature",
  ],
  ["no JSON Web Token", preset("monday"), sent({}), "header_missing"],
  [
    "a signature in the body, of a secret with a line break",
    preset("mailgun"),
    mailgun(SECRET),
    "secret_whitespace",
    "fixable",
    `${SECRET}\n`,
  ],
  ["a signature in the body, of another secret", preset("mailgun"), mailgun("x"), "unknown"],
  ["no signature in the body", preset("mailgun"), sent({}, "{}"), "header_missing"],
  // The header.
  ["base64 where hex is configured", own(), sent({ [X]: b64(BODY) }), "encoding", "fixable"],
  [
    "hex where base64 is configured (Shopify)",
    preset("shopify"),
    sent({ "x-shopify-hmac-sha256": hex(BODY) }),
    "encoding",
    "fixable",
  ],
  [
    "sha1 where sha256 is configured",
    own(),
    sent({ [X]: hex(BODY, SECRET, "sha1") }),
    "algorithm",
    "fixable",
  ],
  [
    "sha512 where sha256 is configured",
    own(),
    sent({ [X]: hex(BODY, SECRET, "sha512") }),
    "algorithm",
    "fixable",
  ],
  ["sha384 in base64", own(), sent({ [X]: b64(BODY, SECRET, "sha384") }), "algorithm", "fixable"],
  [
    "GitHub's header without its prefix",
    preset("github"),
    sent({ [GITHUB]: hex(BODY) }),
    "prefix",
    "fixable",
  ],
  [
    "a prefix that is not configured",
    own({ prefix: "" }),
    sent({ [X]: `v1=${hex(BODY)}` }),
    "prefix",
    "fixable",
  ],
  [
    "a prefix with a space behind it",
    own(),
    sent({ [X]: `sha256= ${hex(BODY)}` }),
    "prefix",
    "fixable",
  ],
  [
    "a prefix that is written twice",
    own(),
    sent({ [X]: `sha256=sha256=${hex(BODY)}` }),
    "prefix",
    "fixable",
  ],
  [
    "GitHub's prefix that is written twice",
    preset("github"),
    sent({ [GITHUB]: `sha256=sha256=${hex(BODY)}` }),
    "prefix",
    "fixable",
  ],
  [
    "a name and a space before the signature",
    own(),
    sent({ [X]: `HMAC ${hex(BODY)}` }),
    "prefix",
    "fixable",
  ],
  [
    "pairs where a plain signature is configured",
    own(),
    sent({ [X]: `t=${SECOND},v1=${hex(BODY)}` }),
    "prefix",
    "fixable",
  ],
  [
    "pairs with a semicolon",
    own(),
    sent({ [X]: `ts=${SECOND};h1=${hex(BODY)}` }),
    "prefix",
    "fixable",
  ],
  [
    "pairs with a timestamp that is not signed, and another version",
    own(),
    sent({ [X]: `t=${SECOND},v0=${hex(BODY)}` }),
    "prefix",
    "fixable",
  ],
  [
    "Stripe's version v0",
    preset("stripe"),
    sent({ "stripe-signature": `t=${SECOND},v0=${hex(`${SECOND}.${BODY}`)}` }),
    "prefix",
    "fixable",
  ],
  ["hex with 0x", own(), sent({ [X]: `0x${hex(BODY)}` }), "prefix", "fixable"],
  ["hex with 0x (GitHub)", preset("github"), github(`0x${hex(BODY)}`), "prefix", "fixable"],
  [
    "hex with colons",
    own(),
    sent({
      [X]: hex(BODY)
        .replace(/..(?=.)/g, "$&:")
        .toUpperCase(),
    }),
    "encoding",
  ],
  [
    "hex with hyphens (GitHub, .NET's BitConverter)",
    preset("github"),
    github(
      hex(BODY)
        .replace(/..(?=.)/g, "$&-")
        .toUpperCase(),
    ),
    "encoding",
  ],
  ["hex with spaces", own(), sent({ [X]: hex(BODY).replace(/..(?=.)/g, "$& ") }), "encoding"],
  ["quotes around the signature", own(), sent({ [X]: `"${hex(BODY)}"` }), "prefix"],
  ["another header", own(), sent({ "x-acme-signature": hex(BODY) }), "header_name", "fixable"],
  ["the header X-Signature", own(), sent({ "x-signature": hex(BODY) }), "header_name", "fixable"],
  [
    "a header of InPost with base64",
    own(),
    sent({ "x-inpost-signature": b64(`${SECOND}.${BODY}`), "x-inpost-timestamp": SECOND }),
    "header_name",
    "fixable",
  ],
  [
    "GitHub's header of SHA-1",
    preset("github"),
    sent({ "x-hub-signature": `sha1=${hex(BODY, SECRET, "sha1")}` }),
    "header_name",
    "fixable",
  ],
  [
    "a signature in Authorization",
    own(),
    sent({ authorization: `HMAC ${b64(BODY)}` }),
    "header_name",
    "fixable",
  ],
  ["no signature at all", preset("github"), sent({}), "header_missing"],
  [
    "no signature, a token instead",
    preset("github"),
    sent({ authorization: "Bearer abc" }),
    "header_missing",
  ],
  ["an empty header", preset("github"), sent({ [GITHUB]: "" }), "header_empty"],
  ["an empty header of one's own", own(), sent({ [X]: " " }), "header_empty"],
  ["only the prefix", preset("github"), sent({ [GITHUB]: "sha256=" }), "not_a_signature"],
  ["a truncated signature", own(), sent({ [X]: hex(BODY).slice(0, 32) }), "not_a_signature"],
  ["the secret in the header", own(), sent({ [X]: SECRET }), "not_a_signature"],
  [
    "a UUID in the header",
    own(),
    sent({ [X]: "0b7c4f0e-5d1a-4c39-9a55-5a1d7a9a1f42" }),
    "not_a_signature",
  ],
  // Another sender.
  [
    "Stripe's signature where GitHub is configured",
    preset("github"),
    stripe(SECOND, `${SECOND}.${BODY}`),
    "other_sender",
    "fixable",
  ],
  [
    "Slack's signature where Stripe is configured",
    preset("stripe"),
    slack(SECOND, `v0:${SECOND}:${BODY}`),
    "other_sender",
    "fixable",
  ],
  [
    "GitHub's signature where Shopify is configured",
    preset("shopify"),
    github(hex(BODY)),
    "other_sender",
    "fixable",
  ],
  [
    "GitHub's signature, without a time, where Stripe is configured",
    preset("stripe"),
    github(hex(BODY)),
    "other_sender",
  ],
  [
    "Svix's signature where a plain one is configured",
    own(),
    sent({
      "svix-id": "msg_1",
      "svix-timestamp": SECOND,
      "svix-signature": `v1,${b64(STANDARD_TEXT, KEY)}`,
    }),
    "other_sender",
    "fixable",
    WHSEC,
  ],
  // The signed text.
  [
    "a signed timestamp that is not configured",
    own(),
    sent({ [X]: hex(`${SECOND}.${BODY}`), "x-timestamp": SECOND }),
    "template",
    "fixable",
  ],
  [
    "a signed timestamp with a colon (Webflow)",
    own({ header: "x-webflow-signature" }),
    sent({ "x-webflow-signature": hex(`${SECOND}:${BODY}`), "x-webflow-timestamp": SECOND }),
    "template",
    "fixable",
  ],
  [
    "a signed timestamp without a separator",
    own(),
    sent({ [X]: hex(`${SECOND}${BODY}`), "x-request-timestamp": SECOND }),
    "template",
    "fixable",
  ],
  [
    "a signed timestamp behind the body",
    own(),
    sent({ [X]: hex(`${BODY}.${SECOND}`), "x-timestamp": SECOND }),
    "template",
    "fixable",
  ],
  [
    "a signed id",
    own(),
    sent({ [X]: hex(`d_1.${BODY}`), "x-request-id": "d_1" }),
    "template",
    "fixable",
  ],
  [
    "a signed id and timestamp",
    own({ encoding: "base64" }),
    sent({
      [X]: b64(`d_1.${SECOND}.${BODY}`),
      "x-webhook-id": "d_1",
      "x-webhook-timestamp": SECOND,
    }),
    "template",
    "fixable",
  ],
  [
    "a signed URL before the body",
    own({ encoding: "base64" }),
    sent({ [X]: b64(`${URL_OF}${BODY}`) }, BODY, { url: URL_OF }),
    "template",
    "fixable",
  ],
  [
    "a signed method and URL",
    own(),
    sent({ [X]: hex(`POST${URL_OF}${BODY}`) }, BODY, { url: URL_OF }),
    "template",
    "fixable",
  ],
  [
    "only the body signed where Slack's timestamp is configured",
    preset("slack"),
    slack(SECOND, BODY),
    "template",
  ],
  [
    "only the body signed where Stripe's timestamp is configured",
    preset("stripe"),
    stripe(SECOND, BODY),
    "template",
  ],
  [
    "only the timestamp signed",
    own(),
    sent({ [X]: hex(SECOND), "x-timestamp": SECOND }),
    "body_unsigned",
  ],
  [
    "only the URL signed",
    own(),
    sent({ [X]: hex(URL_OF) }, BODY, { url: URL_OF }),
    "body_unsigned",
  ],
  [
    "the timestamp of another header",
    own({ template: "{timestamp}.{body}", timestampHeader: "X-Time" }),
    sent({ [X]: hex(`${SECOND}.${BODY}`), "x-acme-timestamp": SECOND }),
    "signed_values",
    "fixable",
  ],
  [
    "Stripe's pair without a timestamp",
    preset("stripe"),
    sent({ "stripe-signature": `v1=${hex(BODY)}` }),
    "timestamp_missing",
  ],
  [
    "Slack without its timestamp",
    preset("slack"),
    sent({ "x-slack-signature": `v0=${hex(BODY)}` }),
    "timestamp_missing",
  ],
  [
    "Standard Webhooks without an id",
    preset("standard-webhooks"),
    sent({ "webhook-timestamp": SECOND, "webhook-signature": `v1,${b64(STANDARD_TEXT, KEY)}` }),
    "id_missing",
    undefined,
    WHSEC,
  ],
  [
    "a timestamp that is no time",
    preset("slack"),
    slack("soon", `v0:soon:${BODY}`),
    "timestamp_unit",
  ],
  // The secret.
  [
    "whsec_ used as text (Stripe's way) where it is decoded",
    preset("standard-webhooks"),
    standard(STANDARD_TEXT, WHSEC),
    "secret_encoding",
    "fixable",
    WHSEC,
  ],
  [
    "whsec_ decoded where it is text",
    preset("stripe"),
    stripe(SECOND, `${SECOND}.${BODY}`, KEY),
    "secret_encoding",
    "fixable",
    WHSEC,
  ],
  [
    "base64 decoded where it is text",
    own(),
    sent({ [X]: hex(BODY, KEY) }),
    "secret_encoding",
    "fixable",
    KEY.toString("base64"),
  ],
  [
    "hex decoded where it is text",
    own(),
    sent({ [X]: hex(BODY, KEY) }),
    "secret_encoding",
    "fixable",
    KEY.toString("hex"),
  ],
  [
    "base64 as text where it is decoded",
    own({ secretEncoding: "base64" }),
    sent({ [X]: hex(BODY, KEY.toString("base64")) }),
    "secret_encoding",
    "fixable",
    KEY.toString("base64"),
  ],
  [
    "the secret without whsec_",
    own(),
    sent({ [X]: hex(BODY, KEY.toString("base64")) }),
    "secret_encoding",
    "fixable",
    WHSEC,
  ],
  [
    "a space behind the stored secret",
    preset("github"),
    github(hex(BODY)),
    "secret_whitespace",
    "fixable",
    `${SECRET} `,
  ],
  [
    "a line break behind the stored secret",
    preset("github"),
    github(hex(BODY)),
    "secret_whitespace",
    "fixable",
    `${SECRET}\n`,
  ],
  [
    "CRLF behind the stored secret",
    preset("stripe"),
    stripe(SECOND, `${SECOND}.${BODY}`),
    "secret_whitespace",
    "fixable",
    `${SECRET}\r\n`,
  ],
  [
    "a line break behind the sender's secret",
    preset("github"),
    github(hex(BODY, `${SECRET}\n`)),
    "secret_whitespace",
  ],
  [
    "CRLF behind the sender's secret",
    preset("github"),
    github(hex(BODY, `${SECRET}\r\n`)),
    "secret_whitespace",
  ],
  [
    "a space behind the sender's secret",
    own(),
    sent({ [X]: hex(BODY, `${SECRET} `) }),
    "secret_whitespace",
  ],
  [
    "quotes around the stored secret",
    preset("github"),
    github(hex(BODY)),
    "secret_quotes",
    "fixable",
    `"${SECRET}"`,
  ],
  [
    "single quotes around the stored secret",
    own(),
    sent({ [X]: hex(BODY) }),
    "secret_quotes",
    "fixable",
    `'${SECRET}'`,
  ],
  [
    "quotes around the sender's secret",
    own(),
    sent({ [X]: hex(BODY, `"${SECRET}"`) }),
    "secret_quotes",
  ],
  [
    "a line break before the sender's secret",
    preset("github"),
    github(hex(BODY, `\n${SECRET}`)),
    "secret_whitespace",
  ],
  [
    "a line break before the stored secret",
    preset("github"),
    github(hex(BODY)),
    "secret_whitespace",
    "fixable",
    `\n${SECRET}`,
  ],
  [
    "the secret stored with the name of its variable",
    preset("github"),
    github(hex(BODY)),
    "secret_variable",
    "fixable",
    `GITHUB_WEBHOOK_SECRET=${SECRET}`,
  ],
  [
    "the secret stored as a line of a shell",
    preset("stripe"),
    stripe(SECOND, `${SECOND}.${BODY}`),
    "secret_variable",
    "fixable",
    `export STRIPE_SECRET="${SECRET}"`,
  ],
  [
    "the sender's secret with the name of its variable",
    preset("github"),
    github(hex(BODY, `GITHUB_WEBHOOK_SECRET=${SECRET}`)),
    "secret_variable",
  ],
  [
    "a variable that the sender does not expand",
    preset("github"),
    github(hex(BODY, `\${WEBHOOK_SECRET}`)),
    "secret_variable",
  ],
  [
    "a variable of a pipeline that the sender does not expand",
    own(),
    sent({ [X]: hex(BODY, "{{ WEBHOOK_SECRET }}") }),
    "secret_variable",
  ],
  [
    "the name of a variable stored in place of its value",
    preset("github"),
    github(hex(BODY)),
    "secret_variable",
    undefined,
    "$WEBHOOK_SECRET",
  ],
  [
    "base64 of the secret as the key",
    preset("github"),
    github(hex(BODY, Buffer.from(SECRET).toString("base64"))),
    "secret_encoding",
  ],
  [
    "base64 of the secret and a line break (echo | base64)",
    own(),
    sent({ [X]: hex(BODY, Buffer.from(`${SECRET}\n`).toString("base64")) }),
    "secret_encoding",
  ],
  [
    "the secret cut by the shell at a $",
    preset("github"),
    github(hex(BODY, "a-secret-!")),
    "secret_cut",
    undefined,
    "a-secret$with-!",
  ],
  [
    "the secret cut at a # (.env)",
    preset("stripe"),
    stripe(SECOND, `${SECOND}.${BODY}`, "a-secret"),
    "secret_cut",
    undefined,
    "a-secret#with-more",
  ],
  [
    "the secret cut at a space (.env)",
    own(),
    sent({ [X]: hex(BODY, "two") }),
    "secret_cut",
    undefined,
    "two words",
  ],
  [
    "a backslash of the secret taken by the shell",
    own(),
    sent({ [X]: hex(BODY, "ab") }),
    "secret_cut",
    undefined,
    "a\\b",
  ],
  [
    "hex with 0x decoded where it is text",
    own(),
    sent({ [X]: hex(BODY, KEY) }),
    "secret_encoding",
    "fixable",
    `0x${KEY.toString("hex")}`,
  ],
  [
    "hex with colons decoded where it is text",
    own(),
    sent({ [X]: hex(BODY, KEY) }),
    "secret_encoding",
    "fixable",
    KEY.toString("hex").replace(/..(?=.)/g, "$&:"),
  ],
  [
    "quoted hex decoded where it is text",
    own(),
    sent({ [X]: hex(BODY, KEY) }),
    "secret_encoding",
    "fixable",
    `"${KEY.toString("hex")}"`,
  ],
  ["key and message swapped", preset("github"), github(hex(SECRET, BODY)), "swapped"],
  [
    "key and message swapped (Slack)",
    preset("slack"),
    sent({
      "x-slack-request-timestamp": SECOND,
      "x-slack-signature": `v0=${hex(SECRET, `v0:${SECOND}:${BODY}`)}`,
    }),
    "swapped",
  ],
  ["an empty secret", preset("github"), github(hex(BODY, "")), "secret_empty"],
  ["the secret undefined", own(), sent({ [X]: hex(BODY, "undefined") }), "secret_empty"],
  [
    "Stripe's API key as the secret",
    preset("stripe"),
    stripe(SECOND, `${SECOND}.${BODY}`, "whsec_other"),
    "secret_of_api",
    undefined,
    "sk_live_0123456789abcdef",
  ],
  ["another secret", preset("github"), github(hex(BODY, "other")), "unknown"],
  // The body.
  [
    "compact JSON signed, indented sent",
    own(),
    sent({ [X]: hex(JSON.stringify(JSON.parse(BODY))) }, PRETTY),
    "body_json",
  ],
  ["indented JSON signed, compact sent", preset("github"), github(hex(PRETTY)), "body_json"],
  [
    "PHP's slashes and escapes signed",
    own(),
    sent({ [X]: hex(BODY.replaceAll("/", "\\/").replace("\u00fc", "\\u00fc")) }),
    "body_json",
  ],
  [
    "slashes escaped (CloudConvert)",
    own(),
    sent({ [X]: hex(BODY.replaceAll("/", "\\/")) }),
    "body_json",
  ],
  [
    "Python's separators signed",
    own(),
    sent({
      [X]: hex(
        '{"id": 7, "name": "J\\u00fcrgen <b>", "url": "https://a.example/x", "items": [1, 2]}',
      ),
    }),
    "body_json",
  ],
  [
    "sorted names signed",
    own(),
    sent({
      [X]: hex('{"id":7,"items":[1,2],"name":"J\u00fcrgen <b>","url":"https://a.example/x"}'),
    }),
    "body_json",
  ],
  [
    "a line break added on the way",
    preset("github"),
    github(hex(BODY), `${BODY}\n`),
    "body_line_breaks",
  ],
  [
    "a line break signed and not sent (curl, echo)",
    own(),
    sent({ [X]: hex(`${BODY}\n`) }),
    "body_line_breaks",
  ],
  [
    "CRLF sent, LF signed",
    own(),
    sent({ [X]: hex(PRETTY) }, PRETTY.replaceAll("\n", "\r\n")),
    "body_line_breaks",
  ],
  ["an empty body signed (consumed stream)", own(), sent({ [X]: hex("") }), "body_missing"],
  [
    "the body changed on the way",
    own(),
    sent({ [X]: hex(BODY) }, BODY.replace("7", "8")),
    "unknown",
  ],
  // The URL.
  [
    "an escape in the query decoded before signing, which no diagnosis finds",
    preset("square"),
    square(`${URL_OF}?q=a b`, {}, `${URL_OF}?q=a%20b`),
    "unknown",
  ],
];

/** More than a hundred set-ups. */
export const WRONG_SETUPS: WrongSetup[] = ROWS.map(
  ([name, scheme, request, cause, fixable, stored = SECRET]) => ({
    name,
    scheme,
    preset: PRESETS.find((each) => presetOf(each).scheme === scheme) ?? null,
    stored,
    request,
    cause,
    fixable: fixable !== undefined,
  }),
);

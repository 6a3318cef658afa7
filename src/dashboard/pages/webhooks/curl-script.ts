import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import { customScheme, type SignatureScheme } from "../../../contract/webhooks/signature.ts";
import { customSchemeOf } from "../../../intake/signatures/custom-scheme.ts";
import { presetOf } from "../../../intake/signatures/presets.ts";
import { isPart, partsOf } from "../../../intake/signatures/signed-message.ts";
import { fieldsOf, type SampleRequest } from "./sample-request.ts";

/** A piece of a shell word: text, or the value of a variable. */
export type Piece = string | { variable: string };

/** Text without special meaning between double quotes, even in an interactive shell. */
const HARMLESS = /^[\w :;,.=/@%+&?{}[\]()<>~^|-]*$/;

/** Returns the pieces as one quoted word of a command. */
export function word(...given: Piece[]): string {
  const pieces = merged(given);
  const isPlain = pieces.every((piece) => typeof piece !== "string" || HARMLESS.test(piece));
  const hasVariable = pieces.some((piece) => typeof piece !== "string");
  if (isPlain && hasVariable) return `"${pieces.map(inQuotes).join("")}"`;
  const joined = pieces.map((piece) =>
    typeof piece === "string" ? quoted(piece) : `"$${piece.variable}"`,
  );
  return joined.length === 0 ? "''" : joined.join("");
}

/** Joins neighbouring texts. */
function merged(pieces: Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (typeof piece === "string" && typeof last === "string") all.splice(-1, 1, last + piece);
    else all.push(piece);
  }
  return all;
}

/** Braces keep the following text from becoming part of the name. */
const inQuotes = (piece: Piece): string =>
  typeof piece === "string" ? piece : `\${${piece.variable}}`;

/** POSIX, 2.2.2: single quotes preserve every character but the single quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The variables that stand for the templates in a sample. */
const TOKENS = { "{{id}}": "ID", "{{now}}": "TIME" } as const;
const TOKEN = /(\{\{(?:id|now)\}\})/;

/** Splits a text so that `{{id}}` and `{{now}}` are filled when the command runs. */
function piecesOf(template: string): Piece[] {
  return template
    .split(TOKEN)
    .filter((part) => part !== "")
    .map((part) => {
      const variable = Object.entries(TOKENS).find(([token]) => token === part)?.[1];
      return variable === undefined ? part : { variable };
    });
}

/** Returns the text with both filled; `now` in epoch milliseconds. */
export function filled(template: string, id: string, now: number): string {
  return template.replaceAll("{{id}}", id).replaceAll("{{now}}", String(Math.floor(now / 1_000)));
}

/** The secrets of an endpoint that a command may show. */
export interface KnownSecrets {
  hmac?: string | undefined;
  token?: string | undefined;
}

const UNKNOWN = { hmac: "paste the secret here", token: "paste the token here" };
const UNKNOWN_VALUE = "paste the value here";

/**
 * Returns shell commands that send the sample as the endpoint's sender would. openssl computes the
 * signature when they run. The reader fills in unknown secrets.
 */
export function curlScript(
  endpoint: EndpointRecord,
  sample: SampleRequest,
  secrets: KnownSecrets = {},
): string {
  const scheme = schemeOf(endpoint);
  const { token } = endpoint.auth;
  const lines = [
    `URL=${word(endpoint.url)}`,
    ...(scheme ? [`SECRET=${word(secrets.hmac ?? UNKNOWN.hmac)}`] : []),
    ...(token ? [`TOKEN=${word(secrets.token ?? UNKNOWN.token)}`] : []),
    `BODY=${word(...piecesOf(sample.text))}`,
    ...(scheme ? [`SIGNATURE=$(${signing(scheme, sample)})`] : []),
    command(sample, headersOf(endpoint, scheme, sample), token),
  ];
  const uses = (name: string): boolean =>
    lines.some((line) => line.includes(`$${name}`) || line.includes(`\${${name}}`));
  return [
    ...notesOf(endpoint.auth),
    ...(uses("ID") ? ["ID=sample-$(date +%s)"] : []),
    ...(uses("TIME") ? ["TIME=$(date +%s)"] : []),
    ...lines,
  ].join("\n");
}

/** Tells whether anyone but the sender can sign a request: not with its private key, nor within a body. */
export function isSignable({ auth: { hmac, signature } }: EndpointRecord): boolean {
  return signature === undefined && (hmac === undefined || wholeScheme(hmac).in !== "body");
}

/** Returns comments on what a command cannot do. */
function notesOf({ hmac, signature, token }: EndpointRecord["auth"]): string[] {
  const isUnsigned = signature !== undefined || (hmac !== undefined && !isShellScheme(hmac));
  return [
    ...(isUnsigned ? ["# Only the sender can sign this request: the endpoint rejects it."] : []),
    ...(token?.in === "body" ? [`# Add the token to the body, at ${token.name}.`] : []),
  ];
}

type ShownHmac = NonNullable<EndpointRecord["auth"]["hmac"]>;

/** Whether openssl can compute the signature in a pipeline. */
function isShellScheme(hmac: ShownHmac): boolean {
  const { in: place, form, signedHeaders } = wholeScheme(hmac);
  return place !== "body" && form !== "jwt" && signedHeaders === undefined;
}

/** Returns how the endpoint's sender signs, or null if it does not or no command can. */
function schemeOf({ auth: { hmac } }: EndpointRecord): SignatureScheme | null {
  return hmac === undefined || !isShellScheme(hmac) ? null : wholeScheme(hmac);
}

function wholeScheme(hmac: ShownHmac): SignatureScheme {
  if (hmac.preset !== undefined) return presetOf(hmac.preset).scheme;
  const { preset: _, secret: __, ...custom } = hmac;
  return customSchemeOf(customScheme.parse(custom));
}

/** Returns the pipeline that prints the signature. */
function signing(scheme: SignatureScheme, sample: SampleRequest): string {
  const message = messageOf(scheme, sample).map((piece) => word(piece));
  const digest = `openssl dgst -${scheme.algorithm} ${keyOption(scheme)}`;
  const output =
    scheme.encoding === "hex" ? "-hex | sed 's/^.* //'" : "-binary | openssl base64 -A";
  return `printf '%s' ${message.join(" ")} | ${digest} ${output}`;
}

const HEX_BYTES = "openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n'";

/** Returns the option for the key, whose bytes the scheme derives from the secret's text. */
function keyOption({ secretEncoding }: SignatureScheme): string {
  switch (secretEncoding) {
    case "utf8":
      return '-mac HMAC -macopt "key:$SECRET"';
    case "hex":
      return '-mac HMAC -macopt "hexkey:$SECRET"';
    case "base64":
      return `-mac HMAC -macopt "hexkey:$(printf '%s' "$SECRET" | ${HEX_BYTES})"`;
    case "sha1":
      return `-mac HMAC -macopt "hexkey:$(printf '%s' "$SECRET" | openssl dgst -sha1 -r | cut -c-40)"`;
    case "whsec":
      return `-mac HMAC -macopt "hexkey:$(printf '%s' "\${SECRET#whsec_}" | ${HEX_BYTES})"`;
  }
}

/** Returns the signed text. */
function messageOf({ template }: SignatureScheme, sample: SampleRequest): Piece[] {
  const hasUrl = partsOf(template).includes("url");
  return template.split(/\{([^{}]*)\}/).flatMap((piece, at) => {
    if (at % 2 === 0) return piece === "" ? [] : [piece];
    return isPart(piece) ? partOf(piece, sample, hasUrl) : [];
  });
}

function partOf(part: string, sample: SampleRequest, hasUrl: boolean): Piece[] {
  const isQuery = sample.method === "GET";
  switch (part) {
    case "id":
      return [{ variable: "ID" }];
    case "timestamp":
      return [{ variable: "TIME" }];
    case "url":
      return isQuery ? [{ variable: "URL" }, "?", { variable: "BODY" }] : [{ variable: "URL" }];
    case "method":
      return [sample.method];
    case "sortedParams":
      return isQuery ? [] : sortedFields(sample);
    default:
      // A GET's payload is its query, which a signed URL already includes.
      return isQuery && hasUrl ? [] : [{ variable: "BODY" }];
  }
}

function sortedFields({ payload }: SampleRequest): Piece[] {
  const fields = fieldsOf(payload).sort(([a], [b]) => (a < b ? -1 : 1));
  return fields.flatMap(([name, value]) => piecesOf(`${name}${value}`));
}

/** Returns the request's headers, each as the pieces of one word. */
function headersOf(
  { auth }: EndpointRecord,
  scheme: SignatureScheme | null,
  { headers, contentType }: SampleRequest,
): Piece[][] {
  return [
    ...(contentType === null ? [] : [[`Content-Type: ${contentType}`]]),
    ...headers.map(([name, value]) => [`${name}: `, ...piecesOf(value)]),
    ...(scheme?.idHeader ? [[`${scheme.idHeader}: `, { variable: "ID" }]] : []),
    ...(scheme?.timestampHeader ? [[`${scheme.timestampHeader}: `, { variable: "TIME" }]] : []),
    ...(scheme ? [[`${scheme.header}: `, ...presented(scheme)]] : []),
    ...tokenHeader(auth.token),
    ...(auth.headers ?? []).map(({ name, value }) => [
      `${name}: ${value === undefined ? "sample" : UNKNOWN_VALUE}`,
    ]),
  ];
}

function tokenHeader(token: EndpointRecord["auth"]["token"]): Piece[][] {
  if (token?.header === undefined) return [];
  return [[`${token.header}: `, { variable: "TOKEN" }]];
}

/** Returns the value of the signature header. */
function presented({ form, prefix, timestampPair }: SignatureScheme): Piece[] {
  const signature = { variable: "SIGNATURE" };
  if (form !== "pairs") return prefix === "" ? [signature] : [prefix, signature];
  const time: Piece[] =
    timestampPair === null ? [] : [`${timestampPair}=`, { variable: "TIME" }, ","];
  return [...time, `${prefix}=`, signature];
}

function command(
  { method }: SampleRequest,
  headers: Piece[][],
  token: EndpointRecord["auth"]["token"],
): string {
  const query: Piece[][] = [
    ...(method === "GET" ? [[{ variable: "BODY" }]] : []),
    ...(token?.in === "query" ? [[`${token.name}=`, { variable: "TOKEN" }]] : []),
  ];
  const url = word(
    { variable: "URL" },
    ...query.flatMap((pieces, at) => [at === 0 ? "?" : "&", ...pieces]),
  );
  const lines = [
    `curl -i ${url}`,
    ...(token?.in === "basic" ? ['-u "$TOKEN"'] : []),
    ...headers.map((pieces) => `-H ${word(...pieces)}`),
    ...(method === "GET" ? [] : ['--data-raw "$BODY"']),
  ];
  return lines.join(" \\\n  ");
}

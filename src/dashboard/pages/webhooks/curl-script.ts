import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import { customScheme, type SignatureScheme } from "../../../contract/inbound/signature.ts";
import { customSchemeOf } from "../../../inbound/signatures/custom-scheme.ts";
import { presetOf } from "../../../inbound/signatures/presets.ts";
import { isPart, partsOf } from "../../../inbound/signatures/signed-message.ts";
import { fieldsOf, type SampleRequest } from "./sample-request.ts";

/** A piece of a word in a shell: text as it is, or what a variable holds. */
export type Piece = string | { variable: string };

/** Text that means itself between double quotes, in an interactive shell too. */
const HARMLESS = /^[\w :;,.=/@%+&?{}[\]()<>~^|-]*$/;

/** One word of a command, whatever its pieces hold. */
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

/** Texts that follow each other as one. */
function merged(pieces: Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (typeof piece === "string" && typeof last === "string") all.splice(-1, 1, last + piece);
    else all.push(piece);
  }
  return all;
}

/** Braces, so that what follows a name is not taken for a part of it. */
const inQuotes = (piece: Piece): string =>
  typeof piece === "string" ? piece : `\${${piece.variable}}`;

/** POSIX, 2.2.2: between single quotes all but a single quote means itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** What a template in a sample stands for, as the variable that holds it. */
const TOKENS = { "{{id}}": "ID", "{{now}}": "TIME" } as const;
const TOKEN = /(\{\{(?:id|now)\}\})/;

/** A text in which `{{id}}` and `{{now}}` are filled when the command runs. */
export function piecesOf(template: string): Piece[] {
  return template
    .split(TOKEN)
    .filter((part) => part !== "")
    .map((part) => {
      const variable = Object.entries(TOKENS).find(([token]) => token === part)?.[1];
      return variable === undefined ? part : { variable };
    });
}

/** The same, filled now. */
export function filled(template: string, id: string, now: number): string {
  return template.replaceAll("{{id}}", id).replaceAll("{{now}}", String(Math.floor(now / 1_000)));
}

/** The secrets of an endpoint, where they may be written down. */
export interface KnownSecrets {
  hmac?: string | undefined;
  token?: string | undefined;
}

const UNKNOWN = { hmac: "paste the secret here", token: "paste the token here" };
const UNKNOWN_VALUE = "paste the value here";

/**
 * Commands for a shell that send the sample as the endpoint's sender would: the signature is computed
 * when they run, by openssl. Secrets that are not known are left to be filled in.
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
    command(sample, headersOf(endpoint, scheme, sample)),
  ];
  const uses = (name: string): boolean =>
    lines.some((line) => line.includes(`$${name}`) || line.includes(`\${${name}}`));
  return [
    ...(uses("ID") ? ["ID=sample-$(date +%s)"] : []),
    ...(uses("TIME") ? ["TIME=$(date +%s)"] : []),
    ...lines,
  ].join("\n");
}

/** How the endpoint's sender signs; null where it does not. */
function schemeOf({ auth: { hmac } }: EndpointRecord): SignatureScheme | null {
  if (hmac === undefined) return null;
  if (hmac.preset !== undefined) return presetOf(hmac.preset).scheme;
  const { preset: _, secret: __, ...custom } = hmac;
  return customSchemeOf(customScheme.parse(custom));
}

/** The pipeline that prints the signature. */
function signing(scheme: SignatureScheme, sample: SampleRequest): string {
  const message = messageOf(scheme, sample).map((piece) => word(piece));
  const digest = `openssl dgst -${scheme.algorithm} ${keyOption(scheme)}`;
  const output =
    scheme.encoding === "hex" ? "-hex | sed 's/^.* //'" : "-binary | openssl base64 -A";
  return `printf '%s' ${message.join(" ")} | ${digest} ${output}`;
}

const HEX_BYTES = "openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n'";

/** The key's bytes, as the scheme makes them of the secret's text. */
function keyOption({ secretEncoding }: SignatureScheme): string {
  switch (secretEncoding) {
    case "utf8":
      return '-mac HMAC -macopt "key:$SECRET"';
    case "hex":
      return '-mac HMAC -macopt "hexkey:$SECRET"';
    case "base64":
      return `-mac HMAC -macopt "hexkey:$(printf '%s' "$SECRET" | ${HEX_BYTES})"`;
    case "whsec":
      return `-mac HMAC -macopt "hexkey:$(printf '%s' "\${SECRET#whsec_}" | ${HEX_BYTES})"`;
  }
}

/** The text that is signed. */
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
    case "sortedParams":
      return isQuery ? [] : sortedFields(sample);
    default:
      // A GET's payload is its query, which is in the address where that is signed.
      return isQuery && hasUrl ? [] : [{ variable: "BODY" }];
  }
}

function sortedFields({ payload }: SampleRequest): Piece[] {
  const fields = fieldsOf(payload).sort(([a], [b]) => (a < b ? -1 : 1));
  return fields.flatMap(([name, value]) => piecesOf(`${name}${value}`));
}

/** The request's headers, each as the pieces of one word. */
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
    ...(auth.token ? [[`${auth.token.header}: `, { variable: "TOKEN" }]] : []),
    ...(auth.headers ?? []).map(({ name, value }) => [
      `${name}: ${value === undefined ? "sample" : UNKNOWN_VALUE}`,
    ]),
  ];
}

/** The signature as its header holds it. */
function presented({ form, prefix, timestampPair }: SignatureScheme): Piece[] {
  const signature = { variable: "SIGNATURE" };
  if (form !== "pairs") return prefix === "" ? [signature] : [prefix, signature];
  const time: Piece[] =
    timestampPair === null ? [] : [`${timestampPair}=`, { variable: "TIME" }, ","];
  return [...time, `${prefix}=`, signature];
}

function command({ method }: SampleRequest, headers: Piece[][]): string {
  const url = method === "GET" ? word({ variable: "URL" }, "?", { variable: "BODY" }) : '"$URL"';
  const lines = [
    `curl -i ${url}`,
    ...headers.map((pieces) => `-H ${word(...pieces)}`),
    ...(method === "GET" ? [] : ['--data-raw "$BODY"']),
  ];
  return lines.join(" \\\n  ");
}

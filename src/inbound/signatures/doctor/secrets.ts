import type { SignatureScheme } from "../../../contract/inbound/signature.ts";
import type { OpenSecret } from "../../types.ts";
import { secretBytes } from "../keys.ts";

type SecretEncoding = SignatureScheme["secretEncoding"];

/** Key bytes that may have been used; `note` tells the operator, and is null for those configured. */
export interface OtherKey {
  bytes: Uint8Array;
  note: string | null;
}

const WHSEC = "whsec_";

/** The configured key, and what a sender may have made of the same secret, or of the one before. */
export function keysOf(
  { current, previous }: OpenSecret,
  encoding: SecretEncoding,
  now: number,
): OtherKey[] {
  const isOver = previous !== null && now >= previous.validUntil;
  const notePrevious = isOver
    ? "The previous secret was used, and it is no longer valid: give the sender the current one."
    : null;
  return distinct([
    { bytes: secretBytes(current, encoding), note: null },
    { bytes: previous && secretBytes(previous.value, encoding), note: notePrevious },
    ...otherEncodings(current, encoding),
    ...otherTexts(current, encoding),
  ]);
}

function otherEncodings(text: string, configured: SecretEncoding): Candidate[] {
  const bare = text.startsWith(WHSEC) ? text.slice(WHSEC.length) : text;
  const reading = (encoding: "utf8" | "base64" | "hex" | "whsec"): Candidate => ({
    bytes: secretBytes(text, encoding),
    note: `The sender ${READ[encoding]}, which is not what secretEncoding "${configured}" does here: ${adviceFor(encoding, configured)}`,
  });
  return [
    reading("utf8"),
    reading("whsec"),
    reading("base64"),
    reading("hex"),
    {
      bytes: secretBytes(bare, "utf8"),
      note: `The sender uses the secret without its ${WHSEC} as plain text: save it without, with secretEncoding "utf8".`,
    },
  ];
}

const READ: Record<SecretEncoding, string> = {
  utf8: "uses the secret's text as it is, not decoded",
  base64: "decodes the secret from base64",
  hex: "decodes the secret from hex",
  whsec: `decodes what follows ${WHSEC} from base64`,
};

function adviceFor(encoding: SecretEncoding, configured: SecretEncoding): string {
  if (encoding === "base64" && configured === "whsec")
    return `save the secret with ${WHSEC} before it.`;
  return `set secretEncoding to "${encoding}".`;
}

/** Texts that differ by what is easily copied along, or lost. */
function otherTexts(text: string, encoding: SecretEncoding): Candidate[] {
  const unquoted = /^\s*(["'])(.*)\1\s*$/s.exec(text)?.[2];
  return [
    {
      bytes: secretBytes(text.trim(), encoding),
      note: "The sender's secret has no white space around it: save it without.",
    },
    {
      bytes: unquoted === undefined ? null : secretBytes(unquoted, encoding),
      note: "The sender's secret has no quotes around it: save it without.",
    },
    {
      bytes: secretBytes(`${text}\n`, encoding),
      note: "The sender's secret ends with a line break: remove it there.",
    },
    {
      bytes: secretBytes(`"${text}"`, encoding),
      note: "The sender's secret has quotes around it: remove them there.",
    },
  ];
}

interface Candidate {
  bytes: Uint8Array | null;
  note: string | null;
}

/** Each key once, under its first note. */
function distinct(candidates: Candidate[]): OtherKey[] {
  const seen = new Set<string>();
  return candidates.flatMap(({ bytes, note }) => {
    const name = bytes === null ? "" : bytes.join();
    if (bytes === null || seen.has(name)) return [];
    seen.add(name);
    return { bytes, note };
  });
}

import type * as z from "zod";
import type { callbackBody } from "../contract/callbacks.ts";
import { signatureHeaders } from "../deliveries/signature.ts";
import { textOrNull } from "../lib/encoding.ts";
import { jsonOrNull } from "../lib/json-values.ts";
import { equalInConstantTime } from "../lib/secrets.ts";

/** The body of a callback: the result and the event type. */
export type Callback = z.infer<typeof callbackBody>;

export interface VerifyCallbackOptions {
  /** The `callbackSecret` of the trigger. */
  secret: string;
  /** A `Headers` object, or a record such as Node's `request.headers`. */
  headers: Headers | Record<string, string | readonly string[] | undefined>;
  /** The raw body: the signature covers its bytes. */
  body: string | Uint8Array;
  /** Allowed difference between the signed timestamp and now (default 300). */
  toleranceSeconds?: number;
  /** Clock in epoch milliseconds (default `Date.now`). */
  now?: () => number;
}

export type CallbackFault = "missing_header" | "outdated" | "wrong_signature" | "malformed";

/** A callback that failed verification. */
export class CallbackError extends Error {
  override readonly name = "CallbackError";
  readonly fault: CallbackFault;

  constructor(fault: CallbackFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/**
 * Verifies a callback's signature and age and returns its body. Throws `CallbackError`. Retries of a
 * delivery carry the same `webhook-id`: remember it to process each callback once.
 */
export async function verifyCallback({
  secret,
  headers,
  body,
  toleranceSeconds = 300,
  now = Date.now,
}: VerifyCallbackOptions): Promise<Callback> {
  // Also where types are not checked: a variable may not be set.
  if (!secret) throw new TypeError("`secret` must not be empty.");
  const webhookId = header(headers, "webhook-id");
  const signedAt = header(headers, "webhook-timestamp");
  const given = header(headers, "webhook-signature");
  // The service sends nothing but UTF-8.
  const text = typeof body === "string" ? body : textOrNull(body);
  if (text === null) throw new CallbackError("malformed", "The callback's body is not UTF-8.");
  const timestamp = /^\d{1,15}$/.test(signedAt) ? Number(signedAt) : Number.NaN;
  if (!(Math.abs(now() / 1_000 - timestamp) <= toleranceSeconds)) {
    throw new CallbackError("outdated", "The callback's timestamp is outside the tolerance.");
  }
  const signed = await signatureHeaders({ webhookId, timestamp, body: text, secret });
  const expected = signed["webhook-signature"] ?? "";
  const pairs = given.split(" ").flatMap((one) => expected.split(" ").map((other) => [one, other]));
  const matches = await Promise.all(
    pairs.map(([one = "", other = ""]) => equalInConstantTime(one, other)),
  );
  if (!matches.includes(true)) {
    throw new CallbackError(
      "wrong_signature",
      "The callback's signature does not match the secret.",
    );
  }
  const parsed = jsonOrNull(text);
  // The signature has proved the rest: the service wrote this body.
  if (isCallback(parsed)) return parsed;
  throw new CallbackError("malformed", "The callback's body is not an event of an execution.");
}

function isCallback(body: unknown): body is Callback {
  return typeof body === "object" && body !== null && "type" in body && "executionId" in body;
}

/** Looks a header up without regard to case. */
function header(headers: VerifyCallbackOptions["headers"], name: string): string {
  const all = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const value = all.find(([given]) => given.toLowerCase() === name)?.[1];
  if (typeof value === "string" && value !== "") return value;
  throw new CallbackError("missing_header", `The callback has no ${name} header.`);
}

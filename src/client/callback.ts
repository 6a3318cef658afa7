import type * as z from "zod";
import { signatureHeaders } from "../callbacks/signature.ts";
import { callbackBody } from "../contract/callback-body.ts";
import { equalInConstantTime } from "../lib/constant-time.ts";
import { RUNTIME } from "./transport.ts";

/** What the service calls back with: the result, and of what event. */
export type Callback = z.infer<typeof callbackBody>;

export interface VerifyCallback {
  /** The `callbackSecret` of the trigger. */
  secret: string;
  /** As the runtime has them: a `Headers`, or a record as Node's `request.headers`. */
  headers: Headers | Record<string, string | readonly string[] | undefined>;
  /** The body as it came, unparsed: the signature is over its bytes. */
  body: string | Uint8Array;
  /** How old, or how far ahead, the callback may be. */
  toleranceSeconds?: number;
  /** Epoch milliseconds, in place of the runtime's clock. */
  now?: () => number;
}

export type CallbackFault = "missing_header" | "outdated" | "wrong_signature" | "malformed";

/** A callback that is not to be believed. */
export class CallbackError extends Error {
  override readonly name = "CallbackError";
  readonly fault: CallbackFault;

  constructor(fault: CallbackFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/**
 * The callback, once it is proven that it comes from the service and is new; else throws a
 * `CallbackError`. Repeats of one callback carry the same `webhook-id`: remember it to act once.
 */
export async function verifyCallback({
  secret,
  headers,
  body,
  toleranceSeconds = 300,
  now = RUNTIME.now,
}: VerifyCallback): Promise<Callback> {
  const webhookId = header(headers, "webhook-id");
  const signedAt = header(headers, "webhook-timestamp");
  const given = header(headers, "webhook-signature");
  const text = textOf(body);
  const timestamp = /^\d{1,15}$/.test(signedAt) ? Number(signedAt) : Number.NaN;
  if (!(Math.abs(now() / 1_000 - timestamp) <= toleranceSeconds)) {
    throw new CallbackError("outdated", "The callback was not signed just now.");
  }
  const signed = await signatureHeaders({ webhookId, timestamp, body: text, secret });
  const expected = signed["webhook-signature"];
  if (expected === undefined) throw new TypeError("The secret of the callback is needed.");
  const matches = await Promise.all(
    given.split(" ").map((one) => equalInConstantTime(one, expected)),
  );
  if (!matches.includes(true)) {
    throw new CallbackError("wrong_signature", "The callback is not signed with this secret.");
  }
  return parsed(text);
}

/** The text whose UTF-8 are these bytes; other bytes are nothing that the service sends. */
function textOf(body: string | Uint8Array): string {
  if (typeof body === "string") return body;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new CallbackError("malformed", "The callback's body is not UTF-8.");
  }
}

function parsed(text: string): Callback {
  try {
    return callbackBody.parse(JSON.parse(text));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CallbackError("malformed", `The callback's body is not of the known form: ${reason}`);
  }
}

function header(headers: VerifyCallback["headers"], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : inRecord(headers, name);
  if (typeof value === "string" && value !== "") return value;
  throw new CallbackError("missing_header", `The callback has no header ${name}.`);
}

/** Names of headers are the same in either case. */
function inRecord(headers: Exclude<VerifyCallback["headers"], Headers>, name: string) {
  return Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
}

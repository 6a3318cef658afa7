import {
  CALLBACK_SECRET_CONTEXT,
  type DeliveryOrder,
  type DeliveryReport,
} from "../contract/callbacks.ts";
import { retryAfterMs } from "../lib/http.ts";
import { type GuardedFetch, OutboundError } from "../ports/fetch.ts";
import { signatureHeaders } from "./signature.ts";

const DEADLINE_MS = 15_000;
/** The response body is ignored; reading it this far lets the connection end cleanly. */
const MAX_RESPONSE_BYTES = 64 * 1_024;

export interface DeliveryDeps {
  /** Checks the address again, as for every outbound request. */
  fetch: GuardedFetch;
  /** Decrypts the secret; null if that fails. */
  openSecret: (sealed: string, context: string) => Promise<string | null>;
  /** Epoch milliseconds. */
  now: () => number;
}

/** How an attempt went, without its times. */
export type Answer = Pick<DeliveryReport, "status" | "error" | "retryAfterMs">;

/** Makes one attempt. Never throws: the answer contains the error. */
export async function deliver(order: DeliveryOrder, deps: DeliveryDeps): Promise<Answer> {
  const headers = await signed(order, deps).catch(() => null);
  // An unreadable secret never leads to an unsigned callback: the receiver relies on the signature.
  if (headers === null) return unanswered("The secret that signs the callback cannot be read.");
  try {
    const answer = await deps.fetch({
      method: "POST",
      url: order.url,
      headers: { "content-type": "application/json", ...order.headers, ...headers },
      body: order.body,
      maxBytes: MAX_RESPONSE_BYTES,
      timeoutMs: DEADLINE_MS,
      signal: new AbortController().signal,
    });
    const asked = retryAfterMs(answer.headers.get("retry-after"), deps.now());
    return { status: answer.status, error: statusError(answer.status), retryAfterMs: asked };
  } catch (error) {
    // Only these messages are meant for clients; other errors may quote internals.
    return unanswered(
      error instanceof OutboundError ? error.message : "The attempt could not be made.",
    );
  }
}

async function signed(order: DeliveryOrder, deps: DeliveryDeps) {
  const { webhookId, body, sealedSecret, previousSecret } = order;
  const { context = CALLBACK_SECRET_CONTEXT } = order;
  const secret = sealedSecret === null ? null : await deps.openSecret(sealedSecret, context);
  if (sealedSecret !== null && secret === null) return null;
  const message = { webhookId, timestamp: Math.floor(deps.now() / 1_000), body };
  const headers = await signatureHeaders({ ...message, secret });
  const before =
    previousSecret === undefined ? null : await deps.openSecret(previousSecret, context);
  if (before === null) return headers;
  const earlier = await signatureHeaders({ ...message, secret: before });
  const both = `${headers["webhook-signature"]} ${earlier["webhook-signature"]}`;
  return { ...headers, "webhook-signature": both };
}

/** Returns the answer of an attempt that got none. */
export function unanswered(error: string): Answer {
  return { status: null, error, retryAfterMs: null };
}

function statusError(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `It answered ${status}; redirects are not followed.`;
  return `It answered ${status}.`;
}

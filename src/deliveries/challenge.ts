import * as z from "zod";
import type { CallbackFault } from "../contract/mcp-events.ts";
import type { Settings } from "../env.ts";
import { toBase64Url } from "../lib/encoding.ts";
import { jsonOrNull } from "../lib/json-values.ts";
import { LruMap } from "../lib/lru-map.ts";
import { equalInConstantTime } from "../lib/secrets.ts";
import { serviceFetch } from "../outbound/guarded-fetch.ts";
import { OutboundError } from "../ports/fetch.ts";
import { signatureHeaders } from "./signature.ts";

const DEADLINE_MS = 10_000;
const MAX_ANSWER_BYTES = 4_096;
/** How long an account need not verify an address again, beside those of its live subscriptions. */
const VERIFIED_MS = 3_600_000;

/** The addresses that accounts have verified lately, and when. */
const verified = new LruMap<number>(1_000);

const echo = z.object({ challenge: z.string() });

interface Service {
  settings: Settings;
  /** The address of the service, which it never calls. */
  origin: string;
}

interface Receiver {
  accountId: string;
  url: string;
  secret: string;
  subscriptionId: string;
}

/**
 * Asks an address to echo a signed challenge: nobody may have events sent to an address that does not want
 * them. Returns why it did not, which repeats nothing of its answer; null if it did, now or lately.
 */
export async function receiverFault(
  receiver: Receiver,
  service: Service,
): Promise<CallbackFault | null> {
  const key = JSON.stringify([receiver.accountId, receiver.url]);
  if (Date.now() - (verified.get(key) ?? 0) < VERIFIED_MS) return null;
  const fault = await faultOf(receiver, service);
  if (fault === null) verified.set(key, Date.now());
  return fault;
}

async function faultOf(
  { url, secret, subscriptionId }: Receiver,
  { settings, origin }: Service,
): Promise<CallbackFault | null> {
  const challenge = toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
  const body = JSON.stringify({ type: "verification", challenge });
  const fetch = serviceFetch(settings, [new URL(origin).host]);
  const webhookId = `msg_verification_${crypto.randomUUID()}`;
  const timestamp = Math.floor(Date.now() / 1_000);
  try {
    const { status, bytes } = await fetch({
      method: "POST",
      url,
      headers: {
        "content-type": "application/json",
        "x-mcp-subscription-id": subscriptionId,
        ...(await signatureHeaders({ webhookId, timestamp, body, secret })),
      },
      body,
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: DEADLINE_MS,
      signal: new AbortController().signal,
    });
    if (status >= 500) return "http_5xx";
    if (status < 200 || status >= 300) return "http_4xx";
    const answer = echo.safeParse(jsonOrNull(new TextDecoder().decode(bytes)));
    const isEchoed =
      answer.success && (await equalInConstantTime(answer.data.challenge, challenge));
    return isEchoed ? null : "challenge_failed";
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return error.code === "timeout" ? "timeout" : "connection_refused";
  }
}

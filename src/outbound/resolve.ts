import * as z from "zod";
import { startDeadline } from "../lib/async.ts";
import { readCapped } from "../lib/read-up-to.ts";
import { OutboundError } from "../ports/fetch.ts";
import { isPublicIp } from "./address.ts";

export interface Resolver {
  /** A DNS-over-HTTPS endpoint with the JSON form: `https://cloudflare-dns.com/dns-query`. */
  dnsOverHttpsUrl: string;
  fetch: typeof fetch;
}

const LOOKUP_TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 65_536;

const RECORD_TYPES = { A: 1, AAAA: 28 } as const;
const NO_ERROR = 0;
const NAME_ERROR = 3;

/** The JSON form of a DNS answer, as Google and Cloudflare serve it. */
const dnsAnswer = z.object({
  Status: z.int(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).default([]),
});

/**
 * Looks a name up and requires that each of its addresses is public. It fails closed: a resolver
 * that is late, unreachable or unreadable allows nothing. Throws an `OutboundError`, or the reason of
 * `signal` when it aborts.
 */
export async function requirePublic(
  name: string,
  resolver: Resolver,
  signal: AbortSignal,
): Promise<void> {
  const lookups = await Promise.all([
    lookUp(name, "A", resolver, signal),
    lookUp(name, "AAAA", resolver, signal),
  ]);
  signal.throwIfAborted();
  if (lookups.includes(null)) {
    throw new OutboundError("lookup_failed", `The name ${name} could not be looked up safely.`);
  }
  const addresses = lookups.flatMap((found) => found ?? []);
  if (addresses.length === 0) {
    throw new OutboundError("address_refused", `The name ${name} does not resolve.`);
  }
  if (!addresses.every(isPublicIp)) {
    const reason = `The name ${name} resolves to an address that is not public.`;
    throw new OutboundError("address_refused", reason);
  }
}

/** Returns the addresses of one record type, or null without a trustworthy answer. */
async function lookUp(
  name: string,
  type: keyof typeof RECORD_TYPES,
  { dnsOverHttpsUrl, fetch }: Resolver,
  parent: AbortSignal,
): Promise<string[] | null> {
  const deadline = startDeadline(LOOKUP_TIMEOUT_MS, parent);
  const { signal } = deadline;
  const url = new URL(dnsOverHttpsUrl);
  url.searchParams.set("name", name);
  url.searchParams.set("type", type);
  const headers = { accept: "application/dns-json" };
  try {
    const response = await fetch(url.href, { headers, redirect: "manual", signal });
    const { bytes, cut } = await readCapped(response.body, MAX_ANSWER_BYTES, signal);
    if (!response.ok || cut) return null;
    const answer = dnsAnswer.parse(JSON.parse(new TextDecoder().decode(bytes)));
    if (answer.Status === NAME_ERROR) return [];
    if (answer.Status !== NO_ERROR) return null;
    // The answer lists each CNAME too; only the last record is an address.
    const records = answer.Answer.filter((record) => record.type === RECORD_TYPES[type]);
    return records.map((record) => record.data);
  } catch {
    return null;
  } finally {
    deadline.clear();
  }
}

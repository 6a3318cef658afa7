import { type EmailRoute, emailAddress } from "../../../contract/tools/send-email.ts";

/** Those of the addresses that the operator's list does not cover. */
export function refusedRecipients(
  addresses: readonly string[],
  { route, allowedRecipients }: { route: EmailRoute; allowedRecipients: readonly string[] },
): string[] {
  // Nothing leaves the outbox, so there it needs a list to refuse anybody.
  if (route === "outbox" && allowedRecipients.length === 0) {
    return addresses.filter((address) => partsOf(address) === null);
  }
  return addresses.filter((address) => !isAllowed(address, allowedRecipients));
}

/**
 * Whether a list of addresses, `@domain` and `*` covers an address. Case does not matter; beyond that
 * an address is taken as it is written: `@example.com` covers no subdomain, and `ann@example.com` not
 * `ann+news@example.com`, as only the receiving server knows what those mean.
 */
export function isAllowed(address: string, list: readonly string[]): boolean {
  const parts = partsOf(address);
  if (parts === null) return false;
  const { local, domain } = parts;
  return list.some((entry) => {
    if (entry === "*") return true;
    const at = entry.lastIndexOf("@");
    if (at === -1 || asciiDomain(entry.slice(at + 1)) !== domain) return false;
    return at === 0 || entry.slice(0, at).toLowerCase() === local;
  });
}

/** Only plain ASCII addresses have parts: what is not one is on no list. */
function partsOf(address: string): { local: string; domain: string } | null {
  if (!emailAddress.safeParse(address).success) return null;
  const [local, domain] = address.toLowerCase().split("@");
  return local === undefined || domain === undefined ? null : { local, domain };
}

/** The ASCII form of a domain that an operator may have written as it reads (RFC 5891). */
function asciiDomain(domain: string): string | null {
  // What ends the host of a URL would make another domain out of the entry.
  if (/[\s/\\?#:@[\]%]/.test(domain)) return null;
  return URL.parse(`http://${domain}/`)?.hostname ?? null;
}

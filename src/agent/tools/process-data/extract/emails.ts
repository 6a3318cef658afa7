import type { Source } from "../source/source.ts";
import { type Extracted, tableOf } from "../table.ts";

/**
 * Common addresses only: RFC 5321 lengths, no quoted local part, a dotted host with a name as its last
 * label. All counts are bounded and a match starts only where a word does, so the time is linear.
 */
const ADDRESS =
  /(?<![\p{L}\p{N}._%+'@-])[\p{L}\p{N}_+'-]{1,64}(?:\.[\p{L}\p{N}_+'-]{1,64}){0,8}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:xn--[a-z0-9-]{2,59}|\p{L}{2,24})(?![\p{L}\p{N}@-])/giu;

/** `logo@2x.png` is a picture for dense screens. */
const FILE_NAME = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|m?js|map|json|html?)$/;

/** E-mail addresses of the text and of `mailto:` links, in lower case, each once. */
export function extractEmails(source: Source): Extracted {
  const mailto = source.links().flatMap(({ url }) => (/^mailto:/i.test(url) ? [decoded(url)] : []));
  const addresses = new Set<string>();
  for (const text of [...source.passages(), ...mailto]) {
    for (const [match] of text.matchAll(ADDRESS)) {
      const address = match.replace(/^'+/, "").toLowerCase();
      const at = address.indexOf("@");
      if (at > 0 && at <= 64 && !FILE_NAME.test(address)) addresses.add(address);
    }
  }
  return tableOf(
    ["email"],
    [...addresses].map((address) => [address]),
  );
}

/** The recipients of a `mailto:` address (RFC 6068); what is badly encoded stays as it is. */
function decoded(url: string): string {
  const recipients = url.slice("mailto:".length).split("?")[0] ?? "";
  try {
    return decodeURIComponent(recipients);
  } catch {
    return recipients;
  }
}

import { parse } from "tldts";
import { failure, success, type TransformOf, wrongType } from "./basic.ts";

/** Longer text is not parsed. */
const MAX_LENGTH = 8_192;
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const MAIL = /^(?:mailto:)?[^\s@<>]+@([^\s@<>/?]+)(?:\?.*)?$/i;
const IN_BRACKETS = /<([^<>]*)>\s*$/;
/** A host without a URL around it: a name with a dot, or an IPv6 address. */
const BARE = /^(\[[0-9a-f:.]+\]|[^\s/:?#@]+\.[^\s/:?#@]+|localhost)(:\d+)?([/?#]|$)/i;
const IPV6 = /^[0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*$/i;

/**
 * Returns the host of a URL, an e-mail address (also `Name <address>`) or a host, in lower case and
 * punycode, or its registrable domain: the public suffix and one more label. Private suffixes count (the
 * URL Standard's registrable domain): that of `shop.foo.github.io` is `foo.github.io`, since `foo` does
 * not belong to GitHub. An IP address has none.
 */
export const domain: TransformOf<"domain"> = (value, { level }) => {
  if (typeof value !== "string") return wrongType(value, "a URL, an e-mail address or a host");
  const host = hostOf(value.trim());
  if (host === null) return failure("must be a URL, an e-mail address or a host");
  if (level === "host") return success(host);
  const parsed = parse(host, { allowPrivateDomains: true });
  if (parsed.isIp) return failure(`has the IP address ${host}, which has no registrable domain`);
  return parsed.domain === null
    ? failure(`has the host ${host}, which has no registrable domain`)
    : success(parsed.domain);
};

function hostOf(text: string): string | null {
  if (text.length > MAX_LENGTH) return null;
  // An address may hold brackets and an @ in its path and query.
  const isUrl = SCHEME.test(text) || text.startsWith("//") || hasPath(text);
  const address = isUrl ? text : (IN_BRACKETS.exec(text)?.[1]?.trim() ?? text);
  if (SCHEME.test(address)) return ofUrl(address);
  if (address.startsWith("//")) return ofUrl(`http:${address}`);
  if (isUrl) return ofUrl(`http://${address}`);
  const mail = MAIL.exec(address)?.[1];
  if (mail !== undefined) return ofUrl(`http://${mail}`);
  if (IPV6.test(address)) return ofUrl(`http://[${address}]`);
  return BARE.test(address) ? ofUrl(`http://${address}`) : null;
}

/** Whether a text begins with a host and a path or query: `ann.lee/sales@example.org` is an e-mail address. */
function hasPath(text: string): boolean {
  const [, host = "", port, path] = BARE.exec(text) ?? [];
  if (!path) return false;
  const { isIcann, isPrivate, isIp } = parse(host, { allowPrivateDomains: true });
  return port !== undefined || isIp === true || isIcann === true || isPrivate === true;
}

function ofUrl(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.hostname === "") return null;
  // Only the schemes of the web have their hosts normalised by the parser.
  if (!/^(?:https?|wss?|ftp):$/.test(url.protocol)) return ofUrl(`http://${url.hostname}`);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  return host === "" || parse(host).hostname === null ? null : host;
}

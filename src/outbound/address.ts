import ipaddr from "ipaddr.js";
import { refusedName } from "./names.ts";

/** What the service may connect to. */
export interface AddressPolicy {
  /** Hosts of this machine may be reached, on any port but the service's own. For development. */
  allowLoopback: boolean;
  /** Where the service itself answers, as `host` or `host:port`; never reached. */
  ownHosts: string[];
  /**
   * Schemes for public hosts. Loopback, where it is allowed, takes http and https alike, since
   * nothing leaves the machine: `["https"]` therefore means "http to loopback only".
   */
  schemes: ("http" | "https")[];
}

/** How an allowed host is written: only a name still has to be looked up. */
type HostKind = "name" | "ip" | "loopback";

export type AddressCheck = { ok: true; url: URL; kind: HostKind } | { ok: false; reason: string };

const PUBLIC_PORTS = new Set(["80", "443", "8080", "8443"]);

/** Azure's metadata and DHCP service has a public address, so no range covers it. */
const PUBLIC_METADATA = new Set(["168.63.129.16"]);

/**
 * Decides whether an address may be connected to, from its text alone. The WHATWG parser has
 * already turned decimal, octal, hexadecimal, percent-encoded and fullwidth spellings of a host
 * into the one canonical form, so the rules below see one spelling of each address.
 */
export function checkAddress(address: string, policy: AddressPolicy): AddressCheck {
  const url = URL.parse(address);
  if (!url) return refuse("This is not a valid absolute address.");
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return refuse(`Only ${schemeList(policy)} addresses are allowed, not ${url.protocol}`);
  }
  if (url.username || url.password) {
    return refuse("An address must not carry a user name or a password.");
  }
  const host = bareHost(url);
  const ip = ipaddr.isValid(host) ? ipaddr.parse(host) : null;
  return isLoopback(host, ip) ? checkLoopback(url, policy) : checkPublic(url, host, ip, policy);
}

/** Whether the text is an IP address of the public internet. */
export function isPublicIp(text: string): boolean {
  return ipaddr.isValid(text) && isPublic(ipaddr.parse(text));
}

function checkLoopback(url: URL, policy: AddressPolicy): AddressCheck {
  if (!policy.allowLoopback) return refuse("Addresses of the local machine are not allowed.");
  if (isOwnPort(portOf(url), policy.ownHosts)) return refuseSelf();
  return { ok: true, url, kind: "loopback" };
}

function checkPublic(
  url: URL,
  host: string,
  ip: ipaddr.IPv4 | ipaddr.IPv6 | null,
  policy: AddressPolicy,
): AddressCheck {
  if (ip && !isPublic(ip)) {
    return refuse(`The address ${host} is private or reserved; only public ones are allowed.`);
  }
  const badName = ip ? null : refusedName(host);
  if (badName) return refuse(badName);
  if (policy.ownHosts.some((own) => hostOf(own) === host)) return refuseSelf();
  if (!policy.schemes.some((scheme) => `${scheme}:` === url.protocol)) {
    return refuse(`Only ${schemeList(policy)} addresses are allowed for this host.`);
  }
  if (!PUBLIC_PORTS.has(portOf(url))) {
    return refuse(`Port ${portOf(url)} is not allowed; use 80, 443, 8080 or 8443.`);
  }
  return { ok: true, url, kind: ip ? "ip" : "name" };
}

/**
 * Public IPv6 is global unicast (2000::/3) less its special blocks. Everything outside is refused
 * at once: that covers IPv4-compatible, IPv4-mapped and NAT64 forms, which hide an IPv4 address.
 */
function isPublic(ip: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (ip instanceof ipaddr.IPv6 && !ip.match(ipaddr.IPv6.parse("2000::"), 3)) return false;
  return ip.range() === "unicast" && !PUBLIC_METADATA.has(ip.toString());
}

/** Only the plain forms: a mapped or translated loopback address is refused as not public. */
function isLoopback(host: string, ip: ipaddr.IPv4 | ipaddr.IPv6 | null): boolean {
  if (ip) return ip.range() === "loopback";
  return host === "localhost" || host.endsWith(".localhost");
}

/** Every loopback address and name leads to the same machine, so the port alone tells. */
function isOwnPort(port: string, ownHosts: string[]): boolean {
  return ownHosts.some((own) => {
    const ownPort = URL.parse(`http://${own}`)?.port;
    return ownPort ? ownPort === port : port === "80" || port === "443";
  });
}

function hostOf(own: string): string | null {
  const url = URL.parse(`http://${own}`);
  return url && bareHost(url);
}

/** The host without the brackets of IPv6 and without the root's trailing dot. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

function portOf(url: URL): string {
  return url.port || (url.protocol === "https:" ? "443" : "80");
}

function schemeList(policy: AddressPolicy): string {
  return policy.schemes.join(" and ");
}

function refuseSelf(): AddressCheck {
  return refuse("This address is the service itself.");
}

function refuse(reason: string): AddressCheck {
  return { ok: false, reason };
}

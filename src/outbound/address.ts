import ipaddr from "ipaddr.js";
import { coversHost } from "../lib/http.ts";

/** The addresses that the service may connect to. */
export interface AddressPolicy {
  /** Allows hosts of this machine on any port but the service's own. For development. */
  allowLoopback: boolean;
  /** The service's own hosts, as `host` or `host:port`; never allowed. */
  ownHosts: string[];
  /**
   * The schemes for public hosts. A loopback host, where allowed, takes http and https, since nothing
   * leaves the machine.
   */
  schemes: ("http" | "https")[];
  /** Patterns of the only hosts that are allowed; null or left out for all. */
  allowedHosts?: readonly string[] | null;
}

/** How an allowed host is written; only a name needs a look-up. */
type HostKind = "name" | "ip" | "loopback";

export type AddressCheck = { ok: true; url: URL; kind: HostKind } | { ok: false; reason: string };

const ITSELF = "This address is the service itself.";
const PUBLIC_PORTS = new Set(["80", "443", "8080", "8443"]);

/** Azure's metadata and DHCP service has a public address, so no range covers it. */
const PUBLIC_METADATA = new Set(["168.63.129.16"]);

/**
 * Decides from its text alone whether the service may connect to an address. The WHATWG parser has
 * already turned decimal, octal, hexadecimal, percent-encoded and fullwidth spellings of a host
 * into the one canonical form, so the rules see one spelling of each address.
 */
export function checkAddress(address: string, policy: AddressPolicy): AddressCheck {
  const url = URL.parse(address);
  if (!url) return refuse("This is not a valid absolute address.");
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    const scheme = url.protocol.slice(0, -1);
    return refuse(`Only ${policy.schemes.join(" and ")} addresses are allowed, not ${scheme}.`);
  }
  if (url.username || url.password) {
    return refuse("An address must not contain a user name or a password.");
  }
  const { allowedHosts } = policy;
  if (allowedHosts != null && !coversHost(allowedHosts, url)) {
    return refuse(`The host ${url.host} is not among the allowed hosts of this execution.`);
  }
  const host = bareHost(url);
  const ip = ipaddr.isValid(host) ? ipaddr.parse(host) : null;
  return isLoopback(host, ip) ? checkLoopback(url, policy) : checkPublic(url, host, ip, policy);
}

/** Returns whether a text is an IP address of the public internet. */
export function isPublicIp(text: string): boolean {
  return ipaddr.isValid(text) && isPublic(ipaddr.parse(text));
}

function checkLoopback(url: URL, policy: AddressPolicy): AddressCheck {
  if (!policy.allowLoopback) return refuse("Addresses of the local machine are not allowed.");
  if (isOwnPort(portOf(url), policy.ownHosts)) return refuse(ITSELF);
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
  if (policy.ownHosts.some((own) => hostOf(own) === host)) return refuse(ITSELF);
  if (!policy.schemes.some((scheme) => `${scheme}:` === url.protocol)) {
    return refuse(`Only ${policy.schemes.join(" and ")} addresses are allowed for this host.`);
  }
  if (!PUBLIC_PORTS.has(portOf(url))) {
    return refuse(`Port ${portOf(url)} is not allowed; use 80, 443, 8080 or 8443.`);
  }
  return { ok: true, url, kind: ip ? "ip" : "name" };
}

/**
 * Returns whether an address is public. Public IPv6 is global unicast (2000::/3) less its special blocks.
 * Everything outside is refused at once: that covers IPv4-compatible, IPv4-mapped and NAT64 forms, which
 * hide an IPv4 address.
 */
function isPublic(ip: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (ip instanceof ipaddr.IPv6 && !ip.match(ipaddr.IPv6.parse("2000::"), 3)) return false;
  return ip.range() === "unicast" && !PUBLIC_METADATA.has(ip.toString());
}

/** Recognizes plain forms only; a mapped or translated loopback address is refused as not public. */
function isLoopback(host: string, ip: ipaddr.IPv4 | ipaddr.IPv6 | null): boolean {
  if (ip) return ip.range() === "loopback";
  return host === "localhost" || host.endsWith(".localhost");
}

/** Every loopback address and name leads to the same machine, so the port alone decides. */
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

/** Returns the host without the brackets of IPv6 and without the root's trailing dot. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

function portOf(url: URL): string {
  return url.port || (url.protocol === "https:" ? "443" : "80");
}

function refuse(reason: string): AddressCheck {
  return { ok: false, reason };
}

/** Suffixes that stand for a private network, by RFC 6762, RFC 8375 and ICANN's reservation. */
const PRIVATE_SUFFIXES = [
  "local",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "localdomain",
  "home.arpa",
  "svc",
];

/** Metadata services of clouds that answer under a name of public form. */
const METADATA_NAMES = ["metadata.goog", "metadata.tencentyun.com"];

/**
 * Public names that resolve to private addresses by design. The look-up finds them too, but is not
 * always configured.
 */
const REBINDING_SUFFIXES = [
  "nip.io",
  "sslip.io",
  "xip.io",
  "localtest.me",
  "lvh.me",
  "vcap.me",
  "lacolhost.com",
  "localho.st",
  "traefik.me",
  "rbndr.us",
  "1u.ms",
];

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Returns why a host name is refused, as a sentence, or null. */
function refusedName(name: string): string | null {
  const labels = name.split(".");
  if (name.length > 253 || !labels.every((label) => LABEL.test(label))) {
    return "The host is not a valid name.";
  }
  if (labels.length === 1) return `The name ${name} is local; only public names are allowed.`;
  if (isUnder(name, PRIVATE_SUFFIXES)) return `The name ${name} belongs to a private network.`;
  if (isUnder(name, METADATA_NAMES)) return `The name ${name} is a cloud's metadata service.`;
  if (isUnder(name, REBINDING_SUFFIXES)) return `The name ${name} can lead to private addresses.`;
  return null;
}

function isUnder(name: string, suffixes: string[]): boolean {
  return suffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
}

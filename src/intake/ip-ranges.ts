import ipaddr from "ipaddr.js";

type Ip = ipaddr.IPv4 | ipaddr.IPv6;

/** A range of addresses: all that share the first `bits` bits of `base`. */
export interface IpRange {
  base: Ip;
  bits: number;
}

const MAPPED_BITS = 96;

/**
 * Parses an address; null if it is invalid. Returns the IPv4 address of an IPv4-mapped IPv6 address.
 * Rejects zones (`%eth0`) and the old notations of IPv4 (`1`, `0x7f.1`, `010.0.0.1`).
 */
export function parseIp(text: string): Ip | null {
  const ip = parseAsWritten(text);
  return ip instanceof ipaddr.IPv6 && ip.isIPv4MappedAddress() ? ip.toIPv4Address() : ip;
}

/** Parses an address or a CIDR range; null if it is invalid. Mapped ones become IPv4. */
export function parseRange(text: string): IpRange | null {
  const [address = "", prefix, ...rest] = text.split("/");
  const written = parseAsWritten(address);
  if (written === null || rest.length > 0) return null;
  const most = written.kind() === "ipv4" ? 32 : 128;
  const bits = prefix === undefined ? most : prefixLength(prefix);
  if (bits === null || bits > most) return null;
  const isMapped = written instanceof ipaddr.IPv6 && written.isIPv4MappedAddress();
  // A shorter prefix includes more than the mapped addresses, so it stays IPv6.
  if (!isMapped || bits < MAPPED_BITS) return { base: written, bits };
  return { base: written.toIPv4Address(), bits: bits - MAPPED_BITS };
}

const NETWORK_BITS = 64;

/**
 * Returns what counts as one sender: an IPv4 address, or the network of an IPv6 address, of which one
 * subscriber has all. Any other text is returned unchanged.
 */
export function networkOf(address: string): string {
  const ip = parseIp(address);
  if (ip === null) return address;
  return ip.kind() === "ipv4" ? ip.toString() : rangeText({ base: ip, bits: NETWORK_BITS });
}

/** Whether an address is in a range of the same family. */
export function isInRange(ip: Ip, { base, bits }: IpRange): boolean {
  return ip.kind() === base.kind() && ip.match(base, bits);
}

function parseAsWritten(text: string): Ip | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!/^[0-9a-f:.]{2,45}$/i.test(text)) return null;
  // ipaddr.js takes `::203.0.113.7` for a mapped address, so the URL parser normalises it first.
  const written = URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) ?? "";
  return ipaddr.IPv6.isValid(written) ? ipaddr.IPv6.parse(written) : null;
}

function prefixLength(text: string): number | null {
  return /^(?:0|[1-9]\d{0,2})$/.test(text) ? Number(text) : null;
}

/**
 * Formats a range: `203.0.113.7`, `2001:db8::/32`. Clears the bits of the host, so that the list shows
 * what it matches: `203.0.113.7/24` becomes `203.0.113.0/24`.
 */
export function rangeText({ base, bits }: IpRange): string {
  if (bits === (base.kind() === "ipv4" ? 32 : 128)) return base.toString();
  const family = base instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(`${base.toString()}/${bits}`).toString()}/${bits}`;
}

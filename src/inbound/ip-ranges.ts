import ipaddr from "ipaddr.js";

type Ip = ipaddr.IPv4 | ipaddr.IPv6;

/** A block of addresses: those that share the first `bits` bits of `base`. */
export interface IpRange {
  base: Ip;
  bits: number;
}

const MAPPED_BITS = 96;

/**
 * An address in its usual notation, or null for what is none. An IPv4-mapped IPv6 address is the IPv4
 * address in it. Zones (`%eth0`) and the old ways to write IPv4 (`1`, `0x7f.1`, `010.0.0.1`) are refused.
 */
export function parseIp(text: string): Ip | null {
  const ip = parseAsWritten(text);
  return ip instanceof ipaddr.IPv6 && ip.isIPv4MappedAddress() ? ip.toIPv4Address() : ip;
}

/** An address or a CIDR range, or null for what is neither. Mapped ones are those of IPv4. */
export function parseRange(text: string): IpRange | null {
  const [address = "", prefix, ...rest] = text.split("/");
  const written = parseAsWritten(address);
  if (written === null || rest.length > 0) return null;
  const most = written.kind() === "ipv4" ? 32 : 128;
  const bits = prefix === undefined ? most : prefixLength(prefix);
  if (bits === null || bits > most) return null;
  const isMapped = written instanceof ipaddr.IPv6 && written.isIPv4MappedAddress();
  // A shorter prefix reaches beyond the mapped addresses: it stays a range of IPv6.
  if (!isMapped || bits < MAPPED_BITS) return { base: written, bits };
  return { base: written.toIPv4Address(), bits: bits - MAPPED_BITS };
}

/** Whether the address is in the range; one of the other family never is. */
export function isInRange(ip: Ip, { base, bits }: IpRange): boolean {
  return ip.kind() === base.kind() && ip.match(base, bits);
}

function parseAsWritten(text: string): Ip | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!/^[0-9a-f:.]{2,45}$/i.test(text)) return null;
  // By way of the URL parser, since ipaddr.js takes `::203.0.113.7` for a mapped address.
  const written = URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) ?? "";
  return ipaddr.IPv6.isValid(written) ? ipaddr.IPv6.parse(written) : null;
}

function prefixLength(text: string): number | null {
  return /^(?:0|[1-9]\d{0,2})$/.test(text) ? Number(text) : null;
}

/**
 * A range in its one spelling: `203.0.113.7`, `2001:db8::/32`. Bits of the host, which match nothing,
 * are left out, so that the list shows what it lets in: `203.0.113.7/24` is `203.0.113.0/24`.
 */
export function rangeText({ base, bits }: IpRange): string {
  const whole = `${base.toString()}/${bits}`;
  if (base instanceof ipaddr.IPv4) {
    return bits === 32
      ? base.toString()
      : `${ipaddr.IPv4.networkAddressFromCIDR(whole).toString()}/${bits}`;
  }
  return bits === 128
    ? base.toString()
    : `${ipaddr.IPv6.networkAddressFromCIDR(whole).toString()}/${bits}`;
}

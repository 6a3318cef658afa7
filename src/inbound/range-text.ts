import ipaddr from "ipaddr.js";
import type { IpRange } from "./ip-ranges.ts";

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

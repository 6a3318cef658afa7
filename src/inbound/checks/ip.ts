import { type IpRange, isInRange, parseIp, parseRange } from "../ip-ranges.ts";
import { type Check, PASSED, refused, skipped } from "./check.ts";

/** Parsed lists by the list of a configuration, which never changes: a list may have a thousand ranges. */
const parsed = new WeakMap<string[], IpRange[]>();

/** It comes from an address on the list. Only CF-Connecting-IP counts, since a client cannot write it. */
export const ip: Check = {
  stage: "ip",
  judge({ endpoint: { config }, request: { sourceIp } }) {
    const list = config.auth.ipAllowlist;
    if (list === null) return skipped("The endpoint has no list of addresses.");
    if (sourceIp === null) return refusal("The address of the sender is not known.");
    const source = parseIp(sourceIp);
    if (source === null) return refusal("The address of the sender cannot be read.");
    if (rangesOf(list).some((range) => isInRange(source, range))) return PASSED;
    return refusal(`${source} is not on the endpoint's list of addresses.`);
  },
};

const refusal = (message: string) => refused("ip_not_allowed", "ip_allowlist", message);

function rangesOf(list: string[]): IpRange[] {
  const known = parsed.get(list);
  if (known) return known;
  const ranges = list.map(parseRange).filter((range) => range !== null);
  parsed.set(list, ranges);
  return ranges;
}

import type { InboundMethod } from "../../contract/inbound/endpoint.ts";
import { isLoopbackHost } from "../../lib/http.ts";
import { type IpRange, isInRange, parseIp, parseRange } from "../ip-ranges.ts";
import { mediaOf } from "../payload/parse.ts";
import { type Check, PASSED, refused, skipped, tooLarge } from "./check.ts";

/** The endpoint is there and takes requests. */
export const endpoint: Check = {
  stage: "endpoint",
  run({ endpoint: { config } }) {
    if (config.deleted) return refused("gone", "deleted", "The endpoint was deleted.");
    if (!config.enabled) return refused("not_found", "enabled", "The endpoint is not enabled.");
    return PASSED;
  },
};

/** It came over HTTPS, by a TLS version that is new enough where that is known; or from this machine. */
export const https: Check = {
  stage: "https",
  run({ request: { url, tlsVersion }, minTlsVersion }) {
    if (url.protocol !== "https:") {
      if (isLoopbackHost(url.hostname)) return PASSED;
      return refused("https_required", "https", "It came over plain HTTP.");
    }
    if (tlsVersion === null || numberOf(tlsVersion) >= numberOf(minTlsVersion)) return PASSED;
    const message = `It came over ${tlsVersion.slice(0, 20)}; TLS ${minTlsVersion} is the least.`;
    return refused("https_required", "tls_version", message);
  },
};

/** `TLSv1.3` and `1.3` are 13, `TLSv1` is 10; whatever is no version of TLS is below all. */
function numberOf(version: string): number {
  const parts = /^(?:TLSv)?(\d)(?:\.(\d))?$/.exec(version);
  return parts ? Number(parts[1]) * 10 + Number(parts[2] ?? 0) : 0;
}

/** The endpoint takes this method. */
export const method: Check = {
  stage: "method",
  run({ endpoint: { config }, request }) {
    const allowed: InboundMethod[] = config.methods;
    if (allowed.some((one) => one === request.method)) return PASSED;
    const allow = allowed.join(", ");
    return {
      kind: "refused",
      code: "method_not_allowed",
      errors: [{ rule: "methods", message: `${request.method.slice(0, 20)} is not ${allow}.` }],
      headers: { Allow: allow },
    };
  },
};

/** Parsed lists by the list of a configuration, which never changes: a list may have a thousand ranges. */
const parsed = new WeakMap<string[], IpRange[]>();

/** It comes from an address on the list. Only CF-Connecting-IP counts, since a client cannot write it. */
export const ip: Check = {
  stage: "ip",
  run({ endpoint: { config }, request: { sourceIp } }) {
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

/** The body on the wire is within the endpoint's limit. Its inflated length is known once it is parsed. */
export const size: Check = {
  stage: "size",
  run({ endpoint: { config }, request: { body } }) {
    if (body.kind === "too_large") return tooLarge(body.limit);
    const limit = config.validation.maxBytes;
    // The limit may have been lowered between reading the body and this check.
    return body.kind === "whole" && body.raw.length > limit ? tooLarge(limit) : PASSED;
  },
};

/** The body is of a kind that can be read, under an encoding that could be undone. */
export const contentType: Check = {
  stage: "content_type",
  run({ request: { method, headers, body } }) {
    if (method === "GET") return skipped("A GET has its payload in the query.");
    if (body.kind === "unsupported") {
      return refused("unsupported_media_type", "content_encoding", body.detail);
    }
    const isEmpty = body.kind === "whole" && body.raw.length === 0;
    if (isEmpty || mediaOf(headers.get("Content-Type")) !== null) return PASSED;
    const message = "The Content-Type is none of JSON, a form or text in UTF-8.";
    return refused("unsupported_media_type", "content_type", message);
  },
};

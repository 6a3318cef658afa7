import type { InboundMethod } from "../../contract/webhooks/endpoint.ts";
import { isLoopbackHost } from "../../lib/http.ts";
import { isProbe } from "../handshake.ts";
import { type IpRange, isInRange, parseIp, parseRange } from "../ip-ranges.ts";
import { mediaOf } from "../payload/parse.ts";
import { type Check, PASSED, refused, skipped, tooLarge } from "./check.ts";

/** Checks that the endpoint exists and is enabled. */
export const endpoint: Check = {
  stage: "endpoint",
  run({ endpoint: { config } }) {
    if (config.deleted) return refused("gone", "deleted", "The endpoint is deleted.");
    if (!config.enabled) return refused("not_found", "enabled", "The endpoint is disabled.");
    return PASSED;
  },
};

/** Checks for HTTPS and, if it is known, the TLS version. Loopback hosts may use plain HTTP. */
export const https: Check = {
  stage: "https",
  run({ request: { url, tlsVersion }, minTlsVersion }) {
    if (url.protocol !== "https:") {
      if (isLoopbackHost(url.hostname)) return PASSED;
      return refused("https_required", "https", "The request used plain HTTP.");
    }
    if (tlsVersion === null || numberOf(tlsVersion) >= numberOf(minTlsVersion)) return PASSED;
    const message = `The request used ${tlsVersion.slice(0, 20)}; TLS ${minTlsVersion} or later is required.`;
    return refused("https_required", "tls_version", message);
  },
};

/** Returns 13 for `TLSv1.3` and `1.3`, 10 for `TLSv1`, and 0 for anything else. */
function numberOf(version: string): number {
  const parts = /^(?:TLSv)?(\d)(?:\.(\d))?$/.exec(version);
  return parts ? Number(parts[1]) * 10 + Number(parts[2] ?? 0) : 0;
}

/** Checks the method. */
export const method: Check = {
  stage: "method",
  run({ endpoint: { config }, request }) {
    const allowed: InboundMethod[] = config.methods;
    const isAllowed = allowed.some((one) => one === request.method);
    if (isAllowed || isProbe(config, request)) return PASSED;
    const allow = allowed.join(", ");
    return {
      kind: "refused",
      code: "method_not_allowed",
      errors: [
        {
          rule: "methods",
          message: `${request.method.slice(0, 20)} is not allowed. Allowed methods: ${allow}.`,
        },
      ],
      headers: { Allow: allow },
    };
  },
};

/** Parsed allowlists by the list of a configuration, which never changes: a list may have 1,000 ranges. */
const parsed = new WeakMap<string[], IpRange[]>();

/** Checks the source address. Trusts CF-Connecting-IP alone, because clients cannot set it. */
export const ip: Check = {
  stage: "ip",
  run({ endpoint: { config }, request: { sourceIp } }) {
    const list = config.auth.ipAllowlist;
    if (list === null) return skipped("The endpoint has no IP allowlist.");
    if (sourceIp === null) return refusal("The source IP address is unknown.");
    const source = parseIp(sourceIp);
    if (source === null) return refusal("The source IP address is invalid.");
    if (rangesOf(list).some((range) => isInRange(source, range))) return PASSED;
    return refusal(`${source} is not on the IP allowlist of the endpoint.`);
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

/** Checks the length of the body on the wire. Parsing checks the inflated length. */
export const size: Check = {
  stage: "size",
  run({ endpoint: { config }, request: { body } }) {
    if (body.kind === "too_large") return tooLarge(body.limit);
    const limit = config.validation.maxBytes;
    // The limit may have been lowered between reading the body and this check.
    return body.kind === "whole" && body.raw.length > limit ? tooLarge(limit) : PASSED;
  },
};

/** Checks the Content-Type and the Content-Encoding. */
export const contentType: Check = {
  stage: "content_type",
  run({ endpoint: { config }, request: { method, headers, body } }) {
    if (method === "GET") return skipped("The payload of a GET is its query.");
    if (body.kind === "unsupported") {
      return refused("unsupported_media_type", "content_encoding", body.detail);
    }
    const isEmpty = body.kind === "whole" && body.raw.length === 0;
    const isFile = mediaOf(headers.get("Content-Type")) === null;
    if (isEmpty || !isFile || config.validation.files) return PASSED;
    const message =
      "The Content-Type must be JSON, a form or text, in UTF-8. `validation.files` of the endpoint accepts others as files.";
    return refused("unsupported_media_type", "content_type", message);
  },
};

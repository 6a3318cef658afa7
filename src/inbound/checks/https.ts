import { isLoopbackHost } from "../../lib/http.ts";
import { type Check, PASSED, refused } from "./check.ts";

/** It came over HTTPS, by a TLS version that is new enough where that is known; or from this machine. */
export const https: Check = {
  stage: "https",
  judge({ request: { url, tlsVersion }, minTlsVersion }) {
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

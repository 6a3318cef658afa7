const PATTERN = /^(\*\.)?([^/?#@\\\s*]+)$/;
const HAS_PORT = /:\d+$/;

/**
 * Returns a pattern of hosts in its canonical form, or null if it is none: `example.com`, `*.example.com` for
 * its subdomains, an IP address; each with or without a port.
 */
export function hostPattern(text: string): string | null {
  const [, wildcard = "", host] = PATTERN.exec(text) ?? [];
  const url = host === undefined ? null : URL.parse(`https://${host}/`);
  if (host === undefined || url === null || url.hostname === "") return null;
  const isAddress = /^(?:\[|[\d.]+$)/.test(url.hostname);
  if (wildcard !== "" && (isAddress || !url.hostname.includes("."))) return null;
  // The parser drops the port 443, which a pattern may mean.
  const port = HAS_PORT.exec(host)?.[0] ?? "";
  return wildcard + bare(url.hostname) + port;
}

/** Whether one of these canonical patterns covers the host of an address. */
export function coversHost(patterns: readonly string[], url: URL): boolean {
  const host = bare(url.hostname);
  const port = url.port || (url.protocol === "http:" ? "80" : "443");
  return patterns.some((pattern) => {
    const portOf = HAS_PORT.exec(pattern)?.[0] ?? "";
    if (portOf !== "" && portOf !== `:${port}`) return false;
    const name = pattern.slice(0, pattern.length - portOf.length);
    return name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name;
  });
}

/** Removes the root's trailing dot. */
const bare = (hostname: string) => hostname.replace(/\.$/, "");

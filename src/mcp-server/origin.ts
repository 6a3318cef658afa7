/**
 * Whether an Origin is the service's own. The host of the request can be trusted to be that: over
 * HTTPS nobody else has a certificate for it, and plain HTTP is served to loopback names alone, which
 * no rebinding of a name leads to.
 */
export function isOwnOrigin(origin: string, url: string, serviceHosts: readonly string[]): boolean {
  if (origin === new URL(url).origin) return true;
  const parsed = URL.canParse(origin) ? new URL(origin) : null;
  return parsed?.protocol === "https:" && serviceHosts.includes(parsed.host);
}

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
 * Public names that resolve to private addresses by design. The look-up would find them out too,
 * but it is not always configured.
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

/** Why a host name is refused, as a sentence; null when nothing speaks against it. */
export function refusedName(name: string): string | null {
  const labels = name.split(".");
  if (name.length > 253 || !labels.every((label) => LABEL.test(label))) {
    return "The host is not a valid name.";
  }
  if (labels.length === 1) return `The name ${name} is local; only public names are allowed.`;
  if (isUnder(name, PRIVATE_SUFFIXES)) return `The name ${name} belongs to a private network.`;
  if (isUnder(name, METADATA_NAMES)) return `The name ${name} is a cloud's metadata service.`;
  if (isUnder(name, REBINDING_SUFFIXES)) {
    return `The name ${name} can lead to private addresses.`;
  }
  return null;
}

function isUnder(name: string, suffixes: string[]): boolean {
  return suffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
}

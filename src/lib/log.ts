/** What lines of normal operation tell of. Their fields are in `docs/operating.md`. */
type Event = "request" | "call" | "execution" | "callback";

/** The fields of a line; those that are undefined are left out. No URL, header, secret, prompt or payload. */
type Fields = Record<string, string | number | null | undefined>;

const ENDPOINT_ID_SHOWN = "ep_".length + 8;
const MAX_LENGTH = 4_000;
/** Secrets that the text of an error may quote. */
const SECRETS = /\b(?:ph_live_|ph_mcp_|whsec_)[\w+/=-]+|\bep_[0-9a-f]{40,42}\b/g;

/** Logs normal operation. */
export function logInfo(event: Event, fields: Fields): void {
  console.info(JSON.stringify({ level: "info", event, ...fields }));
}

/** Logs trouble that the service recovers from, with the innermost reason of `error`. */
export function logWarning(event: string, fields: Fields, error?: unknown): void {
  console.warn(troubleLine("warn", event, fields, error));
}

/** Logs trouble that an operator should look at, with the innermost reason of `error`. */
export function logError(event: string, fields: Fields, error?: unknown): void {
  console.error(troubleLine("error", event, fields, error));
}

/** Returns the part of an endpoint's id that logs may contain: anybody can send to the whole id. */
export function shortEndpointId(endpointId: string): string {
  return endpointId.slice(0, ENDPOINT_ID_SHOWN);
}

function troubleLine(level: "warn" | "error", event: string, fields: Fields, error: unknown) {
  const reason = error === undefined ? undefined : rootCause(error);
  return JSON.stringify({ level, event, ...fields, error: reason }, (_, value: unknown) =>
    typeof value === "string" ? safe(value) : value,
  );
}

function safe(text: string): string {
  const short = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)} ...` : text;
  return short.replace(SECRETS, (found) =>
    found.startsWith("ep_") ? shortEndpointId(found) : "[hidden]",
  );
}

/**
 * Returns the innermost reason of an error. The errors around it may quote a query with its parameters,
 * which are the clients' data.
 */
export function rootCause(error: unknown): string {
  let reason = error;
  for (let depth = 0; depth < 10; depth += 1) {
    if (!(reason instanceof Error) || reason.cause === undefined) break;
    reason = reason.cause;
  }
  return String(reason);
}

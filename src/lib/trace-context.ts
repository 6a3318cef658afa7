/** Version 00 has 55 characters; later ones may add fields. */
const TRACEPARENT =
  /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?![^-])/;

/**
 * Parses a header of W3C Trace Context to ids of 32 and 16 hex digits, and flags; null if it is not valid
 * (https://www.w3.org/TR/trace-context/).
 */
export function parseTraceparent(header: string | null | undefined) {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** Returns the header of a request for what the request starts, or nothing if it is not valid. */
export const traceOf = (traceparent: string | undefined) =>
  traceparent !== undefined && parseTraceparent(traceparent) !== null ? { traceparent } : {};

const PRIME = 0x100000001b3n;
const OFFSET = 0xcbf29ce484222325n;

/** Returns the id of a part of an execution, the same in every process: 64 bits of FNV-1a as hex. */
export function spanIdOf(executionId: string, part: string): string {
  let hash = OFFSET;
  for (const byte of new TextEncoder().encode(`${executionId}/${part}`)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * PRIME);
  }
  return (hash === 0n ? 1n : hash).toString(16).padStart(16, "0");
}

/** Returns the header by which a part of an execution continues the trace that started it, if one did. */
export function continuedTrace(
  { executionId, traceparent }: { executionId: string; traceparent?: string },
  part: string,
): { traceparent?: string } {
  const parent = parseTraceparent(traceparent);
  if (parent === null) return {};
  // The caller chooses what is sampled. Only two flags have a meaning.
  const flags = parent.flags & 0b11;
  return { traceparent: `00-${parent.traceId}-${spanIdOf(executionId, part)}-0${flags}` };
}

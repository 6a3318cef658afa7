import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type {
  InboxApi,
  LoggedRequest,
  ReceivedRequest,
  RouteDecision,
} from "../contract/webhooks/inbox.ts";
import type { Mapping } from "../contract/webhooks/mapping.ts";
import type { Stage, StageError } from "../contract/webhooks/payload.ts";
import type { ReleaseTrial } from "../contract/webhooks/trials.ts";
import type { WorkflowInput } from "../contract/workflow.ts";
import { addToQuery } from "../lib/http.ts";
import { REDACTED } from "../lib/redaction.ts";
import { type Admitted, admitAll } from "./admit.ts";
import { type Mapped, mapPayload } from "./mapping/map.ts";
import { sourcesOf } from "./mapping/sources.ts";
import { plainBody } from "./payload/body.ts";
import { type ParsedPayload, parsePayload } from "./payload/parse.ts";
import { blockingErrors, errorsOf, matchRoutes } from "./routing/match.ts";
import { routesOf, type Starting } from "./routing/routes.ts";
import type { Head } from "./signatures/presets/handshake.ts";
import type { AdmitOptions, InboundRequest } from "./types.ts";

/** Checks of the original delivery, which only its sender could pass again. */
const SKIPPED: readonly Stage[] = [
  "endpoint",
  "https",
  "method",
  "ip",
  "auth",
  "signature",
  "freshness",
];

/**
 * Evaluates the size, payload, validation and mapping of a logged request under these settings, or of each
 * item of a batch that was rejected before it was split.
 */
export function reevaluate(
  { split, ...config }: EndpointConfig,
  { entry, request: logged }: LoggedRequest,
  { mapAnyway = false }: Pick<AdmitOptions, "mapAnyway"> = {},
): Promise<[Admitted, ...Admitted[]]> {
  const settings = { ...config, split: entry.batch === null ? split : null };
  // Every check that needs a secret is skipped.
  const endpoint = { config: settings, token: null, hmac: null, headerValues: [] };
  const options = { skip: SKIPPED, minTlsVersion: "1.0", mapAnyway };
  return admitAll(endpoint, requestOf(logged), logged.receivedAt, options);
}

function requestOf(logged: ReceivedRequest): InboundRequest {
  const { body, sourceIp, receivedAt } = logged;
  const bytes = body ?? new Uint8Array();
  return { ...headOf(logged), body: plainBody(bytes), sourceIp, tlsVersion: null, receivedAt };
}

type Logged = Pick<ReceivedRequest, "method" | "query" | "headers" | "contentType" | "body">;

/** Returns the head of a logged request, without redacted headers. The log has no host. */
function headOf({ method, query, headers: shown, contentType }: Logged): Head {
  const url = new URL("https://logged.invalid/");
  addToQuery(url, query);
  const headers = new Headers();
  for (const [name, value] of Object.entries(shown))
    if (!value.includes(REDACTED)) headers.set(name, sendable(value));
  if (contentType === null) headers.delete("Content-Type");
  else headers.set("Content-Type", sendable(contentType));
  return { method, url, headers };
}

/** The log ends a cut value with a character that no header may hold. */
const sendable = (value: string): string => value.replace(/[^\t\x20-\x7e]/g, "");

/** Parses the payload of a logged request again. */
export function loggedPayload(logged: Logged): Promise<ParsedPayload> {
  return parsePayload(headOf(logged), logged.body ?? new Uint8Array());
}

/** What becomes of a held request that is released. */
export type Release =
  /** Its routes decide; none of them may match. */
  | { kind: "released"; routes: RouteDecision[] }
  /** It cannot be mapped and stays held. */
  | { kind: "held"; errors: StageError[] };

/** Decides what becomes of a held request. It was validated when it was accepted. */
export async function releaseOf(config: Starting, request: ReceivedRequest): Promise<Release> {
  const parsed = await loggedPayload(request);
  if (!parsed.ok) return { kind: "held", errors: errorsOf("parse", parsed.faults) };
  const routes = await matchRoutes(routesOf(config), parsed.payload, sourcesOfLogged(request));
  const errors = blockingErrors(routes);
  return errors.length > 0 ? { kind: "held", errors } : { kind: "released", routes };
}

export type MappedHeld = Extract<Mapped, { ok: true }> | { ok: false; errors: StageError[] };

/** Maps a logged request. */
export async function mapHeld(
  request: ReceivedRequest,
  mapping: Mapping,
  inputs: WorkflowInput[],
): Promise<MappedHeld> {
  const parsed = await loggedPayload(request);
  if (!parsed.ok) return { ok: false, errors: errorsOf("parse", parsed.faults) };
  const mapped = await mapPayload(parsed.payload, mapping, inputs, sourcesOfLogged(request));
  return mapped.ok ? mapped : { ok: false, errors: errorsOf("mapping", mapped.faults) };
}

/** Returns what a mapping of a logged request reads beside its payload. */
export const sourcesOfLogged = (request: ReceivedRequest) => sourcesOf(headOf(request));

/** Limits after which a trial reads no further requests, in bytes of bodies and in time. */
const MAX_BYTES = 64 * 1_048_576;
const MAX_MS = 10_000;
/** Requests whose errors a trial shows. */
const SAMPLE = 5;
const MAX_ERRORS = 10;

/**
 * Tries what releasing the held requests would do. Stores nothing. Stops early if they are many. `now` returns
 * epoch milliseconds.
 */
export async function tryRelease(
  config: Starting,
  { inbox, now }: { inbox: Pick<InboxApi, "held">; now(): number },
): Promise<ReleaseTrial> {
  const end = now() + MAX_MS;
  const trial: ReleaseTrial = {
    held: 0,
    looked: 0,
    wouldStart: 0,
    wouldStayHeld: 0,
    wouldBeUnrouted: 0,
    sample: [],
    truncated: false,
  };
  let bytes = 0;
  let next: number | null = 0;
  do {
    const portion: Awaited<ReturnType<InboxApi["held"]>> = await inbox.held(next);
    trial.held = portion.count;
    next = portion.next;
    for (const request of portion.requests) {
      bytes += request.body?.byteLength ?? 0;
      count(trial, request.requestId, await releaseOf(config, request));
    }
  } while (next !== null && bytes < MAX_BYTES && now() < end);
  return { ...trial, truncated: next !== null };
}

function count(trial: ReleaseTrial, requestId: string, release: Release): void {
  trial.looked += 1;
  if (release.kind === "held") {
    trial.wouldStayHeld += 1;
    const errors = release.errors.slice(0, MAX_ERRORS);
    if (trial.sample.length < SAMPLE) trial.sample.push({ requestId, errors });
  } else if (release.routes.some(({ matched }) => matched)) {
    trial.wouldStart += 1;
  } else {
    trial.wouldBeUnrouted += 1;
  }
}

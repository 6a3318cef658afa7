import type { CheckReport } from "../contract/inbound/log.ts";
import { isBefore, type Stage } from "../contract/inbound/payload.ts";
import { auth, freshness, signature } from "./checks/authentication.ts";
import type { Check, Findings, Verdict } from "./checks/check.ts";
import { challenge, mapping, parse, routing, validation } from "./checks/payload.ts";
import { contentType, endpoint, https, ip, method, size } from "./checks/transport.ts";
import { eventIdOf } from "./event-id.ts";
import { eventTypeOf } from "./event-type.ts";
import type {
  Admission,
  AdmitOptions,
  Endpoint,
  InboundRequest,
  Refusal,
  SenderPort,
} from "./types.ts";

const NOTHING: Findings = {
  signedAt: null,
  payload: undefined,
  mappedInputs: null,
  warnings: [],
  routes: null,
};

/** Stands for the senders where none may be asked. */
const NOBODY: SenderPort = { fetchKey: async () => null, confirm: async () => true };

const NONE = async () => [];

type Refused = Extract<Verdict, { kind: "refused" }>;

/**
 * Runs the checks on a request: the first refusal decides. With `options.all` the later checks run as far
 * as they can. `now` is in epoch milliseconds.
 */
export async function admit(
  endpoint: Endpoint,
  request: InboundRequest,
  now: number,
  {
    skip = [],
    all = false,
    mapAnyway = false,
    sender = NOBODY,
    others = NONE,
    minTlsVersion,
  }: AdmitOptions,
): Promise<Admission> {
  const checks: CheckReport[] = [];
  let found = NOTHING;
  let first: Pick<
    Extract<Admission["verdict"], { kind: "refuse" }>,
    "refusal" | "isVerified" | "diagnosis" | "advice"
  > | null = null;

  for (const { stage, run } of CHECKS) {
    if (skip.includes(stage)) continue;
    const verdict = await run({
      endpoint,
      request,
      now,
      minTlsVersion,
      mapAnyway,
      sender,
      others,
      found,
    });
    if (verdict.kind === "answered") {
      // A challenge is answered only if every check before it passed.
      if (first !== null) continue;
      const isVerified = stage !== "auth";
      return { checks, verdict: { kind: "challenge", answer: verdict.answer, isVerified } };
    }
    if (verdict.kind !== "silent") report(checks, reportOf(stage, verdict));
    if (verdict.kind === "passed") {
      const warnings = [...found.warnings, ...(verdict.found?.warnings ?? [])];
      found = { ...found, ...verdict.found, warnings };
    }
    if (verdict.kind === "refused") {
      const { diagnosis = [], advice = null } = verdict;
      found = { ...found, ...verdict.found };
      first ??= {
        refusal: refusalOf(stage, verdict),
        isVerified: !isBefore(stage, "parse"),
        diagnosis,
        advice,
      };
      if (!all) break;
    }
  }

  const { payload, mappedInputs, warnings, routes } = found;
  const event = await eventIdOf(endpoint.config, request, payload);
  const eventType = eventTypeOf(endpoint.config, request, payload);
  const findings = { ...event, eventType, mappedInputs, warnings, routes };
  if (first !== null) return { checks, verdict: { kind: "refuse", ...first, ...findings } };
  if (payload === undefined) throw new Error("admitted a request without a payload");
  return { checks, verdict: { kind: "accept", payload, ...findings } };
}

type Reported = Exclude<Verdict, { kind: "silent" | "answered" }>;

/** Keeps one report per stage: the length of a body is checked on the wire and after inflation. */
function report(checks: CheckReport[], added: CheckReport): void {
  const before = checks.findIndex(({ stage }) => stage === added.stage);
  if (before < 0) checks.push(added);
  else checks[before] = added;
}

function reportOf(check: Stage, verdict: Reported): CheckReport {
  const stage = verdict.kind === "refused" ? (verdict.stage ?? check) : check;
  const errors = verdict.kind === "refused" ? refusalOf(stage, verdict).errors : [];
  const note = verdict.kind === "refused" ? undefined : verdict.note;
  return { stage, verdict: verdict.kind, errors, ...(note !== undefined && { note }) };
}

function refusalOf(check: Stage, verdict: Refused): Refusal {
  const { stage = check, code, errors, headers = {} } = verdict;
  return { stage, code, errors: errors.map((error) => ({ stage, ...error })), headers };
}

/** All checks, in order. The inbox decides the rate and the claim on the event id. */
const CHECKS: readonly Check[] = [
  endpoint,
  https,
  method,
  ip,
  size,
  contentType,
  auth,
  signature,
  parse,
  challenge,
  freshness,
  validation,
  routing,
  mapping,
];

import type { CheckReport } from "../contract/webhooks/log.ts";
import { isBefore, type PayloadValue, type Stage } from "../contract/webhooks/payload.ts";
import type { SenderPort } from "../ports/webhooks.ts";
import { auth, freshness, signature } from "./checks/authentication.ts";
import type { Check, CheckContext, Findings, Verdict } from "./checks/check.ts";
import { handshake, mapping, parse, routing, splitting, validation } from "./checks/payload.ts";
import { contentType, endpoint, https, ip, method, size } from "./checks/transport.ts";
import { eventIdOf, eventTypeOf } from "./events.ts";
import type { HandshakeAnswer } from "./signatures/presets/handshake.ts";
import { type ItemPlace, itemHeaders, itemRequest, itemsOf, splitPathOf } from "./split.ts";
import type { Admission, AdmitOptions, Endpoint, InboundRequest, Refusal } from "./types.ts";

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
type Refusing = Pick<
  Extract<Admission["verdict"], { kind: "refuse" }>,
  "refusal" | "isVerified" | "diagnosis" | "advice"
>;

/** What the checks know that ran so far. */
interface Progress {
  checks: CheckReport[];
  found: Findings;
  first: Refusing | null;
  handshake: Extract<Admission["verdict"], { kind: "handshake" }> | null;
}

const BEGUN: Progress = { checks: [], found: NOTHING, first: null, handshake: null };

/** A request to admit. */
interface Arriving extends Pick<CheckContext, "endpoint" | "request" | "now"> {
  options: AdmitOptions;
}

/** For a batch without items, by which some senders check the address. */
const NOTHING_TO_START: HandshakeAnswer = {
  status: 202,
  contentType: "application/json",
  body: "",
  isUsual: true,
};

/** A request of its own, or one that is made of an item of a batch. */
export interface Admitted {
  request: InboundRequest;
  admission: Admission;
  isItem: boolean;
}

/**
 * Runs the checks on a request, the later ones on each item of a batch that the endpoint splits: the first
 * refusal decides. With `options.all` the later checks run as far as they can. `now` is in epoch milliseconds.
 */
export async function admitAll(
  endpoint: Endpoint,
  sent: InboundRequest,
  now: number,
  options: AdmitOptions,
): Promise<[Admitted, ...Admitted[]]> {
  const whole = await run(OF_WHOLE, { endpoint, request: sent, now, options }, BEGUN);
  const { payload, isUnwrapped } = whole.found;
  const isUnwrapping = isUnwrapped === true && payload !== undefined;
  const request = isUnwrapping ? itemRequest(sent, itemHeaders(sent.headers), payload) : sent;
  const arriving = { endpoint, request, now, options };
  const isEnded = whole.handshake !== null || (whole.first !== null && options.all !== true);
  const path = splitPathOf(endpoint.config, request.method);
  const split =
    path === null || payload === undefined ? null : itemsOf(payload, path, request.headers);
  if (path === null || isEnded || !split?.ok) {
    const progress = isEnded ? whole : await run([splitting, ...OF_ITEM], arriving, whole);
    return [{ request, admission: await conclude(arriving, progress, null), isItem: false }];
  }
  const { checks } = whole;
  if (split.items.length === 0 && whole.first === null) {
    const verdict = { kind: "handshake", answer: NOTHING_TO_START, isVerified: true } as const;
    return [{ request, admission: { checks, verdict }, isItem: false }];
  }
  const headers = itemHeaders(request.headers);
  const admitItem = async (item: PayloadValue, index: number): Promise<Admitted> => {
    const each = { ...arriving, request: itemRequest(request, headers, item) };
    const progress = { ...whole, found: { ...whole.found, payload: item } };
    const admission = await conclude(each, await run(OF_ITEM, each, progress), { index, path });
    return { request: each.request, admission, isItem: true };
  };
  const [first = null, ...others] = split.items;
  const admitted: [Admitted, ...Admitted[]] = [await admitItem(first, 0)];
  for (const [at, item] of others.entries()) admitted.push(await admitItem(item, at + 1));
  return admitted;
}

async function run(
  list: readonly Check[],
  { endpoint, request, now, options }: Arriving,
  begun: Progress,
): Promise<Progress> {
  const { skip = [], all = false, mapAnyway = false, minTlsVersion } = options;
  const { sender = NOBODY, others = NONE } = options;
  const context = { endpoint, request, now, minTlsVersion, mapAnyway, sender, others };
  const checks = [...begun.checks];
  let { found, first } = begun;
  for (const { stage, run: check } of list) {
    if (skip.includes(stage)) continue;
    const verdict = await check({ ...context, found });
    if (verdict.kind === "answered") {
      // A handshake is answered only if every check before it passed.
      if (first !== null) continue;
      const { answer } = verdict;
      const handshake = { kind: "handshake", answer, isVerified: stage !== "auth" } as const;
      return { checks, found, first, handshake };
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
  return { checks, found, first, handshake: null };
}

async function conclude(
  { endpoint: { config }, request }: Arriving,
  { checks, found, first, handshake }: Progress,
  item: ItemPlace | null,
): Promise<Admission> {
  if (handshake !== null) return { checks, verdict: handshake };
  const { payload, mappedInputs, warnings, routes } = found;
  const event = await eventIdOf(config, request, payload, item);
  const eventType = eventTypeOf(config, request, payload, item);
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

/** The checks of a whole request, in order. The inbox decides the rate and the claim on the event id. */
const OF_WHOLE: readonly Check[] = [
  endpoint,
  https,
  method,
  ip,
  size,
  contentType,
  auth,
  signature,
  parse,
  handshake,
  freshness,
];

/** The checks that each item of a batch goes through by itself. */
const OF_ITEM: readonly Check[] = [validation, routing, mapping];

import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type { InboxApi, LoggedRequest, LogPosition } from "../contract/webhooks/inbox.ts";
import type { Fate, WhatIfRequest, WhatIfResult } from "../contract/webhooks/trials.ts";
import { canonicalJson } from "../lib/json-values.ts";
import { reevaluate } from "./logged.ts";

/** Requests that one call reads. */
const PORTION = 20;
/** Limits after which no further portion is read, in bytes of bodies and in time. */
const MAX_BYTES = 32 * 1_048_576;
const MAX_MS = 10_000;
/** Characters of mapped inputs that a result includes. */
const MAX_INPUTS_LENGTH = 16_384;
const MAX_ERRORS = 50;

/**
 * Compares the outcomes of the newest `last` requests under an endpoint and under a draft of it, both
 * evaluated now. `now` returns epoch milliseconds. Stores nothing. Stops early if the requests are large.
 */
export async function whatIf(
  config: EndpointConfig,
  draft: EndpointConfig,
  last: number,
  { inbox, now }: { inbox: Pick<InboxApi, "recent">; now(): number },
): Promise<WhatIfResult> {
  const end = now() + MAX_MS;
  const requests: WhatIfRequest[] = [];
  let bytes = 0;
  let next: LogPosition | null = null;
  do {
    const portion: Awaited<ReturnType<InboxApi["recent"]>> = await inbox.recent(
      Math.min(PORTION, last - requests.length),
      next,
    );
    for (const logged of portion.requests) {
      if (now() >= end) return resultOf(requests, true);
      bytes += logged.request.body?.byteLength ?? 0;
      requests.push(await compare(config, draft, logged));
    }
    next = portion.next;
  } while (next !== null && requests.length < last && bytes < MAX_BYTES && now() < end);
  return resultOf(requests, next !== null && requests.length < last);
}

async function compare(
  config: EndpointConfig,
  draft: EndpointConfig,
  logged: LoggedRequest,
): Promise<WhatIfRequest> {
  const before = await fateUnder(config, logged);
  const after = await fateUnder(draft, logged);
  return {
    requestId: logged.entry.requestId,
    receivedAt: logged.entry.receivedAt,
    before: shown(before),
    after: shown(after),
    // A request that stays refused has the same outcome, whatever the reason.
    changed: (before.ok || after.ok) && outcomeOf(before) !== outcomeOf(after),
  };
}

/** The order of fields in a mapping changes nothing. */
const outcomeOf = ({ mappedInputs, ...fate }: Fate): string =>
  JSON.stringify([fate, canonicalJson(mappedInputs)]);

async function fateUnder(config: EndpointConfig, logged: LoggedRequest): Promise<Fate> {
  const [{ admission }] = await reevaluate(config, logged, { mapAnyway: true });
  const { verdict } = admission;
  if (verdict.kind === "handshake") return { ok: true, errors: [], mappedInputs: null, routes: [] };
  const routes = (verdict.routes ?? []).map(({ name, matched, reason, key, errors, inputs }) => {
    return { name, matched, reason, key, errors, mappedInputs: inputs };
  });
  return verdict.kind === "accept"
    ? { ok: true, errors: [], mappedInputs: verdict.mappedInputs, routes }
    : { ok: false, errors: verdict.refusal.errors, mappedInputs: null, routes };
}

function shown({ ok, routes, ...outcome }: Fate): Fate {
  return {
    ok,
    ...shortened(outcome),
    routes: routes.map((each) => ({ ...each, ...shortened(each) })),
  };
}

function shortened({ errors, mappedInputs }: Pick<Fate, "errors" | "mappedInputs">) {
  const isLong = JSON.stringify(mappedInputs).length > MAX_INPUTS_LENGTH;
  return { errors: errors.slice(0, MAX_ERRORS), mappedInputs: isLong ? null : mappedInputs };
}

function resultOf(requests: WhatIfRequest[], truncated: boolean): WhatIfResult {
  const count = (is: (request: WhatIfRequest) => boolean) => requests.filter(is).length;
  return {
    requests,
    totals: {
      looked: requests.length,
      refusedBefore: count(({ before }) => !before.ok),
      refusedAfter: count(({ after }) => !after.ok),
      changed: count(({ changed }) => changed),
      truncated,
    },
  };
}

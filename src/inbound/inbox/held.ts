import type { EndpointConfig } from "../../contract/inbound/endpoint.ts";
import type { ReceivedRequest, RouteDecision } from "../../contract/inbound/inbox.ts";
import type { StageError } from "../../contract/inbound/payload.ts";
import type { Routing } from "../../contract/inbound/routing.ts";
import { sourcesOf } from "../mapping/sources.ts";
import { loggedAddress, loggedHeaders, loggedPayload } from "../reevaluate.ts";
import { matchRoutes } from "../routing/match.ts";
import { matchesOf } from "./acceptance.ts";
import type { Configs } from "./configs.ts";
import type { RequestLog } from "./log.ts";
import type { EntryView } from "./log-reader.ts";
import type { Outcomes } from "./outcomes.ts";
import type { Router } from "./router.ts";
import type { Work } from "./work.ts";

/** Requests that are routed before they are dispatched. */
const PORTION = 50;

/** What routing held requests needs of its inbox. */
interface HeldContext {
  storage: DurableObjectStorage;
  configs: Configs;
  work: Work;
  log: RequestLog;
  view: EntryView;
  outcomes: Outcomes;
  router: Router;
  now(): number;
}

/**
 * Routes a portion of the requests that were held before their endpoint got routes, in the order of
 * arrival. Returns whether more may be held.
 */
export async function routeHeld(context: HeldContext, until: number): Promise<boolean> {
  const { configs, work, log, view, now } = context;
  for (let n = 0; n < PORTION && now() < until; n += 1) {
    const config = configs.current;
    const seq = work.firstHeld();
    if (config.routing === null || seq === null) return false;
    const row = log.at(seq);
    if (row === null) throw new Error("work without an entry");
    const request = view.request(row);
    const decided = await decide(config.routing, request);
    // Other routes decide anew.
    if (configs.current === config) release(context, seq, { config, request, decided });
  }
  return true;
}

type Decided = { ok: true; routes: RouteDecision[] } | { ok: false; errors: StageError[] };

async function decide({ routes }: Routing, request: ReceivedRequest): Promise<Decided> {
  const parsed = await loggedPayload(request);
  if (!parsed.ok) {
    return { ok: false, errors: parsed.faults.map((fault) => ({ stage: "parse", ...fault })) };
  }
  const sources = sourcesOf(request.method, loggedAddress(request), loggedHeaders(request));
  return { ok: true, routes: await matchRoutes(routes, parsed.payload, sources) };
}

interface Held {
  config: EndpointConfig;
  request: ReceivedRequest;
  decided: Decided;
}

function release(context: HeldContext, seq: number, { config, request, decided }: Held): void {
  const { storage, work, log, outcomes, router } = context;
  const now = context.now();
  storage.transactionSync(() => {
    // Its endpoint may be deleted meanwhile.
    if (work.firstHeld() !== seq) return;
    log.noteRevisions(seq, config);
    if (!decided.ok) {
      outcomes.abandon(seq, decided.errors, now);
      return;
    }
    log.noteRoutes(seq, matchesOf(decided.routes, config), now);
    router.release(seq, decided.routes, config, { bytes: request.body?.byteLength ?? 0, now });
  });
}

import { PROBLEMS } from "../contract/problem.ts";
import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type {
  Arrival,
  Decision,
  InboxApi,
  Receipt,
  ReceivedRequest,
} from "../contract/webhooks/inbox.ts";
import type { UnverifiedPort } from "../ports/webhooks.ts";
import { admitAll } from "./admit.ts";
import { unverifiedWait } from "./checks/unverified.ts";
import { redacted, redactedAdmission, redactedBody, redactorOf, refusedTokens } from "./redact.ts";
import type { Admission, AdmitOptions, Endpoint, InboundRequest } from "./types.ts";

/** What accepting a webhook needs from outside. */
export interface AcceptDependencies {
  /** Left out where no stranger can ask. */
  unverified?: UnverifiedPort;
  store(arrivals: Arrival[]): Promise<Receipt[]>;
  configure: InboxApi["configure"];
  /** Opens the secrets of a newer configuration and caches the endpoint for later requests. */
  open(config: EndpointConfig): Promise<Endpoint>;
  /** Returns an id for a request that is made of an item. */
  newRequestId(): string;
}

/**
 * Admits a webhook and passes it to the endpoint's inbox, redacted. The body is read once, under the
 * first configuration: one that exceeded its limit stays too large.
 */
export function acceptWebhook(
  endpoint: Endpoint,
  request: InboundRequest,
  requestId: string,
  options: AdmitOptions,
  { newRequestId, ...dependencies }: AcceptDependencies,
): Promise<AcceptResult> {
  return accept(endpoint, {
    ...dependencies,
    async evaluate(under) {
      const admitted = await admitAll(under, request, request.receivedAt, options);
      const [first] = admitted;
      // The requests of a batch share the object with their headers, which then travels once.
      const by = redactorOf(under, await refusedTokens(under, request, first.admission));
      const parts = redacted(by, first.request);
      const count = admitted.length;
      return admitted.map(({ request: each, admission, isItem }, index) => ({
        admission: redactedAdmission(by, admission),
        request: {
          ...parts,
          requestId: index === 0 ? requestId : newRequestId(),
          body: index === 0 ? parts.body : redactedBody(by, each),
          replayOf: null,
          edited: false,
          ...(isItem && { batch: { requestId, index, count } }),
        },
      }));
    },
  });
}

/** How often a request is evaluated again while its endpoint keeps changing. */
const MAX_TRIES = 4;

/** A request and its admission under one configuration. */
interface Evaluated {
  admission: Admission;
  /** Redacted, as the log stores it. */
  request: ReceivedRequest;
  /** An earlier configuration, in place of the endpoint's. */
  under?: EndpointConfig;
}

/** How to evaluate a request, and the inbox that stores it. */
export interface AcceptOptions<Endpoint>
  extends Pick<AcceptDependencies, "unverified" | "store" | "configure"> {
  /** Returns the request, or those that are made of its items, in order. */
  evaluate(endpoint: Endpoint): Promise<Evaluated[]>;
  /** Returns the endpoint under a newer configuration. */
  open(config: EndpointConfig): Promise<Endpoint>;
}

/** A receipt that does not ask for another attempt. */
export type FinalReceipt = Exclude<Receipt, { kind: "outdated" | "behind" | "suspended" }>;

/** A request that its inbox has decided about. */
export interface Decided {
  request: Pick<ReceivedRequest, "requestId" | "batch">;
  admission: Admission;
  receipt: FinalReceipt;
}

export type AcceptResult =
  | {
      kind: "decided";
      /** The configuration that decided. */
      config: EndpointConfig;
      first: Decided;
      /** The other items of a batch; none where no item is accepted. */
      others: Decided[];
    }
  /** The endpoint is deleted. Nothing is logged. */
  | { kind: "gone" }
  /** The account is suspended. Nothing is logged. */
  | { kind: "suspended" }
  /** The endpoint kept changing. Nothing is accepted. */
  | { kind: "unsettled" };

/**
 * Evaluates a request and passes it to the endpoint's inbox, which logs it, accepted or refused. If the
 * inbox knows a newer configuration, evaluates the request again under that one.
 */
export async function accept<Endpoint extends { config: EndpointConfig }>(
  endpoint: Endpoint,
  { unverified, store, configure, evaluate, open }: AcceptOptions<Endpoint>,
): Promise<AcceptResult> {
  let current = endpoint;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { config } = current;
    if (config.deleted) return { kind: "gone" };
    const evaluated = await evaluate(current);
    const arrivals = evaluated.map(({ admission, request, under }) => ({
      configVersion: config.version,
      request,
      decision: decisionOf(admission, config),
      ...(under !== undefined && { under }),
    }));
    const [arrival, ...rest] = arrivals;
    const [first] = evaluated;
    if (arrival === undefined || first === undefined) throw new Error("nothing to accept");
    // An inbox that must be configured first, or a newer configuration, does not cost a request twice.
    const wait =
      tries > 0 || !unverified ? null : await unverifiedWait(arrival, config, unverified);
    if (wait !== null) {
      const receipt = { kind: "rate_limited", retryAfterSeconds: wait } as const;
      return { kind: "decided", config, first: { ...first, receipt }, others: [] };
    }
    const turnedAway = unverified?.collect(config.endpointId);
    const counting = { ...arrival, ...(turnedAway !== undefined && { turnedAway }) };
    const receipts = await store([counting, ...rest]);
    const decided: Decided[] = [];
    // A single receipt may say why nothing is accepted.
    for (const [at, each] of evaluated.entries()) {
      const receipt = receipts[at];
      if (receipt === undefined) break;
      if (receipt.kind === "outdated") current = await open(receipt.config);
      else if (receipt.kind === "behind") await configure(config);
      else if (receipt.kind === "suspended") return { kind: "suspended" };
      else decided.push({ ...each, receipt });
    }
    const [decision, ...others] = decided;
    if (decision !== undefined) return { kind: "decided", config, first: decision, others };
  }
  return { kind: "unsettled" };
}

function decisionOf({ verdict }: Admission, { response }: EndpointConfig): Decision {
  switch (verdict.kind) {
    case "accept": {
      const { payload: _, ...accepted } = verdict;
      return accepted;
    }
    case "handshake":
      return {
        kind: "answer",
        httpStatus: (verdict.answer.isUsual && response?.status) || verdict.answer.status,
        isVerified: verdict.isVerified,
      };
    case "refuse": {
      const { refusal, eventKey: _, mappedInputs: __, warnings: ___, ...told } = verdict;
      return { ...told, httpStatus: PROBLEMS[refusal.code].status, errors: refusal.errors };
    }
  }
}

import type { EndpointConfig } from "../contract/inbound/endpoint.ts";
import type { Decision, InboxApi, Receipt, ReceivedRequest } from "../contract/inbound/inbox.ts";
import { PROBLEMS } from "../contract/problem.ts";
import { admit } from "./admit.ts";
import { redacted, redactedAdmission } from "./redact.ts";
import type { Admission, AdmitOptions, Endpoint, InboundRequest } from "./types.ts";

/** What accepting a webhook needs from outside. */
export interface AcceptDependencies {
  inbox: Pick<InboxApi, "accept" | "configure">;
  /** Opens the secrets of a newer configuration and caches the endpoint for later requests. */
  open(config: EndpointConfig): Promise<Endpoint>;
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
  dependencies: AcceptDependencies,
): Promise<AcceptResult> {
  return accept(endpoint, {
    ...dependencies,
    async evaluate(under) {
      const admission = await admit(under, request, request.receivedAt, options);
      const logged = { requestId, ...redacted(under, request), replayOf: null, edited: false };
      return { admission: redactedAdmission(under, admission), request: logged };
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
export interface AcceptOptions<Endpoint> {
  inbox: Pick<InboxApi, "accept" | "configure">;
  evaluate(endpoint: Endpoint): Promise<Evaluated>;
  /** Returns the endpoint under a newer configuration. */
  open(config: EndpointConfig): Promise<Endpoint>;
}

/** A receipt that does not ask for another attempt. */
export type FinalReceipt = Exclude<Receipt, { kind: "outdated" | "behind" | "suspended" }>;

export type AcceptResult =
  | {
      kind: "decided";
      /** The configuration that decided. */
      config: EndpointConfig;
      admission: Admission;
      receipt: FinalReceipt;
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
  { inbox, evaluate, open }: AcceptOptions<Endpoint>,
): Promise<AcceptResult> {
  let current = endpoint;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (current.config.deleted) return { kind: "gone" };
    const { admission, request, under } = await evaluate(current);
    const receipt = await inbox.accept({
      configVersion: current.config.version,
      request,
      decision: decisionOf(admission),
      ...(under !== undefined && { under }),
    });
    if (receipt.kind === "outdated") current = await open(receipt.config);
    else if (receipt.kind === "behind") await inbox.configure(current.config);
    else if (receipt.kind === "suspended") return { kind: "suspended" };
    else return { kind: "decided", config: current.config, admission, receipt };
  }
  return { kind: "unsettled" };
}

function decisionOf({ verdict }: Admission): Decision {
  switch (verdict.kind) {
    case "accept": {
      const { payload: _, ...accepted } = verdict;
      return accepted;
    }
    case "challenge":
      return {
        kind: "answer",
        httpStatus: verdict.answer.status,
        isVerified: verdict.isVerified,
      };
    case "refuse": {
      const { refusal, isVerified, diagnosis, advice, eventId, eventIdSource, eventType, routes } =
        verdict;
      const httpStatus = PROBLEMS[refusal.code].status;
      const { errors } = refusal;
      return {
        kind: "refuse",
        httpStatus,
        isVerified,
        errors,
        diagnosis,
        advice,
        eventId,
        eventIdSource,
        eventType,
        routes,
      };
    }
  }
}

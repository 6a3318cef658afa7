import type { EndpointConfig } from "../contract/inbound/endpoint.ts";
import type { Decision, InboxApi, Receipt, ReceivedRequest } from "../contract/inbound/inbox.ts";
import { PROBLEMS } from "../contract/problem.ts";
import { admit } from "./admit.ts";
import { redacted, redactedAdmission } from "./redact.ts";
import type { Admission, AdmitOptions, Endpoint, InboundRequest } from "./types.ts";

/** What taking in a webhook needs of the world. */
export interface AcceptDependencies {
  inbox: Pick<InboxApi, "accept" | "configure">;
  /** Opens a configuration that is newer than the one at hand, and keeps it for the requests to come. */
  open(config: EndpointConfig): Promise<Endpoint>;
}

/**
 * Takes in a webhook: judges it, and hands it to the endpoint's inbox with what the log may keep of it.
 * Its body stays as it was read under the first configuration: what was too large when it came remains
 * so.
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
    async judge(under) {
      const admission = await admit(under, request, request.receivedAt, options);
      const logged = { requestId, ...redacted(under, request), replayOf: null, edited: false };
      return { admission: redactedAdmission(under, admission), request: logged };
    },
  });
}

/** An endpoint that changes more often than this while one request comes in is not waited for. */
const MAX_TRIES = 4;

/** A request with its judgement under one configuration. */
export interface Judged {
  admission: Admission;
  /** As the log is to keep it. */
  request: ReceivedRequest;
}

/** How a request is judged, and the inbox that it is handed to. */
export interface AcceptOptions<Endpoint> {
  inbox: Pick<InboxApi, "accept" | "configure">;
  judge(endpoint: Endpoint): Promise<Judged>;
  /** The endpoint under a configuration that is newer than the one at hand. */
  open(config: EndpointConfig): Promise<Endpoint>;
}

/** A receipt that is final. */
export type FinalReceipt = Exclude<Receipt, { kind: "outdated" | "behind" }>;

export type AcceptResult =
  | { kind: "decided"; admission: Admission; receipt: FinalReceipt }
  /** The endpoint was deleted; nothing is logged. */
  | { kind: "gone" }
  /** The endpoint changed again and again; nothing was accepted. */
  | { kind: "unsettled" };

/**
 * Judges a request and hands it to the endpoint's inbox, which logs it whatever the judgement. Where the
 * inbox knows a newer configuration, it is judged again under that one.
 */
export async function accept<Endpoint extends { config: EndpointConfig }>(
  endpoint: Endpoint,
  { inbox, judge, open }: AcceptOptions<Endpoint>,
): Promise<AcceptResult> {
  let current = endpoint;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (current.config.deleted) return { kind: "gone" };
    const { admission, request } = await judge(current);
    const receipt = await inbox.accept({
      configVersion: current.config.version,
      request,
      decision: decisionOf(admission),
    });
    if (receipt.kind === "outdated") current = await open(receipt.config);
    else if (receipt.kind === "behind") await inbox.configure(current.config);
    else return { kind: "decided", admission, receipt };
  }
  return { kind: "unsettled" };
}

function decisionOf({ verdict }: Admission): Decision {
  switch (verdict.kind) {
    case "accept": {
      const { eventId, mappedInputs, warnings } = verdict;
      return { kind: "accept", eventId, mappedInputs, warnings };
    }
    case "challenge":
      return { kind: "answer", httpStatus: verdict.answer.status };
    case "refuse": {
      const { refusal, diagnosis, eventId } = verdict;
      const httpStatus = PROBLEMS[refusal.code].status;
      return { kind: "refuse", httpStatus, errors: refusal.errors, diagnosis, eventId };
    }
  }
}

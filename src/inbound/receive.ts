import type { EndpointConfig } from "../contract/inbound/endpoint.ts";
import type { InboxApi } from "../contract/inbound/inbox.ts";
import { admit } from "./admit.ts";
import { redacted, redactedAdmission } from "./redact.ts";
import { type TakenIn, takeIn } from "./take-in.ts";
import type { AdmitOptions, Endpoint, InboundRequest } from "./types.ts";

/** What taking in a webhook needs of the world. */
export interface Surroundings {
  inbox: Pick<InboxApi, "accept" | "configure">;
  /** Opens a configuration that is newer than the one at hand, and keeps it for the requests to come. */
  open(config: EndpointConfig): Promise<Endpoint>;
}

/**
 * Takes in a webhook: judges it, and hands it to the endpoint's inbox with what the log may keep of it.
 * Its body stays as it was read under the first configuration: what was too large when it came remains
 * so.
 */
export function receive(
  endpoint: Endpoint,
  request: InboundRequest,
  requestId: string,
  options: AdmitOptions,
  surroundings: Surroundings,
): Promise<TakenIn> {
  return takeIn(endpoint, {
    ...surroundings,
    async judge(under) {
      const admission = await admit(under, request, request.receivedAt, options);
      const logged = { requestId, ...redacted(under, request), replayOf: null, edited: false };
      return { admission: redactedAdmission(under, admission), request: logged };
    },
  });
}

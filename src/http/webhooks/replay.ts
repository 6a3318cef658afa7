import { type ReplayAccepted, replayAccepted, replayBody } from "../../contract/inbound/log.ts";
import { MAX_MAX_BYTES } from "../../contract/inbound/validation.ts";
import { inboxStub } from "../../durable/stubs.ts";
import { replay as replayLogged } from "../../inbound/replay.ts";
import type { Settled } from "../../inbound/take-in.ts";
import { jsonAnswer } from "../answer.ts";
import { optionalJsonBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { refusalProblem } from "../hook-answer.ts";
import { HttpProblem, notFound, unavailable } from "../problem.ts";
import { noQuery } from "../query.ts";
import { route } from "../route.ts";
import { EXAMPLE_REQUEST_ID } from "./example-entry.ts";
import { loggedRequest, requestParams } from "./request.ts";
import { existing, TAG, WEBHOOKS, writer } from "./resource.ts";

/** Of the body around an edited payload. */
const WRAPPING_BYTES = 1_024;

/** Takes a request in once more. */
export const replay = route({
  method: "POST",
  path: `${WEBHOOKS}/:endpointId/requests/:requestId/replay`,
  operationId: "replayWebhookRequest",
  tag: TAG,
  summary: "Run a logged request again, as it came or with another payload",
  description:
    "A new entry in the log, under today's validation and mapping; neither who sent it, nor its age, nor whether it came before is checked. The original stays as it is. Also where the endpoint is disabled.",
  guard: writer,
  params: requestParams,
  query: noQuery,
  body: optionalJsonBody(
    replayBody,
    { payload: { id: "evt_1", order: { id: 1007, total: 13.5 } } },
    { maxBytes: MAX_MAX_BYTES + WRAPPING_BYTES },
  ),
  answer: jsonAnswer(202, "Accepted: from now on nothing can lose it.", replayAccepted, {
    requestId: "6d0f4a3e-8c1b-4f27-b5a9-2e7c9d1b3f50",
    status: "accepted",
    executionId: "019a8b2c-6f00-8c3d-9e4f-3b1d7a9a1f42",
    duplicate: false,
    replayOf: EXAMPLE_REQUEST_ID,
    edited: true,
  }),
  errors: ["not_found", "conflict", "validation_failed", "mapping_failed", "unavailable"],
  async handler({ http, caller: { accountId }, params, body, bytes }) {
    const { endpointId } = params;
    const config = await existing(http, accountId, endpointId);
    const original = await loggedRequest(http, endpointId, params.requestId);
    const isEdited = body.payload !== undefined;
    if (original.request.bodyTruncated && !isEdited) {
      throw new HttpProblem(
        "conflict",
        "Only the beginning of this request's body was kept. Send the payload to be run.",
      );
    }
    const requestId = http.get("requestId");
    const edited = isEdited ? payloadIn(bytes) : null;
    const taken = await replayLogged(
      config,
      original,
      { requestId, receivedAt: Date.now(), edited },
      {
        // The inbox knows a request by its id.
        accept: (arrival) =>
          callWithRetry(() => inboxStub(http.env, endpointId).accept(arrival), {
            idempotent: true,
          }),
        configure: (newer) =>
          callWithRetry(() => inboxStub(http.env, endpointId).configure(newer), {
            idempotent: true,
          }),
      },
    );
    if (taken.kind === "gone") throw notFound();
    if (taken.kind === "unsettled") {
      throw unavailable("The endpoint is being changed. Try again shortly.");
    }
    const { verdict } = taken.admission;
    if (verdict.kind === "refuse") throw refusalProblem(verdict.refusal);
    const executionId = executionOf(taken.receipt);
    if (executionId !== null) http.get("subject").executionId = executionId;
    const value: ReplayAccepted = {
      requestId,
      status: executionId === null ? "queued" : "accepted",
      executionId,
      duplicate: false,
      replayOf: params.requestId,
      edited: isEdited,
    };
    return { value };
  },
});

/**
 * The payload as it stands in a body whose only member it is: what is between the first colon and the
 * last brace. So its long numbers stay exact, as they would in a webhook.
 */
function payloadIn(bytes: Uint8Array): Uint8Array {
  return bytes.slice(bytes.indexOf(COLON) + 1, bytes.lastIndexOf(BRACE));
}
const COLON = 0x3a;
const BRACE = 0x7d;

function executionOf(receipt: Settled): string | null {
  switch (receipt.kind) {
    case "accepted":
      return receipt.executionId;
    case "full":
      throw new HttpProblem("rate_limited", receipt.detail, { headers: { "Retry-After": "60" } });
    case "rate_limited":
    case "duplicate":
    case "noted":
      throw new Error(`an accepted replay got the receipt ${receipt.kind}`);
  }
}

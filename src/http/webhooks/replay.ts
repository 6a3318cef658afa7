import {
  failedAuthentication,
  type ReplayAccepted,
  replayAccepted,
  replayBody,
} from "../../contract/webhooks/log.ts";
import { releaseAccepted, releaseBody, releaseTrial } from "../../contract/webhooks/trials.ts";
import { MAX_MAX_BYTES } from "../../contract/webhooks/validation.ts";
import { inboxStub } from "../../durable/stubs.ts";
import type { AcceptResult, FinalReceipt } from "../../intake/accept.ts";
import { tryRelease } from "../../intake/release.ts";
import { replay as replayLogged } from "../../intake/replay.ts";
import { isAttached } from "../../intake/routing/routes.ts";
import { configThen } from "../../records/config-then.ts";
import { exactMember, optionalJsonBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { refusalProblem, statusOf } from "../hook-answers.ts";
import { HttpProblem, notFound, unavailable } from "../problem.ts";
import { readRevision } from "../revisions.ts";
import { jsonResponse, route } from "../route.ts";
import { draftOf } from "./draft.ts";
import { loggedRequest } from "./requests.ts";
import { existingEndpoint, replayer, WEBHOOKS, writer } from "./resource.ts";

const trial = jsonResponse(200, "With `dryRun`: what a release would do.", releaseTrial);

export const release = route("POST", `${WEBHOOKS}/:endpointId/release`, {
  operationId: "releaseHeldRequests",
  summary: "Release held requests",
  description:
    "Maps the held requests and starts those that can be mapped, in the order of arrival. One that cannot be mapped stays held, with its errors in its log entry, and can be released again. Attaching a workflow or routes does the same. With `dryRun`, nothing is released: the response counts what would start, under the endpoint's workflow and mapping or under those that you pass, so you can ask before you attach a workflow.",
  auth: writer,
  body: optionalJsonBody(releaseBody, { dryRun: false }),
  response: jsonResponse(202, "The held requests are being released.", releaseAccepted),
  otherResponses: [trial],
  problems: ["conflict"],
  async handler({ http, caller: { accountId }, params: { endpointId }, body }) {
    const { dryRun, ...change } = body;
    const current = await existingEndpoint(http, accountId, endpointId);
    const { config } = await draftOf(http, current, change, Date.now());
    if (!isAttached(config)) {
      throw new HttpProblem(
        "conflict",
        "The endpoint has no workflow that held requests could start. Attach one first, or try one with `dryRun` and `workflowId`.",
      );
    }
    const inbox = () => inboxStub(http.env, endpointId);
    if (!dryRun) return { value: { held: await callWithRetry(() => inbox().release(config)) } };
    const held = (after: number) => callWithRetry(() => inbox().held(after));
    const now = () => Date.now();
    return trial.render(await tryRelease(config, { inbox: { held }, now }), {});
  },
});

/** The bytes of the body around an edited payload. */
const WRAPPING_BYTES = 1_024;

const response = jsonResponse(202, "The request is stored and will be processed.", replayAccepted);

export const replay = route("POST", `${WEBHOOKS}/:endpointId/requests/:requestId/replay`, {
  operationId: "replayWebhookRequest",
  summary: "Replay a request",
  description:
    "Processes a logged request again, as it was received or with another payload. The replay is a new entry in the log, under the current validation and mapping, or with `revision: then` under those that the request ran under; credentials, age and duplicates are not checked. A request that did not pass authentication is replayed only with `acceptUnverified`. It works for disabled endpoints too, and the original entry stays unchanged.",
  auth: replayer,
  body: optionalJsonBody(
    replayBody,
    { payload: { id: "evt_1", order: { id: 1007, total: 13.5 } } },
    { maxBytes: MAX_MAX_BYTES + WRAPPING_BYTES },
  ),
  response,
  problems: ["conflict", "gone", "validation_failed", "mapping_failed"],
  async handler({ http, caller: { accountId }, params, body, bytes }) {
    const { endpointId } = params;
    const config = await existingEndpoint(http, accountId, endpointId);
    const original = await loggedRequest(http, endpointId, params.requestId);
    const isEdited = body.payload !== undefined;
    if (original.request.bodyTruncated && !isEdited) {
      throw new HttpProblem(
        "conflict",
        "The log has only the beginning of this request's body. Send the `payload` to replay.",
      );
    }
    if (!body.acceptUnverified && failedAuthentication(original.entry, config.auth)) {
      throw new HttpProblem(
        "conflict",
        "The request did not pass authentication, so anyone can have sent it. Send `acceptUnverified: true` to replay it.",
      );
    }
    const earlier =
      body.revision === "then"
        ? await readRevision(() => configThen(http.env.DB, config, original.entry))
        : null;
    const requestId = http.get("requestId");
    const edited = isEdited ? exactMember(bytes, "payload") : null;
    const inbox = () => inboxStub(http.env, endpointId);
    const taken = await replayLogged(
      config,
      original,
      { requestId, receivedAt: Date.now(), edited, earlier },
      {
        // The inbox recognizes a repeated request by its id.
        accept: (arrival) => callWithRetry(() => inbox().accept(arrival)),
        configure: (newer) => callWithRetry(() => inbox().configure(newer)),
      },
    );
    const receipt = receiptOf(taken);
    const { executionId } = receipt;
    if (executionId !== null) http.get("subject").executionId = executionId;
    const value: ReplayAccepted = {
      requestId,
      status: statusOf(receipt),
      executionId,
      duplicate: false,
      replayOf: params.requestId,
      edited: isEdited,
    };
    return { value };
  },
});

/** Returns the receipt of an accepted replay. Throws the problem of a rejection. */
function receiptOf(taken: AcceptResult): Extract<FinalReceipt, { kind: "accepted" }> {
  if (taken.kind === "gone") throw notFound();
  if (taken.kind === "suspended") throw unavailable("The account is suspended.");
  if (taken.kind === "unsettled") {
    throw unavailable("The endpoint is being changed. Try again in a moment.");
  }
  const { admission, receipt } = taken.first;
  const { verdict } = admission;
  if (verdict.kind === "refuse") throw refusalProblem(verdict.refusal);
  switch (receipt.kind) {
    case "accepted":
      return receipt;
    case "full":
      throw new HttpProblem("rate_limited", receipt.detail, { headers: { "Retry-After": "60" } });
    case "rate_limited":
    case "duplicate":
    case "noted":
      throw new Error(`an accepted replay got the receipt ${receipt.kind}`);
  }
}

import { releaseAccepted, releaseBody, releaseTrial } from "../../contract/webhooks/trials.ts";
import { inboxStub } from "../../durable/stubs.ts";
import { tryRelease } from "../../intake/release.ts";
import { isAttached } from "../../intake/routing/routes.ts";
import { optionalJsonBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { HttpProblem } from "../problem.ts";
import { jsonResponse, route } from "../route.ts";
import { draftOf } from "./draft.ts";
import { EXAMPLE_REQUEST_ID, existingEndpoint, WEBHOOKS, writer } from "./resource.ts";

const trial = jsonResponse(200, "With `dryRun`: what a release would do.", releaseTrial, {
  held: 8,
  looked: 8,
  wouldStart: 7,
  wouldStayHeld: 1,
  wouldBeUnrouted: 0,
  sample: [
    {
      requestId: EXAMPLE_REQUEST_ID,
      errors: [{ stage: "mapping", path: "orderId", rule: "required", message: "is required" }],
    },
  ],
  truncated: false,
});

export const release = route("POST", `${WEBHOOKS}/:endpointId/release`, {
  operationId: "releaseHeldRequests",
  summary: "Release held requests",
  description:
    "Maps the held requests and starts those that can be mapped, in the order of arrival. One that cannot be mapped stays held, with its errors in its log entry, and can be released again. Attaching a workflow or routes does the same. With `dryRun`, nothing is released: the response counts what would start, under the endpoint's workflow and mapping or under those that you pass, so you can ask before you attach a workflow.",
  auth: writer,
  body: optionalJsonBody(releaseBody, { dryRun: false }),
  response: jsonResponse(202, "The held requests are being released.", releaseAccepted, {
    held: 8,
  }),
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

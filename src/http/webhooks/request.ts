import type { LoggedRequest } from "../../contract/inbound/inbox.ts";
import { logEntry, requestId } from "../../contract/inbound/log.ts";
import { inboxStub } from "../../durable/stubs.ts";
import { wholeEntry } from "../../inbound/inbox/view.ts";
import { jsonAnswer } from "../answer.ts";
import { noBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import type { Http } from "../context.ts";
import { notFound } from "../problem.ts";
import { noQuery } from "../query.ts";
import { route } from "../route.ts";
import { exampleEntry } from "./example-entry.ts";
import { endpointParams, existing, reader, TAG, WEBHOOKS } from "./resource.ts";

export const requestParams = endpointParams.extend({ requestId });

/** One entry of an endpoint's log. */
export const request = route({
  method: "GET",
  path: `${WEBHOOKS}/:endpointId/requests/:requestId`,
  operationId: "getWebhookRequest",
  tag: TAG,
  summary: "Read a request that an endpoint got, with its whole body",
  description:
    "What came, what was wrong with it, what the workflow got, and what became of it. It follows its execution within two seconds.",
  guard: reader,
  params: requestParams,
  query: noQuery,
  body: noBody,
  answer: jsonAnswer(200, "The entry of the log.", logEntry, exampleEntry),
  errors: ["not_found"],
  async handler({ http, caller: { accountId }, params: { endpointId, requestId } }) {
    await existing(http, accountId, endpointId);
    return { value: wholeEntry(await loggedRequest(http, endpointId, requestId)) };
  },
});

/** A request in the log of an endpoint; throws a 404 for one that is not there. */
export async function loggedRequest(
  { env }: Http,
  endpointId: string,
  requestId: string,
): Promise<LoggedRequest> {
  const logged = await callWithRetry(() => inboxStub(env, endpointId).entry(requestId), {
    idempotent: true,
  });
  if (logged === null) throw notFound();
  return logged;
}

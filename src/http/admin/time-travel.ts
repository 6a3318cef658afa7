import { type GoBackReply, timeTravelBody, timeTravelled } from "../../contract/backup.ts";
import { EXAMPLE_ID } from "../../contract/execution.ts";
import { wentBack } from "../../durable/time-travel.ts";
import { mapConcurrently } from "../../lib/async.ts";
import { logWarning } from "../../lib/log.ts";
import { forgetExecutionsSince, keptEffectsOf } from "../../records/kept-effects.ts";
import { adminToken as auth } from "../authentication.ts";
import { jsonBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { HttpProblem, invalid, notFound } from "../problem.ts";
import { jsonResponse, route } from "../route.ts";
import { ACCOUNTS, overviewOf } from "./accounts.ts";
import { objectOf, objectsOf } from "./backup.ts";

/** Objects that are called at the same time. */
const CONCURRENCY = 4;

/** Sets the objects of an account back in time. */
export const timeTravel = route("POST", `${ACCOUNTS}/:accountId/time-travel`, {
  operationId: "timeTravel",
  summary: "Set an account back in time",
  description:
    "Restores the account, its endpoints' logs and its executions to what Cloudflare kept of a time, and continues from there. Effects that were confirmed since are kept in a list: an execution that comes to one again is told, and does not repeat it. Asks every object first and changes nothing if one refuses, as those of a local service do. Suspend the account before, and set D1 back first if it is set back as well.",
  auth,
  body: jsonBody(timeTravelBody, { to: "2026-11-20T09:00:00Z", dryRun: true }),
  response: jsonResponse(200, "What went back, or with `dryRun` would.", timeTravelled, {
    dryRun: true,
    parts: [{ part: "account", state: "ready", reason: null }],
    effects: [
      {
        executionId: EXAMPLE_ID,
        effectId: "call_2",
        tool: "send_email",
        target: "ann@example.com",
        state: "confirmed",
        at: "2026-11-20T09:12:00.000Z",
      },
    ],
  }),
  problems: ["conflict"],
  async handler({ http: { env }, params: { accountId }, body }) {
    const to = Date.parse(body.to);
    if (to >= Date.now()) throw invalid("to", "past", "must be in the past");
    if ((await overviewOf(env, accountId)) === null) throw notFound();
    const names = (await objectsOf(env, accountId)).reverse();
    const asked = await mapConcurrently(CONCURRENCY, names, async (part) => ({
      part,
      reply: await callWithRetry(() =>
        objectOf(env, accountId, part).goBack(to, { accountId, dryRun: true }),
      ),
    }));
    if (body.dryRun) {
      const effects = asked.flatMap(({ reply }) => (reply.kind === "ready" ? reply.effects : []));
      const parts = asked.map(({ part, reply }) => stateOf(part, reply));
      return { value: { dryRun: true, parts, effects } };
    }
    for (const { part, reply } of asked) {
      if (reply.kind === "ready") continue;
      const detail = `Nothing was set back, because ${part} refuses: ${reply.reason}`;
      throw new HttpProblem("conflict", detail);
    }
    // Hosts first: what the account and the inboxes start anew finds them as they were.
    const parts = await mapConcurrently(CONCURRENCY, names, (part) =>
      setBack(env, accountId, part, to),
    );
    await callWithRetry(() => forgetExecutionsSince(env, accountId, to));
    for (const { part } of parts.filter(({ state }) => state === "restored")) {
      await callWithRetry(() => objectOf(env, accountId, part).open(true));
    }
    const effects = await callWithRetry(() => keptEffectsOf(env.DB, accountId));
    return { value: { dryRun: false, parts, effects } };
  },
});

async function setBack(env: CloudflareEnv, accountId: string, part: string, to: number) {
  try {
    const options = { accountId, dryRun: false };
    return stateOf(part, await objectOf(env, accountId, part).goBack(to, options));
  } catch (error) {
    if (wentBack(error)) return { part, state: "restored" as const, reason: null };
    logWarning("part not set back", { accountId, part }, error);
    return stateOf(part, { kind: "refused", reason: "The object did not answer." });
  }
}

function stateOf(part: string, reply: GoBackReply) {
  return { part, state: reply.kind, reason: reply.kind === "ready" ? null : reply.reason };
}

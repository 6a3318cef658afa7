import { setTimeout as sleep } from "node:timers/promises";
import type { TriggerBody } from "../../src/client/bodies.ts";
import type { Prompthook } from "../../src/client/prompthook.ts";
import { byStep, call, callsTools } from "../support/model-server/behaviour.ts";
import { type Endpoints, priced, UNPRICED, type Workflows } from "./account.ts";
import type { Outside } from "./models.ts";

export type Executions = Awaited<ReturnType<typeof seedExecutions>>;

const MOST_IN_A_BATCH = 100;
/** A busy machine takes minutes for five hundred executions. */
const PATIENCE_MS = 900_000;

/** Starts executions with every end, and those that do not end; webhooks and schedules start the others of the 530. */
export async function seedExecutions(
  api: Prompthook,
  { site, models }: Outside,
  { crm }: Endpoints,
  workflows: Workflows,
) {
  const when = { path: "type", equals: "build.finished" };
  const wait = { endpointId: crm.endpointId, when, timeoutSeconds: 86_400 };
  models.script("waits", byStep(callsTools(call("wait_for_event", wait))));
  const named = {
    result: {
      prompt: "Read the price list of the tea shop,\nthen order what is missing and write to Ada.",
      model: priced("large"),
      inputs: { shop: "Harbour Lane Tea", since: 2019 },
      metadata: { order: "1007", team: "purchasing" },
      callbackUrl: `${site.origin}/accepts`,
    },
    badCallback: {
      prompt: "Tell the warehouse.",
      model: priced("quick"),
      callbackUrl: `${site.origin}/refuses`,
      callbackSecret: "a secret of the warehouse",
    },
    failed: { prompt: "Use a model that is not there.", model: "openai/failing" },
    question: {
      prompt: "Refund order 1007 if it is within the policy.",
      model: "openai/asks",
      interactive: true,
    },
    approval: {
      prompt: "Order 300 tins for the warehouse.",
      model: "openai/orders",
      approvals: ["http_request"],
    },
    active: { prompt: "Look at a slow page.", model: "openai/slow", timeoutSeconds: 86_400 },
    stopped: { prompt: "Look at a slow page, then stop.", model: "openai/slow" },
    event: { prompt: "Deploy the shop once its build is done.", model: "openai/waits" },
  } satisfies Record<string, TriggerBody>;
  const others: TriggerBody[] = [
    ...times(100, (at) => ({
      prompt: `Summarise ticket ${1_000 + at} for the support team, in three sentences.`,
      model: at % 3 ? priced("quick") : UNPRICED,
      metadata: { ticket: String(1_000 + at), team: "support" },
    })),
    ...times(14, () => named.failed),
    ...times(5, () => ({
      prompt: "Give me a total.",
      model: "openai/wrong-data",
      outputSchema: {
        type: "object",
        properties: { total: { type: "number" } },
        required: ["total"],
      },
    })),
    ...times(4, () => ({ prompt: "Browse without end.", model: "openai/many-steps", maxSteps: 3 })),
    ...times(4, () => ({ prompt: "Browse cheaply.", model: "openai/many-steps", maxCredits: 2 })),
    ...times(4, (at) => ({ ...named.question, prompt: `Refund order ${1_008 + at} if possible.` })),
    ...times(2, () => ({ ...named.approval, prompt: "Order 500 tins for the shop." })),
    ...times(5, (at) => ({ ...named.result, prompt: `Restock shop ${at + 1}.`, metadata: {} })),
  ];
  const ids = await start(api, [...Object.values(named), ...others]);
  const idOf = (name: keyof typeof named) => ids[Object.keys(named).indexOf(name)] ?? "";
  const result = idOf("result");
  await settle(api, [result, idOf("question"), idOf("approval"), idOf("failed")]);
  await api.executions.stop(idOf("stopped"), { reason: "No longer needed." });
  await api.executions.score(result, { name: "helpful", value: 1, comment: "Right away." });
  const fork = await api.executions.fork(result, {
    message: "Now cancel the order.",
    model: priced("quick"),
  });
  const { rehearsalId } = await api.workflows.rehearse(workflows.triage, { last: 10 });
  const retry = await api.retries.create({
    query: { status: ["failed"], workflowId: workflows.invoices },
    from: "failure",
  });
  return {
    result,
    failed: idOf("failed"),
    question: idOf("question"),
    approval: idOf("approval"),
    active: idOf("active"),
    stopped: idOf("stopped"),
    event: idOf("event"),
    badCallback: idOf("badCallback"),
    fork: fork.executionId,
    rehearsalId,
    retryId: retry.retryId,
  };
}

const times = <Item>(count: number, make: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => make(at));

async function start({ executions }: Prompthook, bodies: TriggerBody[]): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < bodies.length; at += MOST_IN_A_BATCH) {
    const { results } = await executions.triggerMany(bodies.slice(at, at + MOST_IN_A_BATCH));
    for (const each of results) {
      if ("problem" in each) throw new Error(`${each.problem.title}: ${each.problem.detail}`);
      ids.push(each.executionId);
    }
  }
  return ids;
}

/** Waits until each of these has ended or waits for a person. */
async function settle({ executions }: Prompthook, ids: string[]): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (const id of ids) {
    while ((await executions.status(id)).status === "active") {
      if (Date.now() > deadline) throw new Error(`The execution ${id} does not end.`);
      await sleep(500);
    }
  }
}

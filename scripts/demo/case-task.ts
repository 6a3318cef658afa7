import { randomBytes } from "node:crypto";
import * as z from "zod";
import { type CaseRecord, caseRecord } from "../../src/contract/webhooks/case.ts";
import type { EndpointRecord } from "../../src/contract/webhooks/endpoint.ts";
import { hookAnswer, Webhooks } from "../../test/support/webhooks.ts";
import { UserError } from "../local/project.ts";
import { AgentApi, type DemoTask } from "./agent.ts";
import { deliver } from "./github.ts";

const NUMBER = 7;
const BRANCH = "spring-prices";
const QUIET_SECONDS = 1;
const PATIENCE_MS = 30_000;

/** One endpoint of a repository: its routes gather a pull request's pushes, and an agent waits for its build. */
export const caseTask: DemoTask = {
  shows: "a pull request: three pushes for one agent, and another that waits for the build",
  async run(service, site) {
    const hooks = new Webhooks(service, service.apiKey);
    const api = new AgentApi(service);
    const secret = randomBytes(24).toString("hex");
    const { url, endpointId } = await openEndpoint(hooks, secret);
    const send = (event: string, body: object) =>
      deliver({ url, secret, event, body: JSON.stringify(body) });
    const pull = { number: NUMBER, head: { ref: BRANCH }, html_url: `${site}/prices` };

    console.log("\nA pull request is opened:\n");
    const opened = await send("pull_request", { action: "opened", pull_request: pull });
    const { executionId } = hookAnswer.parse(opened.body);
    if (executionId === null) throw new UserError("The pull request started no execution.");
    console.log("\nThe execution that it started waits, and holds nothing in memory:\n");
    const ended = api.follow(executionId);
    await until(() => api.waitsForEvent(executionId));

    console.log("\nThree pushes come in a burst:\n");
    for (const after of ["a1", "b2", "c3"]) {
      const body = { action: "synchronize", pull_request: pull, after };
      await send("pull_request", body);
    }
    console.log(`\nAfter ${QUIET_SECONDS} s without another, one execution gets all three:\n`);
    const gathered = await until(async () => endedIn(await caseOf(hooks, endpointId, "pushes")));
    const { presentedResult } = await api.result(gathered);
    console.log(`  ${presentedResult.summary.replaceAll("\n", "\n  ")}`);

    const build = (conclusion: string) => ({
      action: "completed",
      workflow_run: { head_branch: BRANCH, conclusion },
    });
    console.log("\nThe build fails. No route matches, and the agent waits on:\n");
    await send("workflow_run", build("failure"));
    if (!(await api.waitsForEvent(executionId))) {
      throw new UserError("The failed build woke the agent.");
    }
    console.log("\nThe next build is green, which wakes it:\n");
    await send("workflow_run", build("success"));
    await ended;
    const result = await api.result(executionId);
    if (result.status !== "completed") {
      throw new UserError(`The execution failed: ${result.presentedResult.summary}`);
    }
    console.log(`\nResult of ${result.model}:\n\n${result.presentedResult.summary}`);
    console.log("\nThe pull request's cases:");
    for (const route of ["opened", "pushes"]) showCase(await caseOf(hooks, endpointId, route));
  },
};

async function openEndpoint(hooks: Webhooks, secret: string): Promise<EndpointRecord> {
  const { endpointId } = await hooks.endpoint({
    name: "GitHub",
    auth: { hmac: { preset: "github", secret } },
  });
  const greeter = await hooks.workflow({
    name: "Look at the page when the build is green",
    prompt: `Wait until ${endpointId} receives an event whose workflow_run.conclusion is success and workflow_run.head_branch is {{branch}}, then count rows per kind from {{page}}`,
    inputs: [
      { name: "branch", required: true },
      { name: "page", required: true },
    ],
  });
  const reader = await hooks.workflow({
    name: "Look at the pushes",
    prompt: "Count rows from {{events}}.",
    inputs: [{ name: "events", type: "array", required: true }],
  });
  const action = (equals: string) => ({ path: "action", equals });
  const key = { path: "pull_request.number" };
  const fields = [
    { to: "branch", from: "pull_request.head.ref" },
    { to: "page", from: "pull_request.html_url" },
  ];
  const endpoint = await hooks.change(endpointId, {
    routing: {
      routes: [
        { name: "opened", when: action("opened"), workflowId: greeter, mapping: { fields }, key },
        {
          name: "pushes",
          when: action("synchronize"),
          workflowId: reader,
          key,
          onEvent: "collect",
          quietSeconds: QUIET_SECONDS,
        },
      ],
    },
  });
  console.log(`\nEndpoint: ${endpoint.url}`);
  return endpoint;
}

const casePage = z.object({ cases: z.array(caseRecord) });

async function caseOf(hooks: Webhooks, endpointId: string, route: string): Promise<CaseRecord> {
  const page = await hooks.call("GET", `/cases?endpointId=${endpointId}&key=${NUMBER}`);
  const found = casePage.parse(page).cases.find((one) => one.route === route);
  if (found === undefined) throw new UserError(`The route "${route}" has no case.`);
  return found;
}

/** Returns the execution that has ended in a case, or null. */
function endedIn({ timeline }: CaseRecord): string | null {
  const end = timeline.find(({ type }) => type === "execution.ended");
  return end?.executionId ?? null;
}

/** Asks again until there is an answer. Throws `UserError` after a while. */
async function until<Value>(ask: () => Promise<Value | null | false>): Promise<Value> {
  const begun = performance.now();
  while (performance.now() - begun < PATIENCE_MS) {
    const answer = await ask();
    if (answer !== null && answer !== false) return answer;
  }
  throw new UserError("The service took too long.");
}

function showCase({ route, key, timeline }: CaseRecord): void {
  console.log(`\n  ${route}, #${key}:`);
  for (const moment of timeline) {
    const what = moment.type === "event" ? `event ${moment.eventType}` : moment.type;
    console.log(`    ${moment.at.slice(11, 23)}  ${what.padEnd(18)}  ${moment.executionId ?? ""}`);
  }
}

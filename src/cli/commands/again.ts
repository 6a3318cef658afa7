import type { RehearseBody } from "../../client/bodies.ts";
import type { Jobs, Prompthook, Replays, Retries } from "../../client/prompthook.ts";
import { RUNTIME } from "../../client/transport.ts";
import { jsonObject } from "../../contract/json.ts";
import type { Call, Command } from "../command.ts";
import { EXIT, type Exit, UsageError } from "../errors.ts";
import { parseJson, readInput } from "../files.ts";
import { endpointIdOf, workflowOf } from "../lookup.ts";
import { plain } from "../terminal.ts";
import { watch } from "../watch.ts";
import { NAMED } from "./endpoints.ts";

const POLL_MS = 1_000;
const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The options of commands that do many things again. */
const AGAIN = {
  failed: { help: "those that failed" },
  since: { value: "TIME", help: "since this long, such as 90m, 2h or 3d" },
  "per-minute": { value: "N", help: "how many to start in a minute (default: 600)" },
  "dry-run": { help: "only show what would happen" },
};

/** Returns when the time of `--since` began, in ISO 8601. */
function sinceOf({ values }: Call): string | undefined {
  const text = values.text("since");
  if (text === undefined) return undefined;
  const [, count = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? 0);
  if (ms === 0) throw new UsageError("--since needs a number and s, m, h or d, such as 2h.");
  return new Date(Date.now() - ms).toISOString();
}

export const replay: Command = {
  name: "replay",
  summary: "Replay a logged request, or all that failed or were rejected",
  args: ["endpoint?", "request?"],
  options: {
    ...AGAIN,
    rejected: { help: "those that were rejected" },
    payload: { value: "FILE", help: "JSON payload to send instead; - reads standard input" },
    "accept-unverified": { help: "replay it even if it did not pass authentication" },
    watch: { short: "w", help: "follow the execution that it starts" },
  },
  notes: NAMED,
  async run(call) {
    const { output, values, args } = call;
    if (args[1] === "") return replayMany(call);
    values.refuse(["rejected", ...Object.keys(AGAIN)], "replay of one request");
    const replayed = await replayOf(call);
    const { requestId, executionId, status } = replayed;
    output.print(replayed, () =>
      executionId === null ? `${requestId}  ${status}` : `${requestId}  → ${executionId}`,
    );
    return values.flag("watch") && executionId !== null ? watch(call, executionId) : EXIT.done;
  },
};

async function replayOf({ client, output, values, args, signal }: Call) {
  const [name = "", requestId = ""] = args;
  const file = values.text("payload");
  const payload = file === undefined ? undefined : await readInput(file, output.terminal);
  if (payload !== undefined) parseJson(payload, file ?? "");
  const endpointId = await endpointIdOf(client, name, signal);
  const acceptUnverified = values.flag("accept-unverified");
  // Sent as text, so that large integers keep their digits.
  return payload === undefined
    ? client.webhooks.replay(endpointId, requestId, { acceptUnverified }, { signal })
    : client.webhooks.replayJson(endpointId, requestId, payload, { acceptUnverified, signal });
}

/** Replays the requests that the options name. */
async function replayMany(call: Call): Promise<Exit> {
  const { client, values, args, signal } = call;
  const chosen = (["failed", "rejected"] as const).filter((name) => values.flag(name));
  if (chosen.length === 0)
    throw new UsageError("replay needs an endpoint and a request, or --failed or --rejected.");
  values.refuse(["payload", "accept-unverified", "watch"], "replay of many requests");
  const [name = ""] = args;
  const endpointId = name === "" ? undefined : await endpointIdOf(client, name, signal);
  const query = { status: chosen, receivedAfter: sinceOf(call), endpointId };
  const body = { query, perMinute: values.wholeNumber("per-minute", 1) };
  return doAgain(call, client.replays, body, ({ replayId }) => replayId);
}

type Forecast = Awaited<ReturnType<(Replays | Retries)["dryRun"]>>;
type State = Awaited<ReturnType<(Replays | Retries)["get"]>>;

function foretell({ output }: Call, forecast: Forecast): Exit {
  output.print(forecast, (found) =>
    [
      `${found.matched} match, ${found.wouldStart} would start, ${found.wouldBeRefused} would be rejected`,
      `about ${found.estimatedCredits} credits`,
      ...found.sample.flatMap(({ verdict, reason }) =>
        reason === null ? [] : [`${verdict}: ${plain(reason)}`],
      ),
    ].join("\n"),
  );
  return EXIT.done;
}

/**
 * Starts a job and shows how far it is until it has ended; it goes on without its command. With --dry-run,
 * only shows what it would do.
 */
async function doAgain<Body extends object, Made extends State>(
  call: Call,
  jobs: Jobs<Body, Made, Forecast>,
  body: Body,
  idOf: (made: Made) => string,
): Promise<Exit> {
  const { output, values, signal } = call;
  if (values.flag("dry-run")) return foretell(call, await jobs.dryRun(body, { signal }));
  const id = idOf(await jobs.create(body, { signal }));
  const textOf = ({ matched, started, skipped, refused }: State) =>
    `${started} started, ${skipped} skipped, ${refused} rejected of ${matched}`;
  let state = await jobs.get(id, { signal });
  while (state.status === "running") {
    output.note(`${id}  ${textOf(state)}`);
    await RUNTIME.sleep(POLL_MS, signal);
    state = await jobs.get(id, { signal });
  }
  output.print(state, (found) => `${id}  ${found.status}: ${textOf(found)}`);
  return EXIT.done;
}

export const retry: Command = {
  name: "retry",
  summary: "Retry executions from the step that failed, or from their start",
  args: ["execution?"],
  options: {
    ...AGAIN,
    stopped: { help: "those that were stopped" },
    workflow: { value: "ID", help: "only those of this workflow" },
    "from-start": { help: "begin again from the prompt; not what changed something outside" },
  },
  async run(call) {
    const { client, values, args } = call;
    const [executionId = ""] = args;
    const named = (["failed", "stopped"] as const).filter((name) => values.flag(name));
    if (executionId === "" && named.length === 0)
      throw new UsageError("retry needs an execution, or --failed or --stopped.");
    const query = {
      status: named.length === 0 ? (["failed", "stopped"] as const).slice() : named,
      executionIds: executionId === "" ? undefined : [executionId],
      createdAfter: sinceOf(call),
      workflowId: values.text("workflow"),
    };
    const from = values.flag("from-start") ? ("start" as const) : ("failure" as const);
    const body = { query, from, perMinute: values.wholeNumber("per-minute", 1) };
    return doAgain(call, client.retries, body, ({ retryId }) => retryId);
  },
};

const LAST = 20;

type Found = Awaited<ReturnType<Prompthook["workflows"]["rehearsal"]>>;

export const rehearse: Command = {
  name: "rehearse",
  summary: "Try a workflow on past inputs, without effects; exits 1 where `expect` fails",
  args: ["workflow"],
  options: {
    last: { value: "N", help: `the inputs of the last executions (default: ${LAST})` },
    draft: { value: "FILE", help: "JSON of the fields to change; - reads standard input" },
    live: { help: "make reads that the originals did not make" },
  },
  async run(call) {
    const { client, output, values, args, signal } = call;
    const { workflowId } = await workflowOf(client, args[0] ?? "", signal);
    const draft = await call.json("draft", jsonObject);
    const last = values.wholeNumber("last", 1) ?? LAST;
    const reads = values.flag("live") ? ("live" as const) : ("recorded" as const);
    const found = await rehearsed(client, workflowId, { draft, last, reads }, signal);
    output.print(found, rehearsalText);
    return found.totals.failed > 0 ? EXIT.executionFailed : EXIT.done;
  },
};

/** Rehearses a workflow, and returns what came of it once all its executions ended. */
export async function rehearsed(
  { workflows }: Prompthook,
  workflowId: string,
  body: RehearseBody,
  signal: AbortSignal,
): Promise<Found> {
  const { rehearsalId } = await workflows.rehearse(workflowId, body, { signal });
  for (;;) {
    const found = await workflows.rehearsal(rehearsalId, { signal });
    if (found.status !== "running") return found;
    await RUNTIME.sleep(POLL_MS, signal);
  }
}

function rehearsalText({ results, totals }: Found): string {
  const lines = results.flatMap(({ executionId, effects, dataDiff, failures }) => {
    const kinds = (["added", "removed", "changed"] as const).filter((kind) => effects[kind].length);
    const told = [
      ...kinds.map((kind) => `${effects[kind].length} ${kind}`),
      ...(dataDiff.length === 0 ? [] : ["other data"]),
      ...failures.map(plain),
    ];
    return told.length === 0 ? [] : [`${executionId}  ${told.join("; ")}`];
  });
  const { rehearsed, changed, failed, credits, creditsBefore } = totals;
  const sum = `${rehearsed} rehearsed, ${changed} changed, ${failed} failed; ${credits} credits (${creditsBefore} before)`;
  return [...lines, sum].join("\n");
}

import type { RehearseBody } from "../../client/bodies.ts";
import type { Prompthook } from "../../client/prompthook.ts";
import { RUNTIME } from "../../client/transport.ts";
import { jsonObject } from "../../contract/json.ts";
import type { Command } from "../command.ts";
import { EXIT } from "../errors.ts";
import { readJson } from "../files.ts";
import { workflowOf } from "../lookup.ts";
import { plain } from "../text.ts";

const POLL_MS = 1_000;
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
  async run({ client, output, values, args: [name = ""], signal }) {
    const { workflowId } = await workflowOf(client, name, signal);
    const file = values.text("draft");
    const draft =
      file === undefined ? {} : { draft: await readJson(file, jsonObject, output.terminal) };
    const last = values.wholeNumber("last", 1) ?? LAST;
    const reads = values.flag("live") ? ("live" as const) : ("recorded" as const);
    const found = await rehearsed(client, workflowId, { ...draft, last, reads }, signal);
    output.print(found, textOf);
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

function textOf({ results, totals }: Found): string {
  const lines = results.flatMap(({ executionId, effects, dataDiff, failures }) => {
    const { added, removed, changed } = effects;
    const counts = [
      [added.length, "added"],
      [removed.length, "removed"],
      [changed.length, "changed"],
    ] as const;
    const told = [
      ...counts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`])),
      ...(dataDiff.length === 0 ? [] : ["other data"]),
      ...failures.map(plain),
    ];
    return told.length === 0 ? [] : [`${executionId}  ${told.join("; ")}`];
  });
  const { rehearsed, changed, failed, credits, creditsBefore } = totals;
  const sum = `${rehearsed} rehearsed, ${changed} changed, ${failed} failed; ${credits} credits (${creditsBefore} before)`;
  return [...lines, sum].join("\n");
}

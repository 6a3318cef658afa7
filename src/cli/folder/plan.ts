import { PrompthookError } from "../../client/error.ts";
import type { Prompthook } from "../../client/prompthook.ts";
import type { JsonObject } from "../../contract/json.ts";
import { createEndpointBody } from "../../contract/webhooks/endpoint.ts";
import type { WhatIfResult } from "../../contract/webhooks/trials.ts";
import { FINAL_STATUSES } from "../../contract/words.ts";
import { updateWorkflowBody } from "../../contract/workflow.ts";
import { mapConcurrently } from "../../lib/async.ts";
import { type Difference, differencesBetween } from "../../lib/differences.ts";
import { isObject } from "../../lib/json-values.ts";
import { lineDiff } from "../../lib/line-diff.ts";
import { counted } from "../../lib/text.ts";
import { dotted } from "../../lib/zod-messages.ts";
import { rehearsed } from "../commands/again.ts";
import { UsageError } from "../errors.ts";
import { jsonLine, oneLine, plain } from "../terminal.ts";
import { idOf, KINDS, type Kind, type Shown, settingsOf } from "./kinds.ts";
import { ANY_WORKFLOW, bodyOf, type Item } from "./read.ts";

/** Calls at the same time. */
export const CONCURRENCY = 6;
/** The requests on which a changed endpoint is tried. */
const LOOKED_BACK = 200;

/** The resources of an account, and the names of its workflows by id. */
type Account = Awaited<ReturnType<typeof readAccount>>;

/** What applying a folder does to one resource. */
export interface Step {
  kind: Kind;
  externalId: string;
  action: "create" | "change" | "keep" | "unchanged" | "drifted" | "delete";
  item: Item | null;
  before: Shown | null;
  differences: Difference[];
  /** What else is to be known before it is done. */
  notes: string[];
}

/** Reads all that an account has. */
export async function readAccount(client: Prompthook, signal: AbortSignal) {
  const shown = new Map<Kind, Shown[]>();
  const workflows = new Map<string, string>();
  for (const kind of KINDS) {
    const all: Shown[] = [];
    for await (const one of kind.of(client).all({ signal })) all.push(one);
    shown.set(kind, all);
    if (kind.name !== "workflow") continue;
    for (const one of all) if (one.externalId) workflows.set(idOf(kind, one), one.externalId);
  }
  return { shown, workflows };
}

/** Returns what files wrote that is in none of them, in the order in which it can be deleted. */
export function leftOver({ shown }: Account, items: readonly Item[]): Step[] {
  return KINDS.toReversed().flatMap((kind) => {
    const kept = items.filter((item) => item.kind === kind).map(({ externalId }) => externalId);
    return (shown.get(kind) ?? []).flatMap((before): Step[] => {
      const { externalId, managedBy } = before;
      if (externalId === null || managedBy === null || kept.includes(externalId)) return [];
      return [
        { kind, externalId, action: "delete", item: null, before, differences: [], notes: [] },
      ];
    });
  });
}

/** Returns what applying the items would do. The service checks each, so nothing is changed if one is wrong. */
export async function planOf(
  client: Prompthook,
  items: readonly Item[],
  account: Account,
  signal: AbortSignal,
): Promise<Step[]> {
  const faults: string[] = [];
  const steps = await mapConcurrently(CONCURRENCY, items, async (item) => {
    try {
      return await stepOf(client, item, account, signal);
    } catch (error) {
      if (!(error instanceof PrompthookError) || error.status >= 429) throw error;
      const errors =
        error.errors.length > 0 ? error.errors : [{ path: "", message: error.message }];
      faults.push(...errors.map(({ path, message }) => item.fault(path, message)));
      return null;
    }
  });
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
  return steps.filter((step) => step !== null);
}

async function stepOf(
  client: Prompthook,
  item: Item,
  { shown, workflows }: Account,
  signal: AbortSignal,
): Promise<Step> {
  const { kind, externalId } = item;
  const before = shown.get(kind)?.find((one) => one.externalId === externalId) ?? null;
  const ids = new Map([...workflows].map(([id, name]) => [name, id]));
  const isWhole = item.workflows.every((name) => ids.has(name));
  const options = { dryRun: true, revision: before?.revision ?? 0, signal };
  const body = isWhole ? bodyOf(item, ids) : withoutNew(item);
  const tried = await kind
    .of(client)
    .put(externalId, { ...body, managedBy: { kind: "files" } }, options)
    .catch((error) => {
      // All that is wrong with it is that its workflow is to be created first.
      if (!isWhole && error instanceof PrompthookError && error.errors[0]?.rule === "workflow")
        return { changed: true };
      throw error;
    });
  const found = { kind, externalId, item, before, notes: [] };
  if (before === null) return { ...found, action: "create", differences: [] };
  if (!tried.changed) return { ...found, action: "unchanged", differences: [] };
  const { workflow, routing } = item.settings;
  const references = {
    ...(!isWhole && workflow !== undefined && { workflow }),
    ...(!isWhole && routing !== undefined && { routing }),
  };
  const after = "revision" in tried ? settingsOf(kind, tried, workflows) : item.settings;
  const differences = [
    ...differencesBetween(settingsOf(kind, before, workflows), { ...after, ...references }),
  ];
  const { managedBy, revision } = before;
  const isOurs = managedBy?.revision === revision;
  const isSecret = "revision" in tried && differences.length === 0 && tried.revision > revision;
  const isSame = differences.length === 0 && !isSecret;
  const notes = isSecret
    ? ["a secret is another one"]
    : await lookBack(client, item, before, body, isWhole, signal);
  if (managedBy !== null && !isOurs && !isSame) {
    const since = `changed by hand since revision ${managedBy.revision}, now ${revision}`;
    return { ...found, action: "drifted", differences, notes: [since, ...notes] };
  }
  return { ...found, action: isSame ? "keep" : "change", differences, notes };
}

/** Returns a body without the workflows that are not there yet; a schedule must have one. */
function withoutNew({ kind, body }: Item): JsonObject {
  const { workflow: _, routing: __, ...others } = body;
  return kind.name === "schedule" ? { ...others, workflowId: ANY_WORKFLOW } : others;
}

/** Tries the rules of a changed endpoint on its newest requests, and says what would become of them. */
async function lookBack(
  client: Prompthook,
  { kind }: Item,
  before: Shown,
  body: JsonObject,
  isWhole: boolean,
  signal: AbortSignal,
): Promise<string[]> {
  if (kind.name !== "endpoint") return [];
  if (!isWhole) return ["not tried on past requests: its workflow is not created yet"];
  const { validation, mapping, routing, workflowId } = createEndpointBody.parse(body);
  const started = routing ? { routing } : { workflowId: workflowId ?? null, routing: null };
  const draft = { validation, mapping, ...started, last: LOOKED_BACK };
  return lookedBack(await client.webhooks.whatIf(idOf(kind, before), draft, { signal }));
}

/** Returns what a trial found, as sentences. */
function lookedBack({ requests, totals }: WhatIfResult): string[] {
  if (totals.looked === 0) return [];
  const refused = requests.filter(({ before, after }) => before.ok && !after.ok);
  const places = new Map<string, number>();
  for (const { after } of refused) {
    const place = after.errors[0]?.path ?? after.errors[0]?.message ?? "";
    places.set(place, (places.get(place) ?? 0) + 1);
  }
  const reasons = [...places].map(([place, count]) => `${count} at \`${place}\``).join(", ");
  const accepted = requests.filter(({ before, after }) => !before.ok && after.ok).length;
  const routesOf = (fate: (typeof requests)[number]["after"]) =>
    fate.routes.flatMap(({ name, matched }) => (matched ? [name] : [])).join();
  const both = requests.filter(({ before, after }) => before.ok && after.ok);
  const rerouted = both.filter(({ before, after }) => routesOf(before) !== routesOf(after)).length;
  const remapped = both.filter(({ changed }) => changed).length - rerouted;
  const found = [
    refused.length > 0 && `would reject ${refused.length} that were accepted (${reasons})`,
    accepted > 0 && `would accept ${accepted} that were rejected`,
    rerouted > 0 && `${rerouted} would take another route`,
    remapped > 0 && `${remapped} would have other inputs`,
  ].filter((text) => text !== false);
  const none = "nothing would become of them that did not";
  return [`of its last ${totals.looked} requests: ${found.join("; ") || none}`];
}

/**
 * Rehearses each changed workflow on the inputs of its last executions, notes what came of it, and returns
 * how many of them failed or did not do what the workflow expects.
 */
export async function rehearseChanges(
  client: Prompthook,
  steps: readonly Step[],
  last: number,
  signal: AbortSignal,
): Promise<number> {
  let failed = 0;
  for (const { kind, before, item, differences, notes } of steps) {
    if (kind.name !== "workflow" || before === null || item === null) continue;
    const changed = new Set(differences.map(({ path: [name] }) => String(name)));
    if (changed.size === 0) continue;
    // A field that the file leaves out returns to its default.
    const given = [...changed].map((name) => {
      return [name, item.body[name] ?? (name === "inputs" ? [] : null)] as const;
    });
    const draft = updateWorkflowBody.parse(Object.fromEntries(given));
    const { totals } = await rehearsed(client, idOf(kind, before), { draft, last }, signal);
    notes.push(
      `rehearsed on its last ${totals.rehearsed} inputs: ${totals.changed} changed, ${totals.failed} failed`,
    );
    failed += totals.failed;
  }
  return failed;
}

/** Returns why something that is to be deleted is still in use, or null. */
export async function useOf(client: Prompthook, { kind, before }: Step, signal: AbortSignal) {
  if (before === null) return null;
  if ("queuedCount" in before && before.queuedCount !== 0) return "holds requests";
  if ("lastRuns" in before && Array.isArray(before.lastRuns)) {
    const isLive = before.lastRuns.some(
      (run) => isObject(run) && run.executionId !== null && !isEnded(run.status),
    );
    return isLive ? "has a live execution" : null;
  }
  if (kind.name !== "workflow") return null;
  const status = ["active", "waiting_for_input"] as const;
  const query = { workflowId: idOf(kind, before), status, limit: 1 };
  const { executions } = await client.executions.list(query, { signal });
  return executions.length > 0 ? "has a live execution" : null;
}

const isEnded = (status: unknown) => FINAL_STATUSES.some((one) => one === status);

const MARKS = { create: "+", change: "~", keep: "~", drifted: "!", delete: "-", unchanged: " " };
const WORDS: Partial<Record<Step["action"], string>> = {
  keep: "  kept in files from now on",
  drifted: "  drifted",
  delete: "  not in the folder",
};
const VALUE_LENGTH = 100;

/** Returns a plan as lines: each change with its differences, then the totals. */
export function planLines(steps: readonly Step[]): string[] {
  const shown = steps.filter(({ action }) => action !== "unchanged");
  const lines = shown.flatMap(({ kind, externalId, action, differences, notes }) => [
    `${MARKS[action]} ${kind.folder}/${externalId}${WORDS[action] ?? ""}`,
    ...differences.flatMap(differenceLines),
    ...notes.map((note) => `    ${plain(note)}`),
  ]);
  const count = (...of: Step["action"][]) =>
    steps.filter(({ action }) => of.includes(action)).length;
  const totals = [
    `${count("create")} to create`,
    `${count("change", "keep")} to change`,
    ...(count("drifted") > 0 ? [`${count("drifted")} drifted`] : []),
    ...(count("delete") > 0 ? [`${count("delete")} to delete`] : []),
    `${count("unchanged")} unchanged`,
  ];
  return [...lines, `${totals.join(", ")}.`];
}

/** Returns the same for a comment of a pull request. */
export function planMarkdown(steps: readonly Step[]): string[] {
  const lines = planLines(steps);
  const changes = lines.slice(0, -1);
  const fence = ["```diff", ...changes, "```"];
  return [
    `### Prompthook: ${counted(steps.length, "file")}`,
    "",
    ...(changes.length > 0 ? fence : []),
    lines.at(-1) ?? "",
  ];
}

/** Returns a difference as lines; of a text with several lines, those that are other ones. */
export function differenceLines({ path, before, after }: Difference): string[] {
  const name = dotted(path);
  if (typeof before === "string" && typeof after === "string" && /\n/.test(before + after)) {
    const lines = lineDiff(before, after).filter(({ kind }) => kind !== "same");
    const marked = lines.map(({ kind, text }) => {
      return `${kind === "added" ? "+" : "-"}     ${oneLine(text, VALUE_LENGTH)}`;
    });
    return [`    ${name}:`, ...marked];
  }
  const text = (value: unknown) =>
    value === undefined ? "unset" : oneLine(jsonLine(value), VALUE_LENGTH);
  return [`    ${plain(name)}: ${text(before)} → ${text(after)}`];
}

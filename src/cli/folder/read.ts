import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isMap, isSeq, LineCounter, parseDocument } from "yaml";
import * as z from "zod";
import { closed } from "../../contract/fields.ts";
import { type JsonObject, jsonObject } from "../../contract/json.ts";
import { externalId as externalIdRule } from "../../contract/revision.ts";
import { isObject } from "../../lib/json-values.ts";
import { describeIssue, describeUnknown, violationsOf } from "../../lib/zod-messages.ts";
import { UsageError } from "../errors.ts";
import { cannot } from "../files.ts";
import { KINDS, type Kind, NOT_IN_FILES, withSecrets, withWorkflows } from "./kinds.ts";

z.config({ localeError: describeIssue });

/** A resource as its file says it. */
export interface Item {
  kind: Kind;
  externalId: string;
  /** From the folder. */
  file: string;
  /** As the file has it, with names of workflows and of variables. */
  settings: JsonObject;
  /** The same with the values of the variables; it is sent, and never shown. */
  body: JsonObject;
  /** The names of the workflows that it refers to. */
  workflows: string[];
  /** Returns a fault as a line that names the file, the line and what is wrong. */
  fault(path: string, message: string): string;
}

/** A workflow id of the right form, which no workflow has: the service checks the true one. */
export const ANY_WORKFLOW = `wf_${"0".repeat(20)}`;

/** Reads all files of a folder. Throws a `UsageError` with every fault, each with its file and line. */
export async function readFolder(folder: string, env: Record<string, string | undefined>) {
  const faults: string[] = [];
  const items: Item[] = [];
  // A mistyped name must not stand for a folder from which everything was removed.
  const names = await readdir(folder).catch(() => {
    throw new UsageError(`${folder} is not a folder. prompthook init ${folder} makes one.`);
  });
  for (const kind of KINDS.filter((one) => names.includes(one.folder))) {
    const form = kind.name === "workflow" ? /^[^.].*\.md$/ : /^[^.].*\.(?:ya?ml|json)$/;
    const all = join(folder, kind.folder);
    const found = await readdir(all).catch(cannot("read", all));
    for (const name of found.filter((one) => form.test(one)).sort()) {
      const text = await readFile(join(all, name), "utf8").catch(cannot("read", join(all, name)));
      const item = itemOf(kind, `${kind.folder}/${name}`, text, env, faults);
      if (item === null) continue;
      const twin = items.find((one) => one.kind === kind && one.externalId === item.externalId);
      if (twin !== undefined) faults.push(item.fault("", `has the name of ${twin.file}.`));
      items.push(item);
    }
  }
  const workflows = items.filter(({ kind }) => kind.name === "workflow");
  const named = workflows.map(({ externalId }) => externalId);
  for (const item of items) {
    for (const name of item.workflows.filter((one) => !named.includes(one)))
      faults.push(item.fault("workflow", describeUnknown("workflow", name, named)));
  }
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
  return items;
}

/** Returns what a file says, or null if it cannot be read; what is wrong is added to `faults`. */
function itemOf(
  kind: Kind,
  file: string,
  text: string,
  env: Record<string, string | undefined>,
  faults: string[],
): Item | null {
  const { source, prompt, firstLine } = partsOf(kind, text);
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const at = (offset: number) => lines.linePos(offset).line + firstLine;
  const fault = (path: string, message: string) => {
    const line = at(offsetOf(document.contents, path.match(/[^.[\]]+/g) ?? []));
    return `${file}:${line}: ${path === "" || /^[A-Z]/.test(message) ? "" : `\`${path}\` `}${message}`;
  };
  const [broken] = document.errors;
  const parsed = jsonObject.safeParse(broken === undefined ? (document.toJS() ?? {}) : null);
  if (!parsed.success) {
    const [reason = "must be named settings"] = broken?.message.split(/ at line |\n/) ?? [];
    faults.push(`${file}:${at(broken?.pos[0] ?? 0)}: ${reason}.`);
    return null;
  }
  const { $schema: _, ...given } = parsed.data;
  const settings = { ...given, ...(prompt !== null && { prompt }) };
  const externalId = file.slice(kind.folder.length + 1).replace(/\.\w+$/, "");
  const name = externalIdRule.safeParse(externalId);
  if (!name.success) faults.push(`${file}: its name ${name.error.issues[0]?.message}.`);
  for (const field of NOT_IN_FILES)
    if (field in settings) faults.push(fault(field, "must be left out: the file's name says it."));
  const workflows = new Set<string>();
  const body = withSecrets(settings, (value, path) => {
    if (path.length === 1 && path[0] === "url" && typeof value === "string") return value;
    const found = variable.safeParse(value);
    const known = found.success ? env[found.data.env] : undefined;
    if (known !== undefined || value === null) return known ?? null;
    const isMissing = found.success && `needs the variable ${found.data.env}, which is not set.`;
    const rule = 'must be {"env": "NAME"}: a secret is not kept in a file.';
    faults.push(fault(path.join("."), isMissing || rule));
    // Too many faults for one field help nobody.
    return "any secret";
  });
  const anyOf = new Map<string, string>();
  for (const found of referencesIn(settings)) {
    workflows.add(found);
    anyOf.set(found, ANY_WORKFLOW);
  }
  const checked = kind.schema.safeParse(withWorkflows(body, ["workflow", "workflowId"], anyOf));
  for (const { path, message } of violationsOf(checked.error?.issues ?? []))
    faults.push(fault(path.replace(/workflowId$/, "workflow"), message));
  return { kind, externalId, file, settings, body, workflows: [...workflows], fault };
}

const variable = closed({ env: z.string() });

/** Returns the variables that a file names for its secrets, by where each secret is. */
export function variablesIn(kind: Kind, text: string): Map<string, string> {
  const names = new Map<string, string>();
  const document = parseDocument(partsOf(kind, text).source);
  const parsed = jsonObject.safeParse(document.errors.length === 0 ? document.toJS() : null);
  if (!parsed.success) return names;
  withSecrets(parsed.data, (value, path) => {
    const found = variable.safeParse(value);
    if (found.success) names.set(path.join("."), found.data.env);
    return value;
  });
  return names;
}

function referencesIn({ workflow, routing }: JsonObject): string[] {
  const routes = isObject(routing) && Array.isArray(routing.routes) ? routing.routes : [];
  const named = [workflow, ...routes.map((route) => (isObject(route) ? route.workflow : null))];
  return named.filter((name) => typeof name === "string");
}

/** A workflow is its settings between two lines of `---`, and its prompt below. */
function partsOf({ name }: Kind, written: string) {
  const text = written.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  if (name !== "workflow") return { source: text, prompt: null, firstLine: 0 };
  const [all = "", source = ""] = /^---\n([\s\S]*?\n)?---(?:\n|$)/.exec(text) ?? [];
  const prompt = text.slice(all.length).replace(/^\n/, "").replace(/\n$/, "");
  return { source, prompt: prompt === "" ? null : prompt, firstLine: all === "" ? 0 : 1 };
}

/** Returns where a path is in the text, or where what contains it begins. */
function offsetOf(node: unknown, [step, ...rest]: string[], known = 0): number {
  if (step === undefined) return known;
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => String(key) === step);
    const key = z.object({ range: z.tuple([z.number()]).rest(z.number()) }).safeParse(pair?.key);
    return pair === undefined ? known : offsetOf(pair.value, rest, key.data?.range[0] ?? known);
  }
  if (!isSeq(node)) return known;
  const item = node.items[Number(step)];
  const found = z.object({ range: z.tuple([z.number()]).rest(z.number()) }).safeParse(item);
  return item === undefined ? known : offsetOf(item, rest, found.data?.range[0] ?? known);
}

/** Returns the body of an item with the ids of the workflows that it names. */
export function bodyOf({ body }: Item, workflowIds: Map<string, string>): JsonObject {
  return withWorkflows(body, ["workflow", "workflowId"], workflowIds);
}

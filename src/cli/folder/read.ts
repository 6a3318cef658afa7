import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Document,
  isMap,
  isNode,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  YAMLParseError,
} from "yaml";
import * as z from "zod";
import { closed } from "../../contract/fields.ts";
import { type JsonObject, json, jsonObject } from "../../contract/json.ts";
import { externalId as externalIdRule } from "../../contract/revision.ts";
import { canonicalJson, isObject } from "../../lib/json-values.ts";
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
  /** The same with its defaults, and any workflow; undefined where something is wrong. */
  checked: unknown;
  /** The names of the workflows that it refers to. */
  workflows: string[];
  /** Returns a fault as a line that names the file, the line and what is wrong. */
  fault(path: string, message: string): string;
}

/** A workflow id of the right form, which no workflow has: the service checks the true one. */
export const ANY_WORKFLOW = `wf_${"0".repeat(20)}`;

/** A value that passes every rule for a secret. */
const ANY_SECRET = "https://any.example/secret";

/** Reads all files of a folder. Throws a `UsageError` with every fault, each with its file and line. */
export async function readFolder(folder: string, env: Record<string, string | undefined>) {
  const faults: string[] = [];
  const items: Item[] = [];
  // Another folder must not stand for one from which everything was removed.
  const names = await readdir(folder).catch((): string[] => []);
  const known = ["schemas", "prompthook.json", ...KINDS.map((kind) => kind.folder)];
  if (!names.some((name) => known.includes(name)))
    throw new UsageError(
      `${folder} is not a folder of workflows, endpoints, schedules or destinations. prompthook init ${folder} makes one.`,
    );
  // Passed over, its resources would be missing, and a prune would delete them.
  for (const kind of KINDS.filter((one) => names.includes(one.name)))
    faults.push(`${kind.name}: a folder of this name is not read. Call it ${kind.folder}.`);
  for (const kind of KINDS.filter((one) => names.includes(one.folder))) {
    for (const file of await filesOf(folder, kind)) {
      const path = join(folder, file);
      const text = await readFile(path, "utf8").catch(cannot("read", path));
      const item = itemOf(kind, file, text, env, faults);
      if (item === null) continue;
      const twin = items.find((one) => one.kind === kind && one.externalId === item.externalId);
      if (twin !== undefined) faults.push(item.fault("", `has the name of ${twin.file}.`));
      items.push(item);
    }
  }
  const named = items.flatMap((each) => (each.kind.name === "workflow" ? each.externalId : []));
  for (const item of items) {
    for (const name of item.workflows.filter((one) => !named.includes(one)))
      faults.push(item.fault("workflow", describeUnknown("workflow", name, named)));
  }
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
  return items;
}

/** Returns the files of a kind, by their paths in the folder. */
export async function filesOf(folder: string, kind: Kind): Promise<string[]> {
  const form = kind.name === "workflow" ? /^[^.].*\.md$/ : /^[^.].*\.(?:ya?ml|json)$/;
  const path = join(folder, kind.folder);
  const names = await readdir(path).catch(cannot("read", path));
  const found = names.filter((name) => form.test(name)).sort();
  return found.map((name) => `${kind.folder}/${name}`);
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
  const document = parsedYaml(source, lines);
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
  const isSecretUrl = given.format === "slack" || given.format === "teams";
  const body = withSecrets(settings, (value, path) => {
    if (path[0] === "url" && typeof value === "string" && !isSecretUrl) return value;
    const found = variable.safeParse(value);
    const known = found.success ? env[found.data.env] : undefined;
    if (known !== undefined || value === null) return known ?? null;
    const isMissing = found.success && `needs the variable ${found.data.env}, which is not set.`;
    const rule = 'must be {"env": "NAME"}: a secret is not kept in a file.';
    faults.push(fault(path.join("."), isMissing || rule));
    // Too many faults for one field help nobody.
    return ANY_SECRET;
  });
  const workflows = [...new Set(referencesIn(settings))];
  const anyOf = new Map(workflows.map((one) => [one, ANY_WORKFLOW]));
  const checked = kind.schema.safeParse(withWorkflows(body, ["workflow", "workflowId"], anyOf));
  for (const { path, message } of violationsOf(checked.error?.issues ?? []))
    faults.push(fault(path.replace(/workflowId$/, "workflow"), inFiles(message)));
  return { kind, externalId, file, settings, body, workflows, checked: checked.data, fault };
}

/** Returns what is wrong with a field of a body in the words of its file, whose fields are other ones. */
function inFiles(message: string): string {
  const said = message.replace("workflowId", "workflow");
  const [, name = "", all] = /^Unknown field `(.+?)`\..* Allowed: (.+)\.$/.exec(said) ?? [];
  const allowed = all?.split(", ").filter((each) => !NOT_IN_FILES.includes(each));
  return allowed === undefined ? said : describeUnknown("field", name, allowed);
}

/** Parses YAML. An alias without an anchor is one of its errors: else it would be thrown as it is read. */
function parsedYaml(source: string, lineCounter = new LineCounter()): Document.Parsed {
  const document = parseDocument(source, { lineCounter });
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return;
      const hint = `quote "*${alias.source}": it is no anchor of the file`;
      const start = startOf(alias) ?? 0;
      document.errors.push(new YAMLParseError([start, start], "BAD_ALIAS", hint));
    },
  });
  return document;
}

const variable = closed({ env: z.string() });

/** Returns the variables that a file names for its secrets, by where each secret is. */
export function variablesIn(kind: Kind, text: string): Map<string, string> {
  const names = new Map<string, string>();
  const document = parsedYaml(partsOf(kind, text).source);
  const parsed = jsonObject.safeParse(document.errors.length === 0 ? document.toJS() : null);
  if (!parsed.success) return names;
  withSecrets(parsed.data, (value, path) => {
    const found = variable.safeParse(value);
    if (found.success) names.set(path.join("."), found.data.env);
    return value;
  });
  return names;
}

/** Returns whether two texts of a file say the same, however they are written. */
export function saySame(kind: Kind, file: string, texts: readonly string[]): boolean {
  const meanings = texts.map((text) => {
    const item = itemOf(kind, file, text, {}, []);
    // A text with a fault is like no other.
    if (item?.checked === undefined) return text;
    return [item.workflows, item.checked, [...variablesIn(kind, text)]];
  });
  return new Set(meanings.map((meaning) => canonicalJson(json.parse(meaning)))).size === 1;
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
    return pair === undefined ? known : offsetOf(pair.value, rest, startOf(pair.key) ?? known);
  }
  const item = isSeq(node) ? node.items[Number(step)] : undefined;
  return item === undefined ? known : offsetOf(item, rest, startOf(item) ?? known);
}

const startOf = (node: unknown) => (isNode(node) ? node.range?.[0] : undefined);

/** Returns the body of an item with the ids of the workflows that it names. */
export function bodyOf({ body }: Item, workflowIds: Map<string, string>): JsonObject {
  return withWorkflows(body, ["workflow", "workflowId"], workflowIds);
}

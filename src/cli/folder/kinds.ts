import type * as z from "zod";
import type { Prompthook } from "../../client/prompthook.ts";
import type { NamedRecords } from "../../client/resource.ts";
import { createDestinationBody } from "../../contract/destinations.ts";
import { type Json, type JsonObject, jsonObject } from "../../contract/json.ts";
import type { IdentityBody, StoredIdentity } from "../../contract/revision.ts";
import { createScheduleBody } from "../../contract/schedule.ts";
import { createEndpointBody } from "../../contract/webhooks/endpoint.ts";
import { createWorkflowBody } from "../../contract/workflow.ts";
import { canonicalJson, isObject, mapMembers } from "../../lib/json-values.ts";

/** A resource as the service shows it. */
export interface Shown extends StoredIdentity {
  name: string | null;
  revision: number;
}

type Resource = Pick<
  NamedRecords<string, Shown, object, IdentityBody>,
  "all" | "put" | "update" | "deleteNamed"
>;

/** A kind of resource that is kept in files. */
export interface Kind {
  name: "workflow" | "endpoint" | "schedule" | "destination";
  folder: string;
  schema: z.ZodObject;
  of(client: Prompthook): Resource;
}

const kind = (name: Kind["name"], schema: z.ZodObject, of: Kind["of"]): Kind => ({
  name,
  folder: `${name}s`,
  schema,
  of,
});

/** The kinds in the order in which they refer to each other. */
export const KINDS: readonly Kind[] = [
  kind("workflow", createWorkflowBody, (client) => client.workflows),
  kind("endpoint", createEndpointBody, (client) => client.webhooks),
  kind("schedule", createScheduleBody, (client) => client.schedules),
  kind("destination", createDestinationBody, (client) => client.destinations),
];

/** What a body has that no file says: the file's name says it, or the command. */
export const NOT_IN_FILES = ["externalId", "managedBy"];

/** Where settings have write-only values; the address of Slack or Teams is one, another is in the file. */
const SECRETS = [
  "callbackSecret",
  "auth.token.secret",
  "auth.hmac.secret",
  "auth.headers.*.value",
  "secret",
  "headers.*",
  "url",
].map((path) => path.split("."));

/** The id of a record: `workflowId`, `endpointId`, `scheduleId`. */
export function idOf({ name }: Kind, record: Shown): string {
  return String(jsonObject.parse(record)[`${name}Id`]);
}

/**
 * Returns the settings of a record as a file has them: those that differ from the defaults, in the order of
 * the schema, with the names of workflows and of the variables of secrets.
 */
export function settingsOf(kind: Kind, record: Shown, workflows: Map<string, string>): JsonObject {
  const shown = asGiven(kind, jsonObject.parse(record));
  const kept = Object.entries(kind.schema.shape).flatMap(([name, field]) => {
    const value = shown[name] ?? null;
    const fallback = field.safeParse(undefined);
    const usual = fallback.success ? (fallback.data ?? null) : null;
    const isUsual =
      canonicalJson(value) === canonicalJson(jsonObject.parse({ usual }).usual ?? null);
    return isUsual || NOT_IN_FILES.includes(name) ? [] : [[name, value] as const];
  });
  const settings = withSecrets(Object.fromEntries(kept), (value, path) => {
    if (!isObject(value)) return value;
    const words = [kind.name, record.externalId ?? "", ...path].join("_").toUpperCase();
    return { env: words.replace(/[^A-Z0-9]+/g, "_") };
  });
  return withWorkflows(settings, ["workflowId", "workflow"], workflows);
}

/** Returns a record with write-only values where a body has them, and without what a body leaves out. */
function asGiven({ name }: Kind, record: JsonObject): JsonObject {
  const { headers, inputs, url } = record;
  if (name === "workflow" && Array.isArray(inputs) && inputs.length === 0)
    return { ...record, inputs: null };
  if (name !== "destination" || !Array.isArray(headers)) return record;
  const named = headers.flatMap((each) =>
    isObject(each) ? [[String(each.name), each] as const] : [],
  );
  // So ends an address whose end is a secret.
  const isMasked = typeof url === "string" && url.endsWith("…");
  return {
    ...record,
    headers: Object.fromEntries(named),
    ...(isMasked && { url: { set: true } }),
  };
}

/** Returns settings with their secrets replaced; `path` is where each is. */
export function withSecrets(settings: JsonObject, replaced: (value: Json, path: string[]) => Json) {
  const all = SECRETS.reduce<Json>((value, steps) => replaceAt(value, steps, replaced), settings);
  return jsonObject.parse(all);
}

function replaceAt(
  value: Json,
  [step, ...rest]: string[],
  replaced: (value: Json, path: string[]) => Json,
  path: string[] = [],
): Json {
  if (step === undefined) return replaced(value, path);
  if (Array.isArray(value))
    return value.map((each, at) => replaceAt(each, rest, replaced, [...path, String(at)]));
  if (step === "*" && isObject(value))
    return mapMembers(value, (each, name) => replaceAt(each, rest, replaced, [...path, name]));
  const found = isObject(value) ? value[step] : undefined;
  if (!isObject(value) || found === undefined) return value;
  return { ...value, [step]: replaceAt(found, rest, replaced, [...path, step]) };
}

/** Returns settings whose references to workflows, those of routes included, have another name and value. */
export function withWorkflows(
  settings: JsonObject,
  [from, to]: [from: string, to: string],
  values: Map<string, string>,
): JsonObject {
  const renamed = (value: Json): Json =>
    !isObject(value)
      ? value
      : Object.fromEntries(
          Object.entries(value).map(([name, member]) => {
            const known = name === from ? values.get(String(member)) : undefined;
            return known === undefined ? [name, member] : [to, known];
          }),
        );
  const routes = isObject(settings.routing) ? settings.routing.routes : undefined;
  const routing = Array.isArray(routes) && { routing: { routes: routes.map(renamed) } };
  return jsonObject.parse(renamed({ ...settings, ...routing }));
}

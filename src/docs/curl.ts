import { prettyJson } from "./json.ts";
import type { ReferenceOperation } from "./reference.ts";

/** How each way of being let in is written in a header; the value is a variable of the shell. */
const CREDENTIALS: Record<string, string> = {
  apiKey: "Authorization: Bearer $PROMPTHOOK_API_KEY",
  adminToken: "Authorization: Bearer $ADMIN_TOKEN",
  webhookToken: "X-Webhook-Token: $WEBHOOK_TOKEN",
};

/** What a command is made for. */
export interface CurlTarget {
  /** Where the reader has the service from, such as `https://prompthook.example`. */
  origin: string;
  /** Names of fields whose values are ids: in a body they are variables, as they are in paths. */
  idNames: ReadonlySet<string>;
}

/** The command that runs an operation's example, for a POSIX shell. */
export function curlOf(operation: ReferenceOperation, target: CurlTarget): string {
  const { method, body, security, answers } = operation;
  const example = body?.contents[0]?.example;
  const impliedMethod = example === undefined ? "GET" : "POST";
  const flags = flagsFor(answers[0]?.contents[0]?.mediaType);
  const [scheme] = Object.keys(security[0] ?? {});
  const credential = CREDENTIALS[scheme ?? ""];
  const head = ["curl", ...(method === impliedMethod ? [] : ["-X", method]), ...flags];
  return [
    [...head, inDoubleQuotes(urlOf(operation, target.origin))].join(" "),
    ...(credential === undefined ? [] : [`-H "${credential}"`]),
    ...(example === undefined ? [] : ['-H "Content-Type: application/json"']),
    ...(example === undefined ? [] : [`-d ${inSingleQuotes(example, target.idNames)}`]),
  ].join(" \\\n  ");
}

/** `executionId` as the variable `EXECUTION_ID`. */
export function variableOf(name: string): string {
  return name.replace(/[A-Z]/g, "_$&").toUpperCase();
}

function flagsFor(mediaType: string | undefined): string[] {
  if (mediaType === "text/event-stream") return ["-N"];
  if (mediaType === "application/octet-stream") return ["-OJ"];
  return [];
}

/** The address, with variables of the shell where the path has parameters. */
function urlOf({ path, parameters }: ReferenceOperation, origin: string): string[] {
  const query = parameters
    .filter((each) => each.in === "query" && each.example !== undefined)
    .map(({ name, example }) => `${name}=${encodeURIComponent(`${example}`)}`)
    .join("&");
  const whole = `${origin}${path}${query === "" ? "" : `?${query}`}`;
  return whole.split(/(\{\w+\})/);
}

function inDoubleQuotes(parts: string[]): string {
  const written = parts.map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    return name === undefined ? part.replace(/["$`\\]/g, "\\$&") : `$${variableOf(name)}`;
  });
  return `"${written.join("")}"`;
}

/** JSON in single quotes, which are left for a variable where an id stands. */
function inSingleQuotes(example: unknown, idNames: ReadonlySet<string>): string {
  const json = prettyJson(example).replaceAll("'", "'\\''");
  const withIds = json.replace(/"(\w+)": "[^"\\]*"/g, (member, name: string) =>
    idNames.has(name) ? `"${name}": "'"$${variableOf(name)}"'"` : member,
  );
  return `'${withIds}'`;
}

/** The names of the parameters of paths, which are ids. */
export function idNamesIn(operations: readonly ReferenceOperation[]): Set<string> {
  const parameters = operations.flatMap((each) => each.parameters);
  return new Set(parameters.filter((each) => each.in === "path").map(({ name }) => name));
}

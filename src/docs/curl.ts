import type { Callback, ReferenceOperation } from "./reference.ts";

/** The header of each security scheme, with its value as a shell variable. */
const CREDENTIALS: Record<string, string> = {
  apiKey: "Authorization: Bearer $PROMPTHOOK_API_KEY",
  adminToken: "Authorization: Bearer $ADMIN_TOKEN",
  webhookToken: "X-Webhook-Token: $WEBHOOK_TOKEN",
};

/** The reader for whom commands are written. */
export interface CurlTarget {
  /** The origin of the service, such as `https://prompthook.example`. */
  origin: string;
  /** The names of fields whose values are ids. They are shell variables in bodies, as in paths. */
  idNames: ReadonlySet<string>;
}

/** Returns the command that runs an operation's example in a POSIX shell. */
export function curlOf(operation: ReferenceOperation, target: CurlTarget): string {
  const { method, body, security, responses } = operation;
  const example = body?.contents[0]?.example;
  const impliedMethod = example === undefined ? "GET" : "POST";
  const flags = flagsFor(responses[0]?.contents[0]?.mediaType);
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

/** Returns `EXECUTION_ID` for `executionId`. */
export function variableOf(name: string): string {
  return name.replace(/[A-Z]/g, "_$&").toUpperCase();
}

function flagsFor(mediaType: string | undefined): string[] {
  if (mediaType === "text/event-stream") return ["-N"];
  if (mediaType === "application/octet-stream") return ["-OJ"];
  return [];
}

/** Returns the address in parts, with the parameters of the path as parts of their own. */
function urlOf(operation: ReferenceOperation, origin: string): string[] {
  return `${origin}${operation.path}${exampleQuery(operation)}`.split(/(\{\w+\})/);
}

/** Returns the parameters of the query that have an example, as in an address; `""` for none. */
export function exampleQuery({ parameters }: ReferenceOperation): string {
  const query = parameters
    .filter((each) => each.in === "query" && each.example !== undefined)
    .map(({ name, example }) => `${name}=${encodeURIComponent(`${example}`)}`)
    .join("&");
  return query === "" ? "" : `?${query}`;
}

function inDoubleQuotes(parts: string[]): string {
  const written = parts.map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    return name === undefined ? part.replace(/["$`\\]/g, "\\$&") : `$${variableOf(name)}`;
  });
  return `"${written.join("")}"`;
}

/** Returns JSON in single quotes, which are interrupted by a variable for each id. */
function inSingleQuotes(example: unknown, idNames: ReadonlySet<string>): string {
  const json = prettyJson(example).replaceAll("'", "'\\''");
  const withIds = json.replace(/"(\w+)": "[^"\\]*"/g, (member, name: string) =>
    idNames.has(name) ? `"${name}": "'"$${variableOf(name)}"'"` : member,
  );
  return `'${withIds}'`;
}

/** Returns the names of path parameters, which are ids. */
export function idNamesIn(operations: readonly ReferenceOperation[]): Set<string> {
  const parameters = operations.flatMap((each) => each.parameters);
  return new Set(parameters.filter((each) => each.in === "path").map(({ name }) => name));
}

/** The context in which guides are written. */
export interface GuideContext {
  target: CurlTarget;
  callbacks: readonly Callback[];
  /** Returns the operation of this id. Throws if there is none. */
  operation(id: string): ReferenceOperation;
}

/** Returns the operation with another example of its body. */
export function withExample(operation: ReferenceOperation, example: object): ReferenceOperation {
  const contents = (operation.body?.contents ?? []).map((each) => ({ ...each, example }));
  return { ...operation, body: { required: true, contents } };
}

const WIDTH = 64;

/** Formats JSON for readers: short values on one line, all others indented. */
export function prettyJson(value: unknown, indent = ""): string {
  const line = onOneLine(value);
  if (indent.length + line.length <= WIDTH) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return indented(
      "[",
      value.map((item) => prettyJson(item, inner)),
      "]",
      indent,
    );
  }
  if (typeof value !== "object" || value === null) return line;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${prettyJson(member, inner)}`,
  );
  return indented("{", members, "}", indent);
}

function indented(open: string, parts: string[], close: string, indent: string): string {
  return `${open}\n${parts.map((part) => `${indent}  ${part}`).join(",\n")}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${onOneLine(member)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

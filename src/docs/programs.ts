import { exampleQuery } from "./curl.ts";
import type { ReferenceOperation } from "./reference.ts";

/** The environment variable that holds the token of each security scheme. */
const TOKENS: Record<string, string> = { apiKey: "PROMPTHOOK_API_KEY", adminToken: "ADMIN_TOKEN" };
/** What the Python client leaves out: operators and senders use no client. */
const WITHOUT_METHOD = new Set(["Operators", "Service"]);

/** Whether the Python client has a method for an operation. */
export function hasPythonMethod({ tag, path }: ReferenceOperation): boolean {
  return !WITHOUT_METHOD.has(tag) && path.startsWith("/api/");
}

/** Returns the Python name of an operation, a parameter or an argument: `waitSeconds` is `wait_seconds`. */
export function pythonName(name: string): string {
  const text = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll("-", "_");
  return text === "in" || text === "from" ? `${text}_` : text;
}

/** Returns the TypeScript that runs an operation's example with `fetch`; `origin` is the service's. */
export function typescriptOf(operation: ReferenceOperation, origin: string): string {
  const { method, path, body, security, responses } = operation;
  const example = body?.contents[0]?.example;
  const token = TOKENS[Object.keys(security[0] ?? {})[0] ?? ""];
  const url = origin + path.replaceAll("{", "${") + exampleQuery(operation);
  const headers = [
    ...(token === undefined ? [] : [`Authorization: \`Bearer \${process.env.${token}}\``]),
    ...(example === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(", ")} }`]),
    ...(example === undefined ? [] : [`body: JSON.stringify(${pretty(example, "  ")})`]),
  ];
  const lines = options.map((option) => `  ${option},\n`).join("");
  const call = `const response = await fetch(\`${url}\`${lines === "" ? "" : `, {\n${lines}}`});`;
  return isJson(responses) ? `${call}\nconsole.log(await response.json());` : call;
}

/** Returns the Python that runs an operation's example with the client, or null where it has no method. */
export function pythonOf(operation: ReferenceOperation, origin: string): string | null {
  if (!hasPythonMethod(operation)) return null;
  const { id, path, body, parameters, responses } = operation;
  const example = body?.contents[0]?.example;
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => pythonName(name));
  const query = parameters
    .filter((each) => each.in === "query" && each.example !== undefined)
    .map(({ name, example }) => `${pythonName(name)}=${python(example, "")}`);
  const values = [...ids, ...(example === undefined ? [] : [python(example, "")]), ...query];
  const call = `prompthook.${pythonName(id)}(${values.join(", ")})`;
  return `import os
from prompthook import Prompthook

prompthook = Prompthook("${origin}", os.environ["PROMPTHOOK_API_KEY"])
${isJson(responses) ? `print(${call})` : call}`;
}

function isJson(responses: ReferenceOperation["responses"]): boolean {
  return responses[0]?.contents[0]?.mediaType === "application/json";
}

function pretty(value: unknown, indent: string): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`);
}

/** Writes JSON as Python; its texts are the same in both. */
function python(value: unknown, indent: string): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => python(item, inner))
    : Object.entries(value).map(([name, item]) => `"${name}": ${python(item, inner)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  const line = `${open}${parts.join(", ")}${close}`;
  if (line.length <= WIDTH && !line.includes("\n")) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}

const WIDTH = 70;

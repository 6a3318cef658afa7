import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import * as z from "zod";
import { type Json, type JsonObject, jsonObject } from "../../contract/json.ts";
import { isObject, mapMembers } from "../../lib/json-values.ts";
import { cannot } from "../files.ts";
import { KINDS, type Kind, NOT_IN_FILES } from "./kinds.ts";

/** Returns the text of a file with these settings: the same for the same settings. */
export function textOf(kind: Kind, file: string, settings: JsonObject): string {
  const $schema = `../schemas/${kind.name}.json`;
  if (file.endsWith(".json")) return `${JSON.stringify({ $schema, ...settings }, null, 2)}\n`;
  const { prompt, ...others } = settings;
  // A file has one form of line breaks.
  const isBelow = typeof prompt === "string" && !prompt.includes("\r");
  const yaml = stringify(isBelow ? others : settings, { lineWidth: 0 });
  const head = `# yaml-language-server: $schema=${$schema}\n${yaml}`;
  return kind.name === "workflow" ? `---\n${head}---\n\n${isBelow ? `${prompt}\n` : ""}` : head;
}

/** Writes a file of the folder unless it says that already. Returns whether it was written. */
export async function writeIn(folder: string, file: string, text: string): Promise<boolean> {
  const path = join(folder, file);
  if ((await readFile(path, "utf8").catch(() => null)) === text) return false;
  await mkdir(dirname(path), { recursive: true }).catch(cannot("write", path));
  await writeFile(path, text).catch(cannot("write", path));
  return true;
}

/** Writes the schemas that editors check the files with. */
export async function writeSchemas(folder: string): Promise<void> {
  for (const kind of KINDS) {
    const named = z.strictObject(kind.schema.shape);
    const body = z.toJSONSchema(named, { io: "input", unrepresentable: "any" });
    const schema = asInFiles(jsonObject.parse(body));
    // The line at the top of a JSON file is a field, and the prompt of a workflow is below its fields.
    const properties = { $schema: { type: "string" }, ...jsonObject.parse(schema.properties) };
    const all = z.array(z.string()).parse(schema.required);
    const required = all.filter((name) => name !== "prompt");
    const text = JSON.stringify({ ...schema, properties, required }, null, 2);
    await writeIn(folder, `schemas/${kind.name}.json`, `${text}\n`);
  }
}

const SECRET_NAMES = ["callbackSecret", "secret"];
const ENV: Json = {
  type: "object",
  properties: { env: { type: "string", description: "The variable that has the value." } },
  required: ["env"],
  additionalProperties: false,
};

/** Returns a JSON Schema of a body as that of a file: names for ids, and variables for secrets. */
function asInFiles(schema: JsonObject): JsonObject {
  return mapMembers(schema, (value, name): Json => {
    if (Array.isArray(value)) {
      const renamed = value.map((each) => (each === "workflowId" ? "workflow" : each));
      return renamed.map((each) => (isObject(each) ? asInFiles(each) : each));
    }
    if (!isObject(value)) return value;
    return name === "properties" ? propertiesOf(value) : asInFiles(value);
  });
}

function propertiesOf(properties: JsonObject): JsonObject {
  const isHeader = "name" in properties && Object.keys(properties).length === 2;
  const named = Object.entries(properties).flatMap(([name, value]): [string, Json][] => {
    if (NOT_IN_FILES.includes(name)) return [];
    if (name === "workflowId")
      return [["workflow", { type: ["string", "null"], description: "The name of its file." }]];
    if (name === "headers" && isObject(value) && "additionalProperties" in value)
      return [[name, { ...value, additionalProperties: ENV }]];
    if (name === "url" && "format" in properties) return [[name, { anyOf: [value, ENV] }]];
    const isSecret = SECRET_NAMES.includes(name) || (isHeader && name === "value");
    return [[name, isSecret ? ENV : isObject(value) ? asInFiles(value) : value]];
  });
  return Object.fromEntries(named);
}

/** The files of `init`: they work on a local start, whose built-in model takes commands. */
export const EXAMPLE: Record<string, string> = {
  "workflows/count-lines.md": `---
# yaml-language-server: $schema=../schemas/workflow.json
name: Count the lines of an order
inputs:
  - name: lines
    type: array
    required: true
maxCredits: 20
---

Count rows from {{lines}}.
`,
  "endpoints/orders.yaml": `# yaml-language-server: $schema=../schemas/endpoint.json
name: Orders of the shop
workflow: count-lines
validation:
  required: [lines]
`,
  "schedules/weekday-report.yaml": `# yaml-language-server: $schema=../schemas/schedule.json
name: Every weekday morning
workflow: count-lines
inputs:
  lines: [{ sku: A-1 }, { sku: B-2 }]
cron: 30 7 * * 1-5
timeZone: Europe/Berlin
`,
  "prompthook.json": `{
  "profiles": {
    "local": { "url": "http://127.0.0.1:8787", "apiKey": { "env": "PROMPTHOOK_API_KEY" } },
    "live": { "url": "https://prompthook.example.com", "apiKey": { "env": "PROMPTHOOK_LIVE_KEY" } }
  }
}
`,
  "ci.example.yml": `# For GitHub: .github/workflows/prompthook.yml
on:
  pull_request:
  push: { branches: [main] }
jobs:
  prompthook:
    runs-on: ubuntu-latest
    env: { PROMPTHOOK_LIVE_KEY: "\${{ secrets.PROMPTHOOK_LIVE_KEY }}" }
    steps:
      - uses: actions/checkout@v4
      - if: github.event_name == 'pull_request'
        run: npx prompthook apply prompthook --profile live --dry-run >> $GITHUB_STEP_SUMMARY || test $? = 3
      - if: github.event_name == 'push'
        run: npx prompthook apply prompthook --profile live --yes --commit $GITHUB_SHA
`,
};

import { json } from "../../contract/json.ts";
import { counted } from "../../lib/text.ts";
import { calling, clientOf } from "../command.ts";
import { UsageError } from "../errors.ts";
import { readInput } from "../files.ts";
import { DEFAULT_PROFILE, logins, storeLogin } from "../profiles.ts";
import { plain } from "../terminal.ts";

export const credits = calling({
  name: "credits",
  summary: "Show the credit balance",
  ask: (call) => call.client.credits(call),
  text: ({ availableCredits, reservedCredits, consumedCredits }) =>
    `${counted(availableCredits, "credit")} available, ${reservedCredits} held, ${consumedCredits} used`,
});

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export const api = calling({
  name: "api",
  summary: "Call a route of the API and print its response",
  args: ["path"],
  options: {
    method: { short: "X", value: "METHOD", help: "default: GET, or POST with --data" },
    data: { value: "FILE", help: "JSON body; - reads standard input" },
  },
  notes: `Every route of the API reference (/docs) can be called, such as
  prompthook api /members
  prompthook api "/audit?action=workflow.updated"
  prompthook api -X DELETE /members/mem_...`,
  async ask(call, path) {
    const { client, values, signal } = call;
    const body = await call.json("data", json);
    const method = values.oneOf("method", METHODS) ?? (body === undefined ? "GET" : "POST");
    const request = { method, path: path.replace(/^\/?/, "/"), body, signal };
    const response = await client.request(request);
    const text = await response.text();
    if (text === "") return null;
    const isJson = response.headers.get("Content-Type")?.includes("json");
    return isJson ? json.parse(JSON.parse(text)) : text;
  },
  text(reply) {
    if (reply === null) return "Done.";
    return plain(typeof reply === "string" ? reply : JSON.stringify(reply, null, 2));
  },
});

export const login = calling({
  name: "login",
  summary: "Store an API key for the commands that follow, after checking it",
  notes: `Reads the key from standard input unless --api-key names it. Commands use the profile "${DEFAULT_PROFILE}", or the
one that --profile or PROMPTHOOK_PROFILE names.`,
  async ask(call) {
    const { values, output, signal } = call;
    const { env } = output.terminal;
    const profile = values.text("profile") ?? env.PROMPTHOOK_PROFILE ?? DEFAULT_PROFILE;
    const baseUrl = values.text("url") ?? env.PROMPTHOOK_URL ?? logins(env)[profile]?.url ?? "";
    if (baseUrl === "") throw new UsageError("No service URL. Set PROMPTHOOK_URL or pass --url.");
    const asked = () =>
      output.terminal.stdout.isTTY ? output.ask("API key:", true) : readInput("-", output.terminal);
    const apiKey = values.text("api-key") ?? (await asked()).trim();
    const { accountId, name } = await clientOf({ baseUrl, apiKey }).account({ signal });
    const file = storeLogin(env, profile, { baseUrl, apiKey });
    return { profile, url: baseUrl, accountId, name, file };
  },
  text: ({ profile, name, file }) =>
    `Signed in to ${plain(name)}. The profile "${profile}" is in ${file}.`,
});

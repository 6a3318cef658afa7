import { createInterface } from "node:readline/promises";
import { type Call, calling, clientOf } from "../command.ts";
import { UsageError } from "../errors.ts";
import { readInput } from "../files.ts";
import { DEFAULT_PROFILE, logins, storeLogin } from "../profiles.ts";
import { plain } from "../text.ts";

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
    const apiKey = values.text("api-key") ?? (await askedKey(call));
    const { accountId, name } = await clientOf({ baseUrl, apiKey }).account({ signal });
    const file = storeLogin(env, profile, { baseUrl, apiKey });
    return { profile, url: baseUrl, accountId, name, file };
  },
  text: ({ profile, name, file }) =>
    `Signed in to ${plain(name)}. The profile "${profile}" is in ${file}.`,
});

/** Reads the key without showing it: a terminal echoes what `input` reads only to an `output`. */
async function askedKey({ output }: Call): Promise<string> {
  const { stdin, stdout } = output.terminal;
  if (stdout.isTTY !== true) return (await readInput("-", output.terminal)).trim();
  output.note("API key:");
  const reader = createInterface({ input: stdin, terminal: true });
  const key = await reader.question("");
  reader.close();
  return key.trim();
}

import { dirname, join } from "node:path";
import * as z from "zod";
import { parseSettings } from "../../src/env.ts";
import { toBase64Url } from "../../src/lib/encoding.ts";
import { makePrivateDirectory, readFileIfAny, writePrivateFile } from "../local/private-file.ts";
import { UserError } from "../local/project.ts";
import type { Deployed } from "./cloudflare.ts";
import type { DeployedConfig } from "./config.ts";
import { type Report, shown } from "./progress.ts";

const secretsFile = z.object({
  v: z.literal(1),
  ADMIN_TOKEN: z.string().optional(),
  ENCRYPTION_KEY: z.string().optional(),
  ID_KEY: z.string().optional(),
  /** The first account; its key is null while it is being opened. */
  account: z.object({ name: z.string(), apiKey: z.string().nullable() }).optional(),
});

/** The secrets of a deployment that the operator keeps: Cloudflare never shows one again. */
export type SecretsFile = z.infer<typeof secretsFile>;

/** The secrets that the service needs; wrangler.toml requires the same. */
export const SECRETS = ["ADMIN_TOKEN", "ENCRYPTION_KEY", "ID_KEY"] as const;
type SecretName = (typeof SECRETS)[number];

/** Returns the path of the secrets file: beside the configuration, in a directory that git ignores. */
export function secretsPath({ path, name }: Pick<DeployedConfig, "path" | "name">): string {
  return join(dirname(path), ".secrets", `${name}.json`);
}

/** Reads the secrets file; empty before the first deployment from this checkout. */
export async function readSecrets(file: string): Promise<SecretsFile> {
  const text = await readFileIfAny(file);
  if (text === null) return { v: 1 };
  const parsed = secretsFile.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  // It may hold the only copy of the encryption key.
  throw new UserError(`${shown(file)} is damaged. Repair it, or move it away if you are sure.`);
}

/** Stores it, readable by its owner only. */
export async function writeSecrets(file: string, record: SecretsFile): Promise<void> {
  await makePrivateDirectory(dirname(file));
  await writePrivateFile(file, `${JSON.stringify(record, null, 2)}\n`);
}

/** Returns the record with a value for each of these secrets: its own, or a new one of 32 random bytes. */
export function withSecrets(record: SecretsFile, names: readonly SecretName[]): SecretsFile {
  const made = names
    .filter((name) => record[name] === undefined)
    .map((name) => [name, toBase64Url(crypto.getRandomValues(new Uint8Array(32)))]);
  return { ...record, ...Object.fromEntries(made) };
}

/**
 * Whether this checkout is deleted after the build, as at Workers Builds and other CI: no key may exist there
 * alone, and whoever reads the build's log is not always the operator.
 */
export function isThrownAway({ CI, WORKERS_CI }: NodeJS.ProcessEnv): boolean {
  return [CI, WORKERS_CI].some((value) => value !== undefined && value !== "" && value !== "false");
}

/**
 * Returns the secrets that the Worker lacks, after storing them: what they seal is lost without them. Throws
 * `UserError` where they would have to be generated in a checkout that is thrown away.
 */
export async function prepareSecrets(
  config: Pick<DeployedConfig, "path" | "name">,
  deployed: Deployed,
  { report, environment }: { report: Report; environment: NodeJS.ProcessEnv },
): Promise<{ stored: SecretsFile; missing: Record<string, string> }> {
  const path = secretsPath(config);
  const names = missingSecrets(deployed);
  const known = { ...givenIn(environment, names), ...(await readSecrets(path)) };
  const unknown = names.filter((name) => known[name] === undefined);
  if (unknown.length > 0 && isThrownAway(environment)) throw new UserError(ofYourOwn(unknown));
  const stored = withSecrets(known, names);
  checkToken(stored, path);
  const missing = Object.fromEntries(names.map((name) => [name, stored[name] ?? ""]));
  if (names.length === 0) report("Secrets", `${inWords(SECRETS)} are set`);
  else if (isThrownAway(environment)) report("Secrets", `${inWords(names)} will be set`);
  else {
    await writeSecrets(path, stored);
    report("Secrets", `${inWords(names)} will be set, and are stored in ${shown(path)}`);
    report(
      "",
      "Copy that file to a safe place. Without it, sealed secrets, API keys and endpoint URLs are lost.",
    );
  }
  return { stored, missing };
}

/** Returns the record of the secrets among the environment's variables. */
function givenIn(environment: NodeJS.ProcessEnv, names: readonly SecretName[]): SecretsFile {
  const given = names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : []));
  return { v: 1, ...Object.fromEntries(given) };
}

function ofYourOwn(names: readonly string[]): string {
  return `The Worker lacks ${inWords(names)}, and this build generates none: it keeps no file in which you would find them again. Set each to the output of \`openssl rand -base64 32\`, as a secret of the Worker or a variable of the build, keep a copy, and build again.`;
}

/** The service would refuse every request: an earlier version took a shorter token. */
function checkToken({ ADMIN_TOKEN = "" }: SecretsFile, path: string): void {
  try {
    parseSettings({ ADMIN_TOKEN });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const advice = `Set it with npx wrangler secret put ADMIN_TOKEN and in ${shown(path)}, then deploy again.`;
    throw new UserError(`${reason}\n${advice}`);
  }
}

/** Returns the names of the secrets that the Worker lacks. */
export function missingSecrets({ secrets }: Deployed): SecretName[] {
  return SECRETS.filter((name) => !secrets?.includes(name));
}

/** Joins names as a sentence does. */
export function inWords(names: readonly string[]): string {
  return new Intl.ListFormat("en").format(names);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

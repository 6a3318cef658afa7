import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { makePrivateDirectory, writePrivateFile } from "../local/private-file.ts";
import { UserError } from "../local/project.ts";
import { buildSite, SITE } from "../site/build.ts";
import { fetchWithin } from "../smoke/http.ts";
import type { DeployedConfig } from "./config.ts";
import { type Report, shown } from "./progress.ts";
import { secretsPath } from "./secrets.ts";
import { printed, type Wrangler } from "./wrangler.ts";

/** Busy objects would keep their code for up to five minutes. */
const AT_ONCE = ["--durable-objects-code-update-mode", "immediate"];

const entry = z.object({ type: z.string(), targets: z.array(z.string()).default([]) });

/**
 * Deploys the code and the documentation of this checkout with the missing secrets in the same version, so
 * that no version runs without them. Wrangler creates the queues that do not exist. Returns the addresses
 * that it reports.
 */
export async function publish(
  wrangler: Wrangler,
  config: Pick<DeployedConfig, "path" | "name">,
  { secrets, now }: { secrets: Record<string, string>; now: boolean },
): Promise<string[]> {
  // Not on the command line, which every user of the machine can read, nor among temporary files.
  const upload = `${secretsPath(config)}.upload`;
  const directory = await mkdtemp(join(tmpdir(), "prompthook-deploy-"));
  const output = join(directory, "output.ndjson");
  const args = ["deploy", ...(now ? AT_ONCE : [])];
  await buildSite(SITE);
  try {
    if (Object.keys(secrets).length > 0) {
      await makePrivateDirectory(dirname(upload));
      await writePrivateFile(upload, JSON.stringify(secrets));
      args.push(`--secrets-file=${upload}`);
    }
    await printed(wrangler, args, { WRANGLER_OUTPUT_FILE_PATH: output });
    return targetsIn(await readFile(output, "utf8"));
  } finally {
    await rm(upload, { force: true });
    await rm(directory, { recursive: true, force: true });
  }
}

/** Returns the targets in wrangler's output file, one JSON document a line. */
function targetsIn(output: string): string[] {
  const entries = output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => entry.parse(JSON.parse(line)));
  return entries.find(({ type }) => type === "deploy")?.targets ?? [];
}

/** Returns the service's address: its first custom domain, or else the one on workers.dev. Throws `UserError` for neither. */
export function addressOf(
  { path }: Pick<DeployedConfig, "path">,
  domains: readonly string[],
  targets: readonly string[],
): string {
  const [domain] = domains;
  if (domain !== undefined) return `https://${domain}`;
  const address = targets.find((target) => target.startsWith("https://"));
  if (address !== undefined) return new URL(address).origin;
  throw new UserError(
    `The Worker is deployed, but ${shown(path)} does not state its address. Run this again with --url https://<its address>.`,
  );
}

/** A new name on workers.dev, or a new custom domain, takes a while to spread. */
const PATIENCE_MS = 180_000;
const POLL_MS = 1_000;

/** Waits until the service answers at its address. Throws `UserError` when it does not. */
export async function untilReady(
  url: string,
  report: Report,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (let tries = 1; ; tries += 1) {
    const answer = await healthOf(url);
    if (answer === "ok") return;
    if (tries === 1) report("Waiting", "a new address takes a minute or two to spread");
    if (Date.now() > deadline) {
      throw new UserError(
        `${url}/healthz failed: ${answer}. npx wrangler tail shows the service's log.`,
      );
    }
    await sleep(POLL_MS);
  }
}

async function healthOf(url: string): Promise<string> {
  try {
    const response = await fetchWithin(new Request(`${url}/healthz`));
    const text = await response.text();
    return response.ok ? "ok" : `${response.status} ${text.slice(0, 200)}`;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
}

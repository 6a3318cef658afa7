import * as z from "zod";
import { UserError } from "../local/project.ts";
import type { Answer, CloudflareApi } from "./api.ts";
import type { DeployedConfig } from "./config.ts";
import { describeRefusal } from "./refusals.ts";

const attachments = z.array(z.object({ hostname: z.string(), service: z.string() }));
const changes = z.object({ conflicting: z.array(z.object({ hostname: z.string() })) });

type Wanted = Pick<DeployedConfig, "name" | "domains">;

/** Returns the custom domains that the Worker has. */
export async function attachedDomains(api: CloudflareApi, name: string): Promise<string[]> {
  const found = await attachmentsIn(api);
  return found.filter(({ service }) => service === name).map(({ hostname }) => hostname);
}

/**
 * Throws `UserError` if a domain of the configuration belongs to something else: to another Worker, or, once
 * this Worker exists, to DNS records of its zone. Wrangler takes them over without a question where nobody
 * could answer it.
 */
export async function checkDomains(
  api: CloudflareApi,
  { name, domains }: Wanted,
  { exists }: { exists: boolean },
): Promise<void> {
  if (domains.length === 0) return;
  const taken = (await attachmentsIn(api))
    .filter(({ service }) => service !== name)
    .filter(({ hostname }) => domains.some((domain) => domain.hostname === hostname))
    .map(({ hostname, service }) => `  ${hostname} leads to the Worker "${service}"`);
  const records = exists ? await conflictingRecords(api, { name, domains }) : [];
  const conflicts = [
    ...taken,
    ...records.map((hostname) => `  ${hostname} has DNS records of its own`),
  ];
  if (conflicts.length === 0) return;
  throw new UserError(
    `Domains are in use:\n${conflicts.join("\n")}\nChoose others, or run this again with --take-over to replace what is there.`,
  );
}

/** Gives the Worker its domains, and takes none over that `takeOver` does not allow. */
export async function attachDomains(
  api: CloudflareApi,
  { name, domains }: Wanted,
  takeOver: boolean,
): Promise<void> {
  if (domains.length === 0) return;
  const answer = await api("PUT", `/workers/scripts/${name}/domains/records`, {
    override_scope: true,
    override_existing_origin: takeOver,
    override_existing_dns_record: takeOver,
    origins: domains,
  });
  resultOf(answer, "the domains");
}

/** Returns the configuration with all names of the service, which no execution may call. */
export function withServiceHosts(config: DeployedConfig, names: readonly string[]): DeployedConfig {
  const { SERVICE_HOSTS: given } = config.raw.vars;
  const known = typeof given === "string" && given !== "" ? given.split(",") : [];
  const hosts = [...new Set([...known.map((host) => host.trim()), ...names])].join(",");
  if (hosts === "") return config;
  return { ...config, raw: { ...config.raw, vars: { ...config.raw.vars, SERVICE_HOSTS: hosts } } };
}

async function conflictingRecords(api: CloudflareApi, { name, domains }: Wanted) {
  const path = `/workers/scripts/${name}/domains/changeset?replace_state=true`;
  const result = resultOf(await api("POST", path, domains), "the domains");
  return changes.parse(result).conflicting.map(({ hostname }) => hostname);
}

async function attachmentsIn(api: CloudflareApi) {
  const result = resultOf(await api("GET", "/workers/domains"), "the list of domains");
  return attachments.parse(result);
}

function resultOf(answer: Answer, asked: string): unknown {
  if (answer.ok) return answer.result;
  throw new UserError(describeRefusal(asked, answer.refusal));
}

import { randomUUID } from "node:crypto";
import { getServers, Resolver } from "node:dns/promises";
import * as z from "zod";
import { UserError } from "../local/project.ts";
import type { Answer, CloudflareApi } from "./api.ts";
import type { DeployedConfig } from "./config.ts";
import { describeRefusal } from "./refusals.ts";

const attachments = z.array(z.object({ hostname: z.string(), service: z.string() }));
const changes = z.object({ conflicting: z.array(z.object({ hostname: z.string() })) });

const zones = z.array(z.object({ id: z.string() }));
const dnsRecords = z.array(z.object({ name: z.string(), type: z.string() }));
/** The records that a Worker's domain cannot have beside its own: they say where the name leads. */
const LEADING = ["A", "AAAA", "CNAME"];

type Wanted = Pick<DeployedConfig, "name" | "domains">;

/** Returns the custom domains that the Worker has. */
export async function attachedDomains(api: CloudflareApi, name: string): Promise<string[]> {
  const found = await attachmentsIn(api);
  return found.filter(({ service }) => service === name).map(({ hostname }) => hostname);
}

/**
 * Throws `UserError` if a domain of the configuration belongs to something else: to another Worker, or to DNS
 * records of its zone. Wrangler takes them over without a question where nobody could answer it. Before this
 * Worker exists, Cloudflare compares nothing: the records are read, or looked up as anybody can.
 */
export async function checkDomains(
  api: CloudflareApi,
  { name, domains }: Wanted,
  { exists, resolves }: { exists: boolean; resolves: Resolves },
): Promise<void> {
  if (domains.length === 0) return;
  const taken = (await attachmentsIn(api))
    .filter(({ service }) => service !== name)
    .filter(({ hostname }) => domains.some((domain) => domain.hostname === hostname));
  // The domain of a Worker has a record as well.
  const others = domains.filter((each) =>
    taken.every(({ hostname }) => hostname !== each.hostname),
  );
  const records = exists
    ? await conflictingRecords(api, { name, domains })
    : await recordsOf(api, others, resolves);
  const conflicts = [
    ...taken.map(({ hostname, service }) => `  ${hostname} leads to the Worker "${service}"`),
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

/** Returns the domains that have records of their own. */
async function recordsOf(api: CloudflareApi, domains: Wanted["domains"], resolves: Resolves) {
  const found: string[] = [];
  for (const domain of domains) {
    const { hostname } = domain;
    const leads = (await readRecords(api, domain)) ?? (await isTaken(hostname, resolves));
    if (leads) found.push(hostname);
  }
  return found;
}

/** Returns whether a domain has records, or null if the sign-in may not read them. */
async function readRecords(
  api: CloudflareApi,
  { hostname, zone_id, zone_name }: Wanted["domains"][number],
): Promise<boolean | null> {
  const zone = zone_id ?? (await zoneOf(api, zone_name ?? hostname));
  if (zone === null) return null;
  const query = `name.exact=${encodeURIComponent(hostname)}`;
  const answer = await api("GET", `/zones/${zone}/dns_records?${query}`);
  if (!answer.ok) return null;
  const records = dnsRecords.parse(answer.result);
  return records.some(({ name, type }) => name === hostname && LEADING.includes(type));
}

/** Whether a name leads somewhere that not every name beside it does: a wildcard's record stays as it is. */
async function isTaken(hostname: string, resolves: Resolves): Promise<boolean> {
  const beside = hostname.replace(/^[^.]+/, randomUUID());
  return (await resolves(hostname)) && !(await resolves(beside));
}

/** Tells whether a name leads anywhere. */
export type Resolves = (name: string) => Promise<boolean>;

/** Asks these resolvers of names, by default those of this machine. Without an answer a name leads nowhere. */
export const resolvesBy = (servers: readonly string[] = getServers()): Resolves => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers(servers);
  return async (name) => {
    const asked = [resolver.resolve4(name), resolver.resolve6(name), resolver.resolveCname(name)];
    const answers = await Promise.allSettled(asked);
    return answers.some(({ status }) => status === "fulfilled");
  };
};

/** Returns the id of the zone that a name belongs to, or null for none that the sign-in may read. */
async function zoneOf(api: CloudflareApi, name: string): Promise<string | null> {
  const labels = name.split(".");
  for (let at = 0; at < labels.length - 1; at += 1) {
    const answer = await api("GET", `/zones?name=${labels.slice(at).join(".")}`);
    const [zone] = answer.ok ? zones.parse(answer.result) : [];
    if (zone !== undefined) return zone.id;
  }
  return null;
}

async function attachmentsIn(api: CloudflareApi) {
  const result = resultOf(await api("GET", "/workers/domains"), "the list of domains");
  return attachments.parse(result);
}

function resultOf(answer: Answer, asked: string): unknown {
  if (answer.ok) return answer.result;
  throw new UserError(describeRefusal(asked, answer.refusal));
}

import * as z from "zod";
import { UserError } from "../local/project.ts";
import type { CloudflareApi } from "./api.ts";
import type { DeployedConfig } from "./config.ts";
import { checkDomains, type Resolves } from "./domains.ts";
import { describeRefusal, NOT_FOUND } from "./refusals.ts";

const registered = z.object({ subdomain: z.string() });

/** What the operator lets a deployment do to the account. */
export interface Permissions {
  /** The workers.dev subdomain to register if the account has none. */
  subdomain: string | null;
  /** Whether domains may be taken from what has them. */
  takeOver: boolean;
}

/**
 * Throws `UserError` for what Cloudflare would refuse halfway: the account cannot have queues, or a domain
 * is in use. Changes nothing.
 */
export async function checkAccount(
  api: CloudflareApi,
  config: DeployedConfig,
  { takeOver }: Permissions,
  found: { exists: boolean; resolves: Resolves },
): Promise<void> {
  const queues = await api("GET", "/queues?per_page=1");
  if (!queues.ok) throw new UserError(describeRefusal("the queues", queues.refusal));
  if (!takeOver) await checkDomains(api, config, found);
}

/** Returns the account's subdomain of workers.dev, or null if it has none. */
export async function subdomainOf(api: CloudflareApi): Promise<string | null> {
  const answer = await api("GET", "/workers/subdomain");
  if (answer.ok) return registered.parse(answer.result).subdomain;
  if (answer.refusal.code === NOT_FOUND) return null;
  throw new UserError(describeRefusal("the workers.dev subdomain", answer.refusal));
}

/** Cloudflare takes no Worker from an account without a subdomain of workers.dev. */
export function needsSubdomain(accountId: string): UserError {
  return new UserError(
    `Your account has no workers.dev subdomain, without which it can have no Worker. Choose one with npm run deploy -- --subdomain <name>, or open https://dash.cloudflare.com/${accountId}/workers/onboarding, then run this again.`,
  );
}

/** Registers a subdomain of workers.dev. Throws `UserError` if Cloudflare refuses it. */
export async function registerSubdomain(api: CloudflareApi, subdomain: string): Promise<string> {
  const answer = await api("PUT", "/workers/subdomain", { subdomain });
  if (answer.ok) return registered.parse(answer.result).subdomain;
  throw new UserError(describeRefusal(`the subdomain "${subdomain}"`, answer.refusal));
}

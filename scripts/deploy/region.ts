import * as z from "zod";
import { REGIONS, type Region } from "../../src/lib/place.ts";
import { UserError } from "../local/project.ts";
import type { CloudflareApi } from "./api.ts";
import type { DeployedConfig } from "./config.ts";
import { describeRefusal } from "./refusals.ts";

/** The service's variable. */
const VARIABLE = "DEFAULT_REGION";

const settings = z.object({
  bindings: z.array(z.looseObject({ type: z.string(), name: z.string() })),
});
const deployed = z.object({ type: z.literal("plain_text"), text: z.enum(REGIONS) });

/** Asks the operator; null where nobody can answer. */
export type Ask = (question: string) => Promise<string | null>;

/** Returns the region of a text. Throws `UserError` for any other. */
export function regionNamed(text: string): Region {
  const region = z.enum(REGIONS).safeParse(text);
  if (region.success) return region.data;
  throw new UserError(`"${text}" is not a region. Choose one of ${REGIONS.join(", ")}.`);
}

/**
 * Returns the region of new accounts: the chosen one, or else the configuration's, or else the one that the
 * Worker has. A first deployment asks for it.
 */
export async function regionOf(
  api: CloudflareApi,
  { name, raw }: DeployedConfig,
  chosen: Region | null,
  { exists, ask }: { exists: boolean; ask: Ask },
): Promise<Region | null> {
  if (chosen !== null) return chosen;
  const configured = raw.vars[VARIABLE];
  if (typeof configured === "string") return regionNamed(configured);
  if (exists) return regionOfWorker(api, name);
  const answer = await ask(
    `Where are most of your users? ${REGIONS.join(", ")}, or empty to place each account near its first caller: `,
  );
  return answer === null || answer.trim() === "" ? null : regionNamed(answer.trim());
}

/** Returns the configuration with the region, if there is one. */
export function withRegion(config: DeployedConfig, region: Region | null): DeployedConfig {
  if (region === null) return config;
  const vars = { ...config.raw.vars, [VARIABLE]: region };
  return { ...config, raw: { ...config.raw, vars } };
}

async function regionOfWorker(api: CloudflareApi, name: string): Promise<Region | null> {
  const answer = await api("GET", `/workers/scripts/${name}/settings`);
  if (!answer.ok) throw new UserError(describeRefusal("the Worker's settings", answer.refusal));
  const { bindings } = settings.parse(answer.result);
  return (
    deployed.safeParse(bindings.find((binding) => binding.name === VARIABLE)).data?.text ?? null
  );
}

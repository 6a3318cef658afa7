import * as z from "zod";
import type { Region } from "../../src/lib/place.ts";
import { UserError } from "../local/project.ts";
import type { CloudflareApi } from "./api.ts";
import type { DeployedDatabase } from "./config.ts";
import type { Report } from "./progress.ts";
import { describeRefusal } from "./refusals.ts";
import { printed, type Wrangler } from "./wrangler.ts";

/** The regions that databases can be created near: https://developers.cloudflare.com/d1/configuration/data-location/ */
const LOCATIONS: readonly Region[] = ["wnam", "enam", "weur", "eeur", "apac", "oc"];

const created = z.object({ uuid: z.string() });
const replication = z.object({ read_replication: z.object({ mode: z.string() }).optional() });

/** Creates a database if it does not exist, and applies the migrations of this checkout that it lacks. Returns its id. */
export async function prepareDatabase(
  { wrangler, api }: { wrangler: Wrangler; api: CloudflareApi },
  { binding, name }: DeployedDatabase,
  { knownId, region }: { knownId: string | undefined; region: Region | null },
): Promise<string> {
  const id = knownId ?? (await createDatabase(api, name, region));
  await printed(wrangler, ["d1", "migrations", "apply", binding, "--remote"]);
  return id;
}

async function createDatabase(api: CloudflareApi, name: string, region: Region | null) {
  const near = region !== null && LOCATIONS.includes(region);
  const wanted = { name, ...(near && { primary_location_hint: region }) };
  const answer = await api("POST", "/d1/database", wanted);
  if (answer.ok) return created.parse(answer.result).uuid;
  throw new UserError(describeRefusal(`the database ${name}`, answer.refusal));
}

/** Has a database answer reads near the caller. It works without that, so a refusal is reported only. */
export async function replicateReads(
  api: CloudflareApi,
  { id, name }: { id: string; name: string },
  report: Report,
): Promise<void> {
  const known = await api("GET", `/d1/database/${id}`);
  const mode = known.ok && replication.parse(known.result).read_replication?.mode;
  if (mode === "auto") return;
  const changed = await api("PUT", `/d1/database/${id}`, { read_replication: { mode: "auto" } });
  report(
    "",
    changed.ok
      ? `${name} answers reads near the caller`
      : describeRefusal(`read replication of ${name}`, changed.refusal),
  );
}

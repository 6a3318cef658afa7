import type { Context, Hono } from "hono";
import * as z from "zod";
import { type CloudflareAccount, DeployedWorker, metadata, type Version } from "./account.ts";
import { fault, ok } from "./answers.ts";
import type { CloudflareRuntime } from "./runtime.ts";

const WORKER = "/workers/scripts/:name";
const tagged = z.object({ tags: z.array(z.string()).default([]) });
const deployment = z.object({
  versions: z.tuple([z.object({ version_id: z.uuid(), percentage: z.literal(100) })]),
  code_update_strategy: z.object({ mode: z.string() }),
});
const chosen = z.object({ subdomain: z.string() });
const onWorkersDev = z.object({ enabled: z.boolean(), previews_enabled: z.boolean().optional() });

/** Who made a version, and when, which nothing here depends on. */
const MADE = { author_email: "operator@example.com", created_on: "2026-11-20T09:30:00.000Z" };

/** Serves Workers and the account's subdomain of workers.dev. */
export function serveWorkers(api: Hono, account: CloudflareAccount, runtime: CloudflareRuntime) {
  // The codes, as wrangler 4.155 knows them: 10007, and 10090 for a service that was never deployed.
  const missing = (http: Context, code: number) =>
    fault(http, 404, code, "This Worker does not exist on your account.");
  const find = (http: Context) => account.workers.get(http.req.param("name") ?? "");

  api.get("/workers/services/:name", (http) => {
    const worker = find(http);
    if (worker === undefined) return missing(http, 10_090);
    const { tags, migrationTag: migration_tag } = worker;
    const script = { tag: "tag", tags, migration_tag, last_deployed_from: "wrangler" };
    return ok(http, { default_environment: { environment: "production", script } });
  });
  api.get(`${WORKER}/secrets`, (http) => {
    const worker = find(http);
    if (worker === undefined) return missing(http, 10_007);
    const names = Object.keys(worker.versions.at(-1)?.secrets ?? {});
    return ok(
      http,
      names.map((name) => ({ name, type: "secret_text" })),
    );
  });
  api.get(`${WORKER}/settings`, (http) => {
    const worker = find(http);
    if (worker === undefined) return missing(http, 10_007);
    const { bindings = [] } = worker.versions.at(-1)?.metadata ?? {};
    return ok(http, { bindings, tags: worker.tags });
  });
  api.get(`${WORKER}/deployments`, (http) =>
    ok(http, { deployments: (find(http)?.deployments ?? []).map(described).reverse() }),
  );
  api.get(`${WORKER}/versions/:id`, (http) => {
    const version = find(http)?.versions.find(({ id }) => id === http.req.param("id"));
    if (version === undefined) return missing(http, 10_007);
    const { id, metadata } = version;
    const resources = { script: { handlers: [] }, bindings: metadata.bindings };
    return ok(http, { id, metadata: MADE, annotations: {}, resources });
  });
  api.put(WORKER, async (http) => {
    const version = await uploaded(http);
    const refused = refusal(http, account, version);
    if (refused !== null) return refused;
    const name = http.req.param("name");
    const worker = account.workers.get(name) ?? new DeployedWorker(name);
    const { id: versionId } = worker.addVersion(version);
    account.workers.set(name, worker);
    const { id } = worker.deploy(versionId, version.metadata.code_update_strategy?.mode);
    await runtime.changed();
    return ok(http, { id: name, deployment_id: id.replaceAll("-", "") });
  });
  // Versions of a Worker without new classes are uploaded first, and deployed by their ids.
  api.post(`${WORKER}/versions`, async (http) => {
    const worker = find(http);
    if (worker === undefined) return missing(http, 10_007);
    const version = await uploaded(http);
    const refused = refusal(http, account, version);
    if (refused !== null) return refused;
    const { id } = worker.addVersion(version);
    return ok(http, { id, resources: { script: { etag: id } }, startup_time_ms: 30 });
  });
  api.post(`${WORKER}/deployments`, async (http) => {
    const worker = find(http);
    if (worker === undefined) return missing(http, 10_007);
    const { versions, code_update_strategy } = deployment.parse(await http.req.json());
    const { id } = worker.deploy(versions[0].version_id, code_update_strategy.mode);
    await runtime.changed();
    return ok(http, { id });
  });
  api.patch(`${WORKER}/script-settings`, async (http) => {
    const worker = find(http);
    if (worker !== undefined) worker.tags = tagged.parse(await http.req.json()).tags;
    return ok(http, {});
  });
  serveWorkersDev(api, account);
}

function described({ id, versionId, createdAt }: DeployedWorker["deployments"][number]) {
  const versions = [{ version_id: versionId, percentage: 100 }];
  const created_on = new Date(createdAt).toISOString();
  return { id, source: "wrangler", strategy: "percentage", annotations: {}, created_on, versions };
}

function serveWorkersDev(api: Hono, account: CloudflareAccount) {
  api.get("/workers/subdomain", (http) => {
    // https://github.com/cloudflare/wrangler-legacy/issues/2039: the code of a missing script.
    if (account.subdomain === null) return fault(http, 404, 10_007, "workers.api.error.not_found");
    return ok(http, { subdomain: account.subdomain });
  });
  api.put("/workers/subdomain", async (http) => {
    const { subdomain } = chosen.parse(await http.req.json());
    if (!account.isEmailVerified) return unverified(http);
    // 10031, as wrangler 4.155 knows it.
    if (subdomain === "taken") return fault(http, 409, 10_031, "Subdomain is unavailable");
    account.subdomain = subdomain;
    return ok(http, { subdomain });
  });
  api.get("/workers/workers/:name", (http) => {
    const { name } = http.req.param();
    const { onWorkersDev: enabled, previewUrls } = account.worker(name);
    const subdomain = { enabled, previews_enabled: previewUrls };
    return ok(http, { id: name, name, subdomain });
  });
  api.post(`${WORKER}/subdomain`, async (http) => {
    const { enabled, previews_enabled = enabled } = onWorkersDev.parse(await http.req.json());
    const worker = account.worker(http.req.param("name"));
    worker.onWorkersDev = enabled;
    worker.previewUrls = previews_enabled;
    return ok(http, { enabled, previews_enabled });
  });
}

async function uploaded(http: Context): Promise<Pick<Version, "metadata" | "modules">> {
  const form = await http.req.formData();
  const parts = [...form].flatMap(([name, part]) =>
    typeof part === "string" ? [] : [{ name, type: part.type, part }],
  );
  return {
    metadata: metadata.parse(JSON.parse(z.string().parse(form.get("metadata")))),
    modules: await Promise.all(
      parts.map(async ({ part, ...module }) => ({ ...module, bytes: await part.bytes() })),
    ),
  };
}

/** Refuses an upload for what the account lacks. */
function refusal(
  http: Context,
  account: CloudflareAccount,
  { metadata: { assets, limits } }: Pick<Version, "metadata">,
): Response | null {
  if (!account.isEmailVerified) return unverified(http);
  if (account.subdomain === null) {
    // https://github.com/cloudflare/workers-sdk/issues/9045
    return fault(
      http,
      400,
      10_063,
      "You need a workers.dev subdomain in order to proceed. Please go to the dashboard and open the Workers menu. Opening the Workers landing page for the first time will create a workers.dev subdomain automatically.",
    );
  }
  if (!account.assets.sessions.has(assets.jwt)) {
    // https://developers.cloudflare.com/workers/static-assets/direct-upload/: the token must be a completed one's.
    return fault(http, 400, 10_021, "The assets of this Worker were not uploaded.");
  }
  if (limits === undefined || account.plan === "paid") return null;
  // https://github.com/cloudflare/workers-sdk/issues/8756
  return fault(
    http,
    400,
    100_328,
    `CPU limits are not supported for the Free plan. Switch to a paid plan at https://dash.cloudflare.com/${account.id}/workers/plans to set CPU limits.`,
  );
}

/** https://github.com/cloudflare/wrangler-legacy/issues/320 */
function unverified(http: Context): Response {
  return fault(http, 403, 10_034, "You need to verify your email address to use Workers.");
}

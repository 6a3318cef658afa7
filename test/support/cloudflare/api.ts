import { randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import * as z from "zod";
import { type CloudflareAccount, consumer, metadata } from "./account.ts";
import type { CloudflareRuntime } from "./runtime.ts";

const named = z.object({ name: z.string() });
const queueNamed = z.object({ queue_name: z.string() });
const statements = z.object({ sql: z.string() });
const tagged = z.object({ tags: z.array(z.string()) });
const WORKER = "/workers/scripts/:name";

/** Cloudflare's API for one account, as far as `wrangler` needs it to deploy. */
export function cloudflareApi(account: CloudflareAccount, runtime: CloudflareRuntime): Hono {
  const ours = new Hono();
  serveDatabases(ours, account, runtime);
  serveQueues(ours, account, runtime);
  serveWorker(ours, account, runtime);
  const api = new Hono();
  api.get("/user/tokens/verify", (http) => ok(http, { id: "token", status: "active" }));
  api.get("/user", (http) => ok(http, { email: "operator@example.com" }));
  api.get("/accounts", (http) => ok(http, [{ id: account.id, name: "Harbour Lane" }]));
  api.get("/memberships", (http) =>
    ok(http, [{ account: { id: account.id, name: "Harbour Lane" } }]),
  );
  api.route(`/accounts/${account.id}`, ours);
  api.notFound((http) => fault(http, 404, 7003, `No route ${http.req.method} ${http.req.path}`));
  api.onError((error, http) => fault(http, 400, 10_057, error.message));
  return new Hono().route("/client/v4", api);
}

function serveDatabases(api: Hono, { databases }: CloudflareAccount, runtime: CloudflareRuntime) {
  api.get("/d1/database", (http) => ok(http, pageOf(http, databases)));
  api.post("/d1/database", async (http) => {
    const { name } = named.parse(await http.req.json());
    if (databases.some((database) => database.name === name)) {
      return fault(http, 400, 7502, "A database with that name already exists");
    }
    const database = { uuid: randomUUID(), name };
    databases.push(database);
    await runtime.changed();
    return ok(http, database);
  });
  api.get("/d1/database/:name", (http) => {
    const wanted = http.req.param("name");
    const found = databases.find(({ uuid, name }) => uuid === wanted || name === wanted);
    return found === undefined
      ? fault(http, 404, 7404, "The database could not be found")
      : ok(http, found);
  });
  api.post("/d1/database/:id/query", async (http) => {
    const { sql } = statements.parse(await http.req.json());
    return ok(http, await runtime.query(http.req.param("id"), sql));
  });
}

function serveQueues(api: Hono, { queues }: CloudflareAccount, runtime: CloudflareRuntime) {
  const find = (id: string) => queues.find(({ queue_id }) => queue_id === id);
  api.get("/queues", (http) => {
    const names = http.req.queries("name");
    const found = queues.filter(({ queue_name }) => names?.includes(queue_name) ?? true);
    return ok(http, pageOf(http, found).map(described));
  });
  api.post("/queues", async (http) => {
    const { queue_name } = queueNamed.parse(await http.req.json());
    if (queues.some((queue) => queue.queue_name === queue_name)) {
      return fault(http, 409, 11_009, `Queue name '${queue_name}' is already taken`);
    }
    const queue = { queue_id: randomUUID().replaceAll("-", ""), queue_name, consumer: null };
    queues.push(queue);
    return ok(http, described(queue));
  });
  const attach = async (http: Context) => {
    const queue = find(http.req.param("id") ?? "");
    if (queue === undefined) return fault(http, 404, 11_000, "No such queue");
    queue.consumer = consumer.parse(await http.req.json());
    await runtime.changed();
    return ok(http, {});
  };
  api.post("/queues/:id/consumers", attach);
  api.put("/queues/:id/consumers/:consumer", attach);
}

function described({ queue_id, queue_name, consumer }: CloudflareAccount["queues"][number]) {
  const consumers =
    consumer === null
      ? []
      : [{ ...consumer, type: "worker", script: consumer.script_name, consumer_id: queue_id }];
  return {
    queue_id,
    queue_name,
    created_on: "2026-11-20T09:30:00.000Z",
    modified_on: "2026-11-20T09:30:00.000Z",
    producers: [],
    producers_total_count: 0,
    consumers,
    consumers_total_count: consumers.length,
  };
}

function serveWorker(api: Hono, account: CloudflareAccount, runtime: CloudflareRuntime) {
  const missing = (http: Context, code: number) =>
    fault(http, 404, code, "This Worker does not exist on your account.");
  api.get("/workers/services/:name", (http) => {
    if (account.versions.length === 0) return missing(http, 10_090);
    const script = { tag: "tag", tags: account.tags, last_deployed_from: "wrangler" };
    return ok(http, { default_environment: { environment: "production", script } });
  });
  api.get(`${WORKER}/secrets`, (http) => {
    const version = account.versions.at(-1);
    if (version === undefined) return missing(http, 10_007);
    return ok(
      http,
      Object.keys(version.secrets).map((name) => ({ name, type: "secret_text" })),
    );
  });
  api.get(`${WORKER}/settings`, (http) => {
    const bindings = account.versions.at(-1)?.metadata.bindings ?? [];
    return ok(http, { bindings, tags: account.tags });
  });
  api.get(`${WORKER}/deployments`, (http) => ok(http, { deployments: [] }));
  api.put(WORKER, async (http) => {
    const form = await http.req.formData();
    const parsed = metadata.parse(JSON.parse(z.string().parse(form.get("metadata"))));
    const modules = [...form].flatMap(([name, part]) =>
      typeof part === "string" ? [] : [{ name, type: part.type, part }],
    );
    account.addVersion({
      metadata: parsed,
      modules: await Promise.all(
        modules.map(async ({ part, ...module }) => ({ ...module, bytes: await part.bytes() })),
      ),
    });
    await runtime.changed();
    return ok(http, { id: "prompthook", deployment_id: randomUUID().replaceAll("-", "") });
  });
  api.patch(`${WORKER}/script-settings`, async (http) => {
    account.tags = tagged.parse(await http.req.json()).tags;
    return ok(http, {});
  });
  api.get("/workers/subdomain", (http) => ok(http, { subdomain: "harbour-lane" }));
  api.get("/workers/workers/:name", (http) => {
    const { name } = http.req.param();
    const subdomain = { enabled: account.onWorkersDev, previews_enabled: false };
    return ok(http, { id: name, name, subdomain });
  });
  api.post(`${WORKER}/subdomain`, (http) => {
    account.onWorkersDev = true;
    return ok(http, { enabled: true, previews_enabled: false });
  });
}

function pageOf<Item>(http: Context, items: Item[]): Item[] {
  const size = Number(http.req.query("per_page") ?? 20);
  const page = Number(http.req.query("page") ?? 1);
  return items.slice((page - 1) * size, page * size);
}

function ok(http: Context, result: unknown): Response {
  return http.json({ success: true, errors: [], messages: [], result });
}

function fault(http: Context, status: 400 | 403 | 404 | 409, code: number, message: string) {
  const errors = [{ code, message }];
  return http.json({ success: false, errors, messages: [], result: null }, status);
}

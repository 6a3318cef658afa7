import { randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import * as z from "zod";
import { type CloudflareAccount, consumer } from "./account.ts";
import { fault, ok } from "./answers.ts";
import { serveAssets } from "./asset-api.ts";
import { serveDomains, serveZones } from "./domain-api.ts";
import type { CloudflareRuntime } from "./runtime.ts";
import { serveWorkers } from "./worker-api.ts";

const named = z.object({ name: z.string() });
const queueNamed = z.object({ queue_name: z.string() });
const statements = z.object({ sql: z.string() });
const creation = named.extend({ primary_location_hint: z.string().optional() });
const exporting = z.object({ current_bookmark: z.string().optional() });
const definitions = z.tuple([z.object({ results: z.array(z.object({ sql: z.string() })) })]);
const update = z.object({ read_replication: z.object({ mode: z.string() }) });

/** Cloudflare's API for one account, as far as `wrangler` needs it to deploy. */
export function cloudflareApi(account: CloudflareAccount, runtime: CloudflareRuntime): Hono {
  const ours = new Hono();
  serveDatabases(ours, account, runtime);
  serveQueues(ours, account, runtime);
  serveWorkers(ours, account, runtime);
  serveDomains(ours, account);
  serveAssets(ours, account);
  const api = new Hono();
  api.get("/user/tokens/verify", (http) => ok(http, { id: "token", status: "active" }));
  api.get("/user", (http) => ok(http, { email: "operator@example.com" }));
  api.get("/accounts", (http) => ok(http, [{ id: account.id, name: "Harbour Lane" }]));
  api.get("/memberships", (http) =>
    ok(http, [{ account: { id: account.id, name: "Harbour Lane" } }]),
  );
  serveZones(api, account);
  api.route(`/accounts/${account.id}`, ours);
  api.notFound((http) => fault(http, 404, 7003, `No route ${http.req.method} ${http.req.path}`));
  api.onError((error, http) => fault(http, 400, 10_057, error.message));
  return new Hono().route("/client/v4", api);
}

function serveDatabases(api: Hono, { databases }: CloudflareAccount, runtime: CloudflareRuntime) {
  api.get("/d1/database", (http) => {
    const wanted = http.req.query("name");
    const found = databases.filter(({ name }) => wanted === undefined || name.includes(wanted));
    return ok(http, pageOf(http, found));
  });
  api.post("/d1/database", async (http) => {
    const { name, primary_location_hint: hint } = creation.parse(await http.req.json());
    if (databases.some((database) => database.name === name)) {
      return fault(http, 400, 7502, "A database with that name already exists");
    }
    const uuid = randomUUID();
    const database = { uuid, name, location: hint ?? null, replication: "disabled" };
    databases.push(database);
    await runtime.changed();
    return ok(http, database);
  });
  api.get("/d1/database/:name", (http) => {
    const wanted = http.req.param("name");
    const found = databases.find(({ uuid, name }) => uuid === wanted || name === wanted);
    return found === undefined
      ? fault(http, 404, 7404, "The database could not be found")
      : ok(http, { ...found, read_replication: { mode: found.replication } });
  });
  api.put("/d1/database/:id", async (http) => {
    const found = databases.find(({ uuid }) => uuid === http.req.param("id"));
    if (found === undefined) return fault(http, 404, 7404, "The database could not be found");
    found.replication = update.parse(await http.req.json()).read_replication.mode;
    return ok(http, found);
  });
  api.post("/d1/database/:id/query", async (http) => {
    const { sql } = statements.parse(await http.req.json());
    return ok(http, await runtime.query(http.req.param("id"), sql));
  });
  // An export is made in the background; wrangler asks until it is complete, then follows its address.
  api.post("/d1/database/:id/export", async (http) => {
    const { current_bookmark: bookmark } = exporting.parse(await http.req.json());
    if (bookmark === undefined) {
      return ok(http, { success: true, status: "active", messages: [], at_bookmark: "1" });
    }
    const signed_url = `${http.req.url}ed`;
    return ok(http, {
      success: true,
      status: "complete",
      messages: [],
      at_bookmark: bookmark,
      result: { filename: "export.sql", signed_url },
    });
  });
  api.get("/d1/database/:id/exported", async (http) => {
    const schema = `SELECT sql FROM sqlite_master
      WHERE sql IS NOT NULL AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'`;
    const [{ results }] = definitions.parse(await runtime.query(http.req.param("id"), schema));
    return http.text(results.map(({ sql }) => `${sql};\n`).join(""));
  });
}

function serveQueues(api: Hono, account: CloudflareAccount, runtime: CloudflareRuntime) {
  const { queues } = account;
  api.use("/queues", async (http, next) => {
    // As an account of before February 2026 was answered, when queues were for the paid plan.
    const message = "Queues are only available on the Workers Paid plan.";
    return account.hasQueues ? next() : fault(http, 403, 100_129, message);
  });
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

function pageOf<Item>(http: Context, items: Item[]): Item[] {
  const size = Number(http.req.query("per_page") ?? 20);
  const page = Number(http.req.query("page") ?? 1);
  return items.slice((page - 1) * size, page * size);
}

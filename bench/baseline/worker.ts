import { DurableObject } from "cloudflare:workers";
import { Hono } from "hono";

interface Bindings {
  WRITER: DurableObjectNamespace<Writer>;
  RUN_ACCOUNT: DurableObjectNamespace<RunAccount>;
  RUN_HOST: DurableObjectNamespace<RunHost>;
}

/** The least that a durable accept can be: one row written by a living object. */
export class Writer extends DurableObject<Bindings> {
  constructor(state: DurableObjectState, env: Bindings) {
    super(state, env);
    state.storage.sql.exec("CREATE TABLE IF NOT EXISTS bodies (id INTEGER PRIMARY KEY, body TEXT)");
  }

  write(body: string): void {
    this.ctx.storage.sql.exec("INSERT INTO bodies (body) VALUES (?)", body);
  }
}

/**
 * Accepts durable runs: one row for each, which its host's report updates. A call to a host leaves once
 * the row is durable, because the platform holds back what an object sends until its writes are.
 */
export class RunAccount extends DurableObject<Bindings> {
  constructor(state: DurableObjectState, env: Bindings) {
    super(state, env);
    state.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS runs (id TEXT PRIMARY KEY, body TEXT, status TEXT) WITHOUT ROWID",
    );
  }

  accept(body: string): string {
    const id = crypto.randomUUID();
    this.ctx.storage.sql.exec("INSERT INTO runs VALUES (?, ?, 'active')", id, body);
    this.ctx.waitUntil(hostOf(this.env, id).start(id, body));
    return id;
  }

  finish(id: string): void {
    this.ctx.storage.sql.exec("UPDATE runs SET status = 'completed' WHERE id = ?", id);
  }
}

/** Hosts many durable runs: a head row and a journal row for each. */
export class RunHost extends DurableObject<Bindings> {
  readonly #waiting = new Map<string, () => void>();

  constructor(state: DurableObjectState, env: Bindings) {
    super(state, env);
    state.storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS heads (id TEXT PRIMARY KEY, status TEXT) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS journal (id TEXT, seq INTEGER, facts TEXT, PRIMARY KEY (id, seq)) WITHOUT ROWID;
    `);
  }

  async start(id: string, body: string): Promise<void> {
    const { sql } = this.ctx.storage;
    sql.exec("INSERT INTO heads VALUES (?, 'active')", id);
    sql.exec("INSERT INTO journal VALUES (?, 0, ?)", id, body);
    // The work is nothing, so all rows are one commit: waiting for the start's own would not be the least.
    sql.exec("UPDATE heads SET status = 'completed' WHERE id = ?", id);
    this.#waiting.get(id)?.();
    this.#waiting.delete(id);
    await this.env.RUN_ACCOUNT.getByName("one").finish(id);
  }

  /** Leaves a request without an answer, as a session whose model is slow. */
  ask(url: string): void {
    const body = "x".repeat(MODEL_REQUEST_BYTES);
    this.ctx.waitUntil(fetch(url, { method: "POST", body }).then((response) => response.text()));
  }

  /** Resolves when the run has ended, also when its start has not arrived yet. */
  async ended(id: string): Promise<void> {
    const [head] = this.ctx.storage.sql.exec("SELECT status FROM heads WHERE id = ?", id).toArray();
    if (head?.status === "completed") return;
    await new Promise<void>((resolve) => this.#waiting.set(id, resolve));
  }
}

const HOSTS = 64;
/** About what the instructions and tools of an agent take. */
const MODEL_REQUEST_BYTES = 20_000;

/** The host whose slot the id names: a caller finds it without a look-up. */
function hostOf(env: Bindings, id: string): DurableObjectStub<RunHost> {
  const slot = Number.parseInt(id.slice(0, 2), 16) % HOSTS;
  return env.RUN_HOST.getByName(String(slot));
}

const app = new Hono<{ Bindings: Bindings }>();
app.get("/", (context) => context.json({ ok: true }));
app.post("/write", async (context) => {
  await context.env.WRITER.getByName("one").write(await context.req.text());
  return context.json({ ok: true }, 202);
});
/** The least that an object of its own can cost: one that did not exist before writes one row. */
app.post("/create", async (context) => {
  await context.env.WRITER.getByName(crypto.randomUUID()).write(await context.req.text());
  return context.json({ ok: true }, 202);
});
/** The least that a durable execution can be. */
app.post("/run", async (context) => {
  const executionId = await context.env.RUN_ACCOUNT.getByName("one").accept(
    await context.req.text(),
  );
  return context.json({ executionId }, 202);
});
app.post("/ask", async (context) => {
  await hostOf(context.env, crypto.randomUUID()).ask(await context.req.text());
  return context.json({ ok: true }, 202);
});
app.get("/run/:id", async (context) => {
  await hostOf(context.env, context.req.param("id")).ended(context.req.param("id"));
  return context.json({ version: 1, finishedAt: new Date().toISOString() });
});

export default app;

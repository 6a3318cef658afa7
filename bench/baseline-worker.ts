import { DurableObject } from "cloudflare:workers";
import { Hono } from "hono";

/** The least that a durable accept can be: one row written by a living object. */
export class Writer extends DurableObject<object> {
  constructor(state: DurableObjectState, env: object) {
    super(state, env);
    state.storage.sql.exec("CREATE TABLE IF NOT EXISTS bodies (id INTEGER PRIMARY KEY, body TEXT)");
  }

  write(body: string): void {
    this.ctx.storage.sql.exec("INSERT INTO bodies (body) VALUES (?)", body);
  }
}

interface Bindings {
  WRITER: DurableObjectNamespace<Writer>;
}

const app = new Hono<{ Bindings: Bindings }>();
app.get("/", (context) => context.json({ ok: true }));
app.post("/write", async (context) => {
  await context.env.WRITER.getByName("one").write(await context.req.text());
  return context.json({ ok: true }, 202);
});
/** The least that a new execution can be: an object that did not exist before writes one row. */
app.post("/create", async (context) => {
  await context.env.WRITER.getByName(crypto.randomUUID()).write(await context.req.text());
  return context.json({ ok: true }, 202);
});

export default app;

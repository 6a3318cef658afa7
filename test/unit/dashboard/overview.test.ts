import { Hono } from "hono";
import { afterEach, expect, it, vi } from "vitest";
import { Prompthook } from "../../../src/client/prompthook.ts";
import type { DashboardEnv } from "../../../src/dashboard/context.ts";
import { serveOverview } from "../../../src/dashboard/pages/overview/overview-page.tsx";

afterEach(() => {
  vi.useRealTimers();
});

const app = new Hono<DashboardEnv>();
app.use(async (http, next) => {
  const fetch = async () => Response.json({ executions: [], nextCursor: null });
  http.set("api", new Prompthook({ baseUrl: "https://service.example", apiKey: "key", fetch }));
  http.set("follow", () => async () => ({ isChanged: false, waiting: 0 }));
  await next();
});
serveOverview(app);

/** Returns what the stream says first to a page that has seen this: how it looks now, null for no change. */
async function look(seen: string): Promise<string | null> {
  const { body } = await app.request(`/overview/live?seen=${seen}`);
  const reader = (body ?? new ReadableStream<Uint8Array>()).getReader();
  let text = "";
  while (!/event: changed|nothing new/.test(text)) {
    const { value, done } = await reader.read();
    if (done) break;
    text += new TextDecoder().decode(value);
  }
  await reader.cancel();
  return /id: (\w+)/.exec(text)?.[1] ?? null;
}

it("an open overview changes when another hour begins, with which its charts end", async () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-30T23:58:00Z"), toFake: ["Date"] });
  const seen = (await look("nothing")) ?? "";
  expect(await look(seen)).toBeNull();
  vi.setSystemTime(Date.parse("2026-12-01T00:00:00Z"));
  expect(await look(seen)).toMatch(/^\w+$/);
});

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JSHandle, Page } from "playwright-core";
import { expect, test } from "vitest";
import { buildPackage } from "../../scripts/package/build.ts";
import type * as installed from "../../src/client/index.ts";
import { expectQuiet, openDashboard } from "../support/browser/dashboard.ts";
import { startServer } from "../support/server.ts";
import { startSite } from "../support/site/server.ts";
import { folderUntilEnd, untilEnd } from "../support/until-end.ts";

const dashboard = await openDashboard();
const teas = await untilEnd(startSite());
const { apiKey } = await dashboard.account();

const PAGE = `<!doctype html><title>A page of somebody's</title>
<script type="module">import * as prompthook from "/index.js"; window.prompthook = prompthook;</script>`;

/** The client as a page of another origin than the service's has loaded it. */
async function loaded(page: Page): Promise<JSHandle<typeof installed>> {
  await page.goto(web.origin);
  return page.evaluateHandle<typeof installed>("window.prompthook");
}

const directory = await folderUntilEnd();
await buildPackage(directory);
const script = await readFile(join(directory, "index.js"), "utf8");
const web = await untilEnd(
  startServer(({ url }, response) => {
    const [type, body] = url === "/index.js" ? ["javascript", script] : ["html", PAGE];
    response.writeHead(200, { "Content-Type": `text/${type}` }).end(body);
  }),
);
const page = await dashboard.visit();
const client = await loaded(page);

test("a page that loads the built client runs an agent, follows it and reads its result", async () => {
  const prompt = `List headings of ${teas.origin}/prices.`;
  const seen = await client.evaluate(
    async ({ Prompthook }, { apiKey, baseUrl, prompt }) => {
      const client = new Prompthook({ baseUrl, apiKey });
      const { executionId } = await client.executions.trigger({ prompt });
      const events: string[] = [];
      for await (const { type } of client.executions.stream(executionId)) events.push(type);
      const states: string[] = [];
      const result = await client.executions.wait(executionId, {
        onProgress: ({ status }) => void states.push(status),
      });
      const listed: string[] = [];
      for await (const row of client.executions.all()) listed.push(row.executionId);
      return { events, states, listed: listed.includes(executionId), result };
    },
    { apiKey, baseUrl: dashboard.url, prompt },
  );
  expect(seen.events[0]).toBe("status");
  expect(seen.events).toContain("tool.started");
  expect(seen.events.at(-1)).toBe("status");
  expect(seen.states).toEqual(["completed"]);
  expect(seen.listed).toBe(true);
  expect(seen.result).toMatchObject({ status: "completed", model: "builtin/demo" });
  expectQuiet(page);
});

import { describe, expect, it } from "vitest";
import { newKey } from "../../support/worker/client.ts";
import { browse, signedIn } from "../../support/worker/dashboard.ts";
import { DONE, newReader } from "../../support/worker/runs.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

const DAY_MS = 86_400_000;

/** The links that a page shows, as paths. */
const linksOn = (page: string) =>
  [...page.matchAll(/<pre id="(shr_\w+)"[^>]*>[^<]*?(\/s\/[\w.-]+)/g)].map(([, shareId, path]) => ({
    shareId: shareId ?? "",
    path: path ?? "",
  }));

describe("the page that shares a result", () => {
  it("creates links with an expiry, lists them and revokes them one by one", async () => {
    const { session, started, read } = await newReader();
    const id = await started([DONE]);
    const path = `/dashboard/executions/${id}/share`;
    expect(await read(`/${id}`)).toContain(`href="${path}"`);
    expect(await session.read(path)).toContain('<option value="604800" selected="">');

    await session.submit(path, { expiresInSeconds: "604800" });
    const { html, ...made } = await session.submit(path, { expiresInSeconds: "86400" });
    expect(made).toEqual({ path, status: 200 });
    const [newest, first] = linksOn(html);
    const [, until = ""] = /Expires <time datetime="([^"]+)"/.exec(html) ?? [];
    expect(Math.abs(Date.parse(until) - Date.now() - DAY_MS)).toBeLessThan(60_000);
    for (const link of [newest, first]) {
      const shown = await browse(link?.path ?? "");
      expect(await shown.text()).toContain("All done.");
    }

    const after = await session.submit(`${path}/revoke`, { shareId: newest?.shareId ?? "" });
    expect(after.path).toBe(path);
    expect(linksOn(after.html)).toEqual([first]);
    expect((await browse(newest?.path ?? "")).status).toBe(404);
    expect((await browse(first?.path ?? "")).status).toBe(200);

    const other = await started([DONE]);
    const page = await session.get(`/dashboard/executions/${other}/share`);
    expect(linksOn(await page.text())).toEqual([]);
  });

  it("is offered after the execution has ended, to keys that may share", async () => {
    const { apiKey, start, started, read } = await newReader();
    const running = await start([{ gate: crypto.randomUUID() }], { model: "openai/hangs" });
    expect(await read(`/${running}`)).not.toContain("/share");
    const id = await started([DONE]);
    const viewer = await newKey(apiKey, { name: "viewer", scopes: ["executions:read"] });
    const page = await (await signedIn(viewer.apiKey)).get(`/dashboard/executions/${id}`);
    expect(await page.text()).not.toContain("/share");
  });
});

describe("the page that shares a request", () => {
  it("creates a link to that request", async () => {
    const endpoint = await newEndpoint();
    const requestId = await endpoint.take({ order: "o-1" });
    const session = await signedIn(endpoint.apiKey);
    const page = `/dashboard/webhooks/${endpoint.endpointId}/requests/${requestId}`;
    expect(await session.read(page)).toContain(`href="${page}/share"`);
    const { html } = await session.submit(`${page}/share`, { expiresInSeconds: "3600" });
    const [link] = linksOn(html);
    expect(await (await browse(link?.path ?? "")).text()).toContain("o-1");
  });
});

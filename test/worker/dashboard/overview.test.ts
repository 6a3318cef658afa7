import { describe, expect, it } from "vitest";
import { newAccount, newKey, trigger, untilStatus } from "../../support/worker/client.ts";
import { signedIn } from "../../support/worker/dashboard.ts";
import { promptOf } from "../../support/worker/scripted.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

const quick = { model: "openai/scripted", prompt: promptOf({ finish: { summary: "Done." } }) };

/** The overview of whoever holds this key. */
const overviewOf = async (apiKey: string, query = "") =>
  (await signedIn(apiKey)).read(`/dashboard${query}`);

/** What a chart says in words. */
const saidBy = (page: string, chart: string) =>
  new RegExp(`<desc id="${chart}-says">(.*?)</desc>`).exec(page)?.[1];

describe("the overview", () => {
  it("leads a new account to its first execution, and shows figures from then on", async () => {
    const { apiKey } = await newAccount();
    expect(await overviewOf(apiKey)).toContain("<h1>Get started</h1>");
    await trigger(apiKey);
    const page = await overviewOf(apiKey);
    expect(page).toContain("<h1>Overview</h1>");
    expect(page).toContain("Create first endpoint");
    expect(page).toContain('id="runs-says"');
  });

  it("counts executions, credits, requests and refusals", async () => {
    const endpoint = await newEndpoint({ validation: { required: ["id"] } });
    const id = await trigger(endpoint.apiKey, quick);
    await untilStatus(endpoint.apiKey, id, "completed");
    await endpoint.take({ id: "evt_1" });
    await endpoint.take({ id: "evt_1" });
    expect((await endpoint.hook({})).status).toBe(422);
    await expect
      .poll(async () => saidBy(await overviewOf(endpoint.apiKey), "runs"))
      .toContain("Completed: 1, Failed: 0");
    const page = await overviewOf(endpoint.apiKey);
    expect(saidBy(page, "webhooks")).toContain(
      "Succeeded: 0, Failed: 0, Rejected: 1, Duplicate, unrouted, superseded or logged: 1, Held or running: 1",
    );
    expect(page).toContain("1 request held until a workflow is attached");
    const usage = await overviewOf(endpoint.apiKey, "/usage");
    expect(usage).toMatch(/aria-label="By workflow".*No workflow<\/a>.*aria-label="By model"/);
    expect(usage).toContain('<meter min="0" max="100" high="80" value="1" aria-label="Endpoints">');
    const usual = await overviewOf(endpoint.apiKey, "?range=99y%22%3E%3Cscript%3E");
    expect(usual).toContain('<a href="/dashboard" aria-current="true">24 hours</a>');
    expect(usual).not.toContain("99y");
    for (const range of ["7d", "30d"]) {
      const longer = await overviewOf(endpoint.apiKey, `?range=${range}`);
      expect(saidBy(longer, "webhooks")).toContain(
        "Rejected: 1, Duplicate, unrouted, superseded or logged: 1",
      );
      expect(saidBy(longer, "runs")).toContain("in one day was 1");
    }
  });

  it("shows what the key may read, and names the missing scopes", async () => {
    const { apiKey } = await newEndpoint();
    await trigger(apiKey);
    const scopes = ["executions:read"];
    const reader = await newKey(apiKey, { name: "reader", scopes });
    const page = await overviewOf(reader.apiKey);
    expect(page).toContain('id="runs-says"');
    expect(page).not.toContain('id="webhooks-says"');
    expect(page).toContain("The API key lacks the scope webhooks:read.");
  });
});

import { describe, expect, it } from "vitest";
import { endpointRecord } from "../../../src/contract/webhooks/endpoint.ts";
import { allPages, trigger, untilStatus } from "../../support/worker/client.ts";
import { newBrowser } from "../../support/worker/dashboard.ts";
import { leadsTo } from "../../support/worker/endpoint-room.ts";
import { formOn } from "../../support/worker/forms.ts";
import { WEBHOOKS } from "../../support/worker/webhooks.ts";

const ROOT = "/dashboard";

/** Somebody who has just come to a new account. */
async function newcomer() {
  const { apiKey, me } = await newBrowser();
  const endpoints = () => allPages(apiKey, `${WEBHOOKS}?limit=2`, "endpoints", endpointRecord);
  return { ...me, apiKey, page: () => me.read(ROOT), endpoints };
}

describe("the first steps", () => {
  it("stay until an execution has started, and an endpoint has received its test event", async () => {
    const { page, post, get, endpoints, apiKey } = await newcomer();
    await trigger(apiKey);
    const { action } = formOn(await page(), "/first-endpoint");
    const path = leadsTo(await post(action));
    expect(leadsTo(await post(action))).toBe(path);
    expect(await endpoints()).toHaveLength(1);
    expect(await page()).toContain("waits for a request");
    const html = await (await get(path)).text();
    const entry = leadsTo(await post(formOn(html, "/send-test").action));
    expect(await (await get(entry)).text()).toContain("monitor");
    expect(await page()).not.toContain('aria-label="Get started"');
  });

  it("disappear when they are dismissed", async () => {
    const { page, post, apiKey } = await newcomer();
    await trigger(apiKey);
    await post(formOn(await page(), "/first-steps/dismiss").action);
    expect(await page()).not.toContain('aria-label="Get started"');
  });

  it("lead from a prompt that the demo model does not understand to a real model", async () => {
    const { page, apiKey, get } = await newcomer();
    const id = await trigger(apiKey, { prompt: "Please tidy up.", model: "builtin/demo" });
    await untilStatus(apiKey, id, "failed");
    for (const html of [await page(), await (await get(`${ROOT}/executions/${id}`)).text()]) {
      expect(html).toContain('<a href="/dashboard/models">connect a model</a>');
    }
  });
});

import { describe, expect, it } from "vitest";
import { type EndpointRecord, endpointRecord } from "../../../src/contract/webhooks/endpoint.ts";
import { PRESETS } from "../../../src/contract/webhooks/signature.ts";
import { send } from "../../support/worker/client.ts";
import { newBrowser } from "../../support/worker/dashboard.ts";
import { formOn, textOf } from "../../support/worker/forms.ts";
import { newWorkflow, WEBHOOKS } from "../../support/worker/webhooks.ts";

const ROOT = "/dashboard/webhooks/new";

const { apiKey, me, page } = await newBrowser();

/** Sends a sender's form with some controls filled in; answers the page that it leads to. */
async function make(sender: string, filled: Record<string, string> = {}) {
  const { action, fields } = formOn(await page(`${ROOT}/${sender}`), `/new/${sender}`);
  return me.submit(action, { ...fields, name: `from ${sender}`, ...filled });
}

/** The endpoint that a page was made for. */
async function madeBy(html: string): Promise<EndpointRecord> {
  const id = /\/dashboard\/webhooks\/(ep_[0-9a-f]{40})/.exec(html)?.[1];
  const response = await send(`${WEBHOOKS}/${id}`, { token: apiKey });
  return endpointRecord.parse(await response.json());
}

describe("a new endpoint", () => {
  it("starts with its sender", async () => {
    const html = await page(ROOT);
    for (const preset of PRESETS) expect(html).toContain(`href="${ROOT}/${preset}"`);
    for (const own of ["hmac", "token", "open"]) expect(html).toContain(`href="${ROOT}/${own}"`);
    expect(await page(`${ROOT}?workflowId=wf_1`)).toContain(`${ROOT}/github?workflowId=wf_1`);
  });

  it("of GitHub has a secret that is shown once, and instructions", async () => {
    const workflowId = await newWorkflow(apiKey, [{ name: "page", required: true }]);
    const { status, html, path } = await make("github", { workflowId });
    expect(status).toBe(200);
    const secret = textOf(html, "made-secret")?.trim() ?? "";
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(html).toContain("Give it the URL and the secret, and choose the events.");
    const endpoint = await madeBy(html);
    expect(textOf(html, "url")?.trim()).toBe(
      endpoint.url.replace("https://prompthook.example", "http://localhost"),
    );
    expect(endpoint).toMatchObject({
      name: "from github",
      workflowId,
      auth: { hmac: { preset: "github", secret: { last4: secret.slice(-4) } } },
    });
    expect(path).toBe(`/dashboard/webhooks/${endpoint.endpointId}`);
    const again = await page(path ?? "");
    expect(again).not.toContain(secret);
    expect(textOf(again, "made-secret")).toBeNull();
  });

  it("of Stripe accepts Stripe's own secret, at once or later", async () => {
    const given = (await make("stripe", { "auth.hmac.secret": "whsec_0123456789" })).html;
    expect(given).not.toContain("to finish.");
    expect((await madeBy(given)).auth.hmac?.secret.last4).toBe("6789");
    const { html } = await make("stripe");
    const { endpointId, auth } = await madeBy(html);
    expect(html).toContain("Add the sender’s secret under Settings to finish.");
    expect(textOf(html, "made-secret")).toBeNull();
    const at = `/dashboard/webhooks/${endpointId}`;
    const { action, fields } = formOn(await page(`${at}/settings`), "/settings");
    const pasted = await me.post(action, { ...fields, "auth.hmac.secret": "whsec_theirs1234" });
    expect(pasted.headers.get("Location")).toBe(`${at}/settings?saved=1`);
    const after = await madeBy(html);
    expect(after.auth.hmac?.secret.last4).toBe("1234");
    expect(after.auth.hmac?.secret.last4).not.toBe(auth.hmac?.secret.last4);
  });

  it("of a custom signature or a token shows its fields", async () => {
    const scheme = { template: "{timestamp}.{body}", timestampHeader: "X-Time", prefix: "v1:" };
    const signed = (await make("hmac", { "auth.hmac": JSON.stringify(scheme) })).html;
    expect((await madeBy(signed)).auth.hmac).toMatchObject({
      header: "X-Webhook-Signature",
      ...scheme,
    });
    const { html } = await make("token", { "auth.token.header": "X-Shop-Token" });
    expect(textOf(html, "made-token")?.trim()).toMatch(/^[\w-]{43}$/);
    expect((await madeBy(html)).auth).toMatchObject({ token: { header: "X-Shop-Token" } });
  });

  it("without authentication needs nothing, but may have an allowlist", async () => {
    const { html } = await make("open", { "auth.ipAllowlist": "203.0.113.0/24, \r\n2001:db8::1" });
    expect((await madeBy(html)).auth).toEqual({ ipAllowlist: ["203.0.113.0/24", "2001:db8::1"] });
    expect(textOf(html, "made-secret")).toBeNull();
  });
});

describe("the form of a new endpoint", () => {
  it("keeps the input and shows each error at its control", async () => {
    const { status, html } = await make("github", {
      name: "",
      workflowId: "wf_00000000000000000000",
      "auth.hmac.secret": "typed and not shown",
    });
    expect(status).toBe(400);
    expect(textOf(html, "name-error")).toBe("Is required.");
    expect(html).not.toContain("typed and not shown");
    expect(html).toContain("Enter the secret again");
  });
});

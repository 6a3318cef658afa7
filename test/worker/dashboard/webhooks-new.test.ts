import { beforeAll, describe, expect, it } from "vitest";
import { type EndpointRecord, endpointRecord } from "../../../src/contract/webhooks/endpoint.ts";
import { PRESETS } from "../../../src/contract/webhooks/signature.ts";
import { newAccount, send } from "../../support/worker/client.ts";
import { signedIn } from "../../support/worker/dashboard.ts";
import { formOn, textOf } from "../../support/worker/forms.ts";
import { newWorkflow, WEBHOOKS } from "../../support/worker/webhooks.ts";

const ROOT = "/dashboard/webhooks/new";

let apiKey: string;
let me: Awaited<ReturnType<typeof signedIn>>;

beforeAll(async () => {
  ({ apiKey } = await newAccount());
  me = await signedIn(apiKey);
});

const page = async (path: string) => (await me.get(path)).text();

/** Sends a sender's form with some controls filled in; answers the page that it leads to. */
async function make(sender: string, filled: Record<string, string> = {}) {
  const { action, fields } = formOn(await page(`${ROOT}/${sender}`), `/new/${sender}`);
  return me.submit(action, { ...fields, name: `from ${sender}`, ...filled });
}

/** The endpoint that a page was made for. */
async function recordOn(html: string, token: string): Promise<EndpointRecord> {
  const id = /\/dashboard\/webhooks\/(ep_[0-9a-f]{40})/.exec(html)?.[1];
  return endpointRecord.parse(await (await send(`${WEBHOOKS}/${id}`, { token })).json());
}
const madeBy = (html: string) => recordOn(html, apiKey);

describe("a new endpoint", () => {
  it("begins with its sender", async () => {
    const html = await page(ROOT);
    for (const preset of PRESETS) expect(html).toContain(`href="${ROOT}/${preset}"`);
    for (const own of ["hmac", "token", "open"]) expect(html).toContain(`href="${ROOT}/${own}"`);
    expect(await page(`${ROOT}?workflowId=wf_1`)).toContain(`${ROOT}/github?workflowId=wf_1`);
  });

  it("of GitHub comes with a secret that is shown once, and what to do with it", async () => {
    const workflowId = await newWorkflow(apiKey, [{ name: "page", required: true }]);
    const { status, html } = await make("github", { workflowId });
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
    expect(await page(`/dashboard/webhooks/${endpoint.endpointId}`)).not.toContain(secret);
  });

  it("is made once, however often the page that shows its secret is loaded", async () => {
    const { apiKey } = await newAccount();
    const reader = await signedIn(apiKey);
    const form = await (await reader.get(`${ROOT}/github`)).text();
    const { action, fields } = formOn(form, "/new/github");
    const { path, html } = await reader.submit(action, { ...fields, name: "shop" });
    expect(textOf(html, "made-secret")).not.toBeNull();
    const { endpointId } = await recordOn(html, apiKey);
    expect(path).toBe(`/dashboard/webhooks/${endpointId}`);
    const again = await (await reader.get(path ?? "")).text();
    expect(textOf(again, "made-secret")).toBeNull();
    const list = await (await send(WEBHOOKS, { token: apiKey })).json();
    expect(list).toMatchObject({ endpoints: [{ endpointId }] });
  });

  it("of Stripe takes Stripe's own secret afterwards", async () => {
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

  it("takes a secret that was pasted, and does not ask for it again", async () => {
    const { html } = await make("shopify", { "auth.hmac.secret": "shpss_0123456789" });
    expect(html).not.toContain("to finish.");
    expect(textOf(html, "made-secret")).toBeNull();
    expect((await madeBy(html)).auth.hmac?.secret.last4).toBe("6789");
    expect((await make("shopify")).html).toContain("paste it under Settings");
  });

  it("of a custom signature is signed as its form says", async () => {
    const { html } = await make("hmac", {
      "auth.hmac": JSON.stringify({
        template: "{timestamp}.{body}",
        timestampHeader: "X-Time",
        encoding: "base64",
        prefix: "v1:",
      }),
    });
    expect(await madeBy(html)).toMatchObject({
      auth: {
        hmac: {
          header: "X-Webhook-Signature",
          template: "{timestamp}.{body}",
          timestampHeader: "X-Time",
          encoding: "base64",
          prefix: "v1:",
        },
      },
    });
  });

  it("of a token asks for it in the header that was named", async () => {
    const { html } = await make("token", { "auth.token.header": "X-Shop-Token" });
    expect(textOf(html, "made-token")?.trim()).toMatch(/^[\w-]{43}$/);
    expect((await madeBy(html)).auth).toMatchObject({ token: { header: "X-Shop-Token" } });
  });

  it("that is open asks for nothing, but may know addresses", async () => {
    const { html } = await make("open", { "auth.ipAllowlist": "203.0.113.0/24, \r\n2001:db8::1" });
    expect((await madeBy(html)).auth).toEqual({ ipAllowlist: ["203.0.113.0/24", "2001:db8::1"] });
    expect(textOf(html, "made-secret")).toBeNull();
  });
});

describe("the form of a new endpoint", () => {
  it("keeps what was typed and says at each control what is wrong", async () => {
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

  it("says what only the service can know", async () => {
    const ranges = await make("open", { "auth.ipAllowlist": "1.2.3.4\r\nnowhere" });
    expect(ranges.status).toBe(400);
    expect(textOf(ranges.html, "auth.ipAllowlist-error")).toContain("Must be an IPv4 or IPv6");
    const template = await make("hmac", {
      "auth.hmac": JSON.stringify({ template: "{timestamp}" }),
    });
    expect(textOf(template.html, "auth.hmac-error")).toContain("Must contain {body}");
    const secret = await make("standard-webhooks", { "auth.hmac.secret": "whsec_%%%" });
    expect(textOf(secret.html, "auth.hmac.secret-error")).toContain("base64 after whsec_");
    const workflow = await make("github", { workflowId: "wf_00000000000000000000" });
    expect(textOf(workflow.html, "workflowId-error")).toBe("Must be a workflow of this account.");
  });
});

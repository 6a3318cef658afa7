import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Prompthook } from "../../../src/client/prompthook.ts";
import { expectQuiet, openDashboard, type TestDashboard } from "../../support/browser/dashboard.ts";
import { look, lookAround } from "../../support/browser/looks.ts";

let dashboard: TestDashboard;
let apiKey: string;
/** Where the pages of two endpoints are: one asks for all there is, the other holds what it got. */
let strict: string;
let open: string;

const ROOT = "/dashboard/webhooks";

beforeAll(async () => {
  dashboard = await openDashboard();
  ({ apiKey } = await dashboard.account());
  const api = new Prompthook({ baseUrl: dashboard.url, apiKey });
  const { workflowId } = await api.workflows.create({
    name: "Look at an order",
    prompt: "Say {{orderId}}.",
    inputs: [
      { name: "orderId", type: "integer", required: true },
      { name: "total", type: "number", default: 12.5 },
      { name: "page" },
    ],
  });
  const made = await api.webhooks.create({
    name: "shop orders",
    workflowId,
    auth: {
      hmac: { preset: "github" },
      token: {},
      headers: [{ name: "X-Env", value: "the production of ours" }, { name: "X-Source" }],
      ipAllowlist: ["127.0.0.1", "2001:db8::/32"],
    },
    validation: { required: ["order.id"], types: { "order.total": "number" } },
    mapping: {
      fields: [
        { to: "orderId", from: "order.id", transforms: [{ type: "integer" }] },
        {
          to: "total",
          from: "order.cents",
          transforms: [{ type: "unit", from: "minor", to: "major", currency: "USD" }],
        },
      ],
    },
  });
  await api.webhooks.rotateSecret(made.endpointId, { target: "hmac" });
  strict = `${ROOT}/${made.endpointId}`;
  const held = await api.webhooks.create({ name: "open", workflowId: null });
  open = `${ROOT}/${held.endpointId}`;
  for (const id of ["evt_1", "evt_2", "evt_3"]) {
    const body = JSON.stringify({ id, page: "https://example.com/", order: { id: 7 } });
    const headers = { "Content-Type": "application/json" };
    expect((await fetch(held.url, { method: "POST", headers, body })).status).toBe(202);
  }
});
afterAll(() => dashboard.close());

describe("the pages of endpoints read well", () => {
  test("on the way to an endpoint", async () => {
    await lookAround(await dashboard.signIn(apiKey), {
      "webhooks-list": ROOT,
      "webhooks-senders": `${ROOT}/new`,
      "webhooks-new-github": `${ROOT}/new/github`,
      "webhooks-new-custom": `${ROOT}/new/hmac`,
    });
  });

  test("of one that asks for much, of one that holds what it got, and before there is any", async () => {
    await lookAround(await dashboard.signIn(apiKey), {
      "webhooks-overview": strict,
      "webhooks-try": `${strict}/try`,
      "webhooks-rules": `${strict}/rules`,
      "webhooks-settings": `${strict}/settings`,
      "webhooks-overview-held": open,
    });
    const { apiKey: key } = await dashboard.account();
    await lookAround(await dashboard.signIn(key), { "webhooks-empty": ROOT });
  });

  test("once something was done", async () => {
    const page = await dashboard.signIn(apiKey);
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();

    await page.goto(`${ROOT}/new/standard-webhooks`);
    await press("Create endpoint");
    await page.getByText("is ready.").waitFor();
    await look(page, "webhooks-made");

    await page.goto(`${strict}/try`);
    await page.getByLabel("Body").fill('{"order": {"id": "x"}}');
    await page.getByLabel("Sign as the sender would").uncheck();
    await press("Try sample");
    await page.locator("#verdict").waitFor();
    await look(page, "webhooks-verdict");

    await page.goto(`${open}/rules`);
    await press("Add value");
    const value = page.getByRole("group", { name: "Value 1" });
    await value.getByLabel("Path or name").fill("page");
    await value.getByLabel("Input").fill("page");
    await page.getByLabel("Required paths").fill("order.total");
    await press("Try draft");
    await page.locator("#what-if").waitFor();
    await look(page, "webhooks-what-if");
    expectQuiet(page);
  });

  test("where a form was refused", async () => {
    const page = await dashboard.signIn(apiKey);
    const refused = async (path: string, typed: Record<string, string>, submit: string) => {
      await page.goto(path);
      // The last first: each that opens leaves the list.
      const folded = await page.locator("form details:not([open]) > summary").all();
      for (const summary of folded.reverse()) await summary.click();
      for (const [name, text] of Object.entries(typed)) {
        await page.locator(`[name="${name}"]`).fill(text);
      }
      await page.getByRole("button", { name: submit }).click();
      await page.locator(".notice.bad").first().waitFor();
      await look(page, `webhooks-refused-${path.split("/").at(-1)}`);
    };
    await refused(`${strict}/settings`, { path: "a b" }, "Save settings");
    const rules = { "validation.required": "a..b", "mapping.fields[0].from": "a..b" };
    await refused(`${strict}/rules`, rules, "Save draft");
  });
});

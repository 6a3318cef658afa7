import { randomUUID } from "node:crypto";
import { sign } from "@octokit/webhooks-methods";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Prompthook } from "../../../src/client/prompthook.ts";
import { expectQuiet, openDashboard, type TestDashboard } from "../../support/browser/dashboard.ts";
import { isFocused, tabTo } from "../../support/browser/keyboard.ts";

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.close());

async function newAccount() {
  const { apiKey } = await dashboard.account();
  return { apiKey, api: new Prompthook({ baseUrl: dashboard.url, apiKey }) };
}

/** An event of GitHub, signed by its own library. */
async function sendEvent(url: string, secret: string, payload: object): Promise<number> {
  const body = JSON.stringify(payload);
  const { status } = await fetch(url, {
    method: "POST",
    body,
    headers: {
      "Content-Type": "application/json",
      "X-GitHub-Event": "issues",
      "X-GitHub-Delivery": randomUUID(),
      "X-Hub-Signature-256": await sign(secret, body),
    },
  });
  return status;
}

const shown = async (page: Page, id: string) =>
  ((await page.locator(`#${id}`).textContent()) ?? "").trim();

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });

describe("an endpoint for GitHub", () => {
  test("goes from its preset to its end", async () => {
    const { apiKey, api } = await newAccount();
    const { workflowId } = await api.workflows.create({
      name: "Look at an issue",
      prompt: "Say {{title}}.",
      inputs: [{ name: "title", required: true }],
    });
    const page = await dashboard.signIn(apiKey);

    // Made from its preset, with a secret of ours.
    await page.goto("/dashboard/webhooks");
    await link(page, "Create endpoint").click();
    await page.getByRole("link", { name: "GitHub" }).click();
    await page.getByLabel("Workflow").selectOption({ label: "Look at an issue" });
    await button(page, "Create endpoint").click();
    await page.getByText("The endpoint is ready.").waitFor();
    const [url, first] = [await shown(page, "url"), await shown(page, "made-secret")];
    await button(page, "Copy: Secret").click();
    await button(page, "Copy: Secret").getByText("Copied").waitFor();
    const clipboard = await page.evaluate("navigator.clipboard.readText()");
    expect(String(clipboard).trim()).toBe(first);

    // An event that GitHub's own library has signed appears without a reload.
    const event = { action: "opened", issue: { title: "The export is empty" } };
    expect(await sendEvent(url, first, event)).toBe(202);
    await page.locator("#arrivals").getByText("202", { exact: true }).waitFor();
    expect(await sendEvent(url, "another secret", event)).toBe(401);

    // A sample, signed and unsigned.
    await link(page, "Try a sample").first().click();
    await button(page, "Try sample").click();
    await page.getByRole("heading", { name: "Accepted" }).waitFor();
    await page.getByLabel("Sign as the sender would").uncheck();
    await button(page, "Try sample").click();
    await page.getByRole("heading", { name: "Rejected" }).waitFor();
    await page.getByText("The header X-Hub-Signature-256 is missing.").first().waitFor();

    // A draft of validation, tried on what came, then saved.
    await link(page, "Validation and mapping").click();
    await page.getByLabel("Required paths").fill("issue.number");
    await button(page, "Try draft").click();
    await page.getByText("Rejected by the current rules: 0; by this draft: 1.").waitFor();
    await button(page, "Save draft").click();
    await page.getByText("Rules saved. They apply to every new request.").waitFor();
    expect(await sendEvent(url, first, event)).toBe(422);
    const numbered = { ...event, issue: { ...event.issue, number: 7 } };
    expect(await sendEvent(url, first, numbered)).toBe(202);

    // The secret is rotated; the old one is good beside the new one.
    await link(page, "Settings").click();
    await page.getByLabel("Old secret stays valid (seconds)").fill("3600");
    await button(page, "Rotate secret").click();
    await page.getByText("The new secret is valid now.").waitFor();
    const second = await shown(page, "made-secret");
    expect(second).not.toBe(first);
    for (const secret of [first, second]) {
      expect(await sendEvent(url, secret, numbered)).toBe(202);
    }

    // Off, on, and gone.
    await link(page, "Overview").last().click();
    await page.getByRole("button", { name: "Disable endpoint" }).click();
    await page.getByText("This endpoint is disabled.").waitFor();
    expect(await sendEvent(url, second, numbered)).toBe(404);
    await page.getByRole("button", { name: "Enable endpoint" }).click();
    await page.getByText("This endpoint is disabled.").waitFor({ state: "detached" });
    expect(await sendEvent(url, second, numbered)).toBe(202);
    await link(page, "Settings").click();
    await link(page, "Delete GitHub").click();
    await button(page, "Delete GitHub").click();
    await page.waitForURL("**/dashboard/webhooks");
    await page.getByText("No endpoints yet").waitFor();
    expect(await sendEvent(url, second, numbered)).toBe(410);
    expect((await api.workflows.get(workflowId)).name).toBe("Look at an issue");
    expectQuiet(page);
  });

  test("is made, tried and switched off by the keyboard alone", async () => {
    const { apiKey, api } = await newAccount();
    const page = await dashboard.signIn(apiKey);
    await tabTo(page, link(page, "Webhooks"));
    await page.keyboard.press("Enter");
    await tabTo(page, link(page, "Create endpoint"));
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByRole("link", { name: "GitHub" }));
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByLabel("Name", { exact: true }));
    await page.keyboard.type(" of ours");
    await page.keyboard.press("Enter");
    await page.getByText("is ready.").waitFor();
    await tabTo(page, button(page, "Copy: URL"));
    await page.keyboard.press("Enter");
    await button(page, "Copy: URL").getByText("Copied").waitFor();
    await tabTo(page, link(page, "Try a sample").first());
    await page.keyboard.press("Enter");
    await tabTo(page, button(page, "Try sample"));
    await page.keyboard.press("Space");
    await page.getByRole("heading", { name: "Accepted" }).waitFor();
    await tabTo(page, link(page, "Overview").last());
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByRole("button", { name: "Disable endpoint" }));
    await page.keyboard.press("Space");
    await page.getByText("This endpoint is disabled.").waitFor();
    const { endpoints } = await api.webhooks.list();
    expect(endpoints).toMatchObject([{ enabled: false }]);
    expectQuiet(page);
  });
});

test("a mapping is made and tried by the keyboard alone", async () => {
  const { apiKey, api } = await newAccount();
  const { workflowId } = await api.workflows.create({
    name: "Greet",
    prompt: "Greet {{domain}}.",
    inputs: [{ name: "name" }, { name: "domain", required: true }],
  });
  const { endpointId, url } = await api.webhooks.create({ name: "hook", workflowId });
  const body = JSON.stringify({ person: { name: "Jo", mail: "jo@shop.example.co.uk" } });
  const headers = { "Content-Type": "application/json" };
  expect((await fetch(url, { method: "POST", headers, body })).status).toBe(422);
  const page = await dashboard.signIn(apiKey);
  await page.goto(`/dashboard/webhooks/${endpointId}/rules`);

  await tabTo(page, button(page, "Add value"));
  await page.keyboard.press("Enter");
  const field = page.getByRole("group", { name: "Value 1" });
  await expect.poll(() => isFocused(field.getByLabel("Path or name"))).toBe(true);
  await page.keyboard.type("person.mail");
  await tabTo(page, field.getByLabel("Input"));
  await page.keyboard.type("domain");
  await tabTo(page, field.getByLabel("Default"));
  await page.keyboard.type('"example.com"');
  await tabTo(page, field.getByLabel("Transforms"));
  await page.keyboard.type('[{"type": "domain", "level": "host"}]');
  await tabTo(page, button(page, "Try draft"));
  await page.keyboard.press("Enter");
  await page.locator("#what-if").getByText('"shop.example.co.uk"').waitFor();
  await tabTo(page, button(page, "Save draft"));
  await page.keyboard.press("Enter");
  await page.getByText("Rules saved.").waitFor();
  const { mapping } = await api.webhooks.get(endpointId);
  const transforms = [{ type: "domain", level: "host" }];
  expect(mapping.fields).toEqual([
    { to: "domain", from: "person.mail", transforms, default: "example.com" },
  ]);
  expectQuiet(page);
});

describe("rows of required headers", () => {
  test("come and go without leaving the page, and the focus goes with them", async () => {
    const { apiKey, api } = await newAccount();
    const { endpointId } = await api.webhooks.create({ name: "hook" });
    const page = await dashboard.signIn(apiKey);
    await page.goto(`/dashboard/webhooks/${endpointId}/settings`);
    await page.getByLabel("Log retention (days)").fill("7");
    await button(page, "Add header").click();
    const name = (row: number) =>
      page.getByRole("group", { name: `Header ${row}` }).getByLabel("Name");
    await name(1).waitFor();
    await expect.poll(() => isFocused(name(1))).toBe(true);
    await page.keyboard.type("X-One");
    await button(page, "Add header").click();
    await name(2).fill("X-Two");
    await button(page, "Remove header 1").or(button(page, "Remove X-One")).click();
    await name(2).waitFor({ state: "detached" });
    expect(await name(1).inputValue()).toBe("X-Two");
    expect(await page.getByLabel("Log retention (days)").inputValue()).toBe("7");
    // Enter saves, though the first button that is seen adds a row.
    await name(1).press("Enter");
    await page.getByText(/saved\./).waitFor();
    expect((await api.webhooks.get(endpointId)).auth.headers).toEqual([{ name: "X-Two" }]);
    expectQuiet(page);
  });
});

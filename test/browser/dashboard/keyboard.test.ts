import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { expectAccessible, expectQuiet } from "../../support/browser/dashboard.ts";
import { isFocused } from "../../support/browser/keyboard.ts";
import { openRunRoom, untilSaid } from "../../support/browser/run-room.ts";
import { call, callsTools, finishes } from "../../support/model-server/behaviour.ts";
import { Webhooks } from "../../support/webhooks.ts";

const room = await openRunRoom();
/** A reader of an account that has something of each kind. */
let page: Page;

beforeAll(async () => {
  const client = await room.dashboard.account();
  // A decision, a workflow, an endpoint and a request, so that no page is empty.
  await client.trigger({ prompt: "Run ```return 1;```", approvals: ["run_code"] });
  const webhooks = new Webhooks(room.dashboard, client.apiKey);
  const workflowId = await webhooks.workflow({ name: "look", prompt: "Say hello." });
  const { url } = await webhooks.endpoint({ name: "Orders", workflowId });
  await fetch(url, { method: "POST", body: "{}" });
  page = await room.dashboard.signIn(client.apiKey);
});

/** The presses of the walk below, without what is typed. */
const MOST_PRESSES = 60;

test("the keyboard alone signs in, finds an execution, answers it and replays a request", async () => {
  const client = await room.dashboard.account();
  const webhooks = new Webhooks(room.dashboard, client.apiKey);
  const { url, endpointId } = await webhooks.endpoint({ name: "Orders" });
  await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ type: "order.paid" }),
  });
  const model = room.model(
    callsTools(call("ask_user", { question: "Which year?" })),
    finishes("Thank you."),
  );
  await client.trigger({ prompt: "Ask.", model, interactive: true, metadata: { order: "A-1007" } });

  const page = await room.dashboard.visit();
  await page.goto("/dashboard/sign-in");
  let presses = 0;
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
    presses += keys.length;
  };
  const goTo = async (target: Locator) => {
    await target.waitFor();
    while (!(await isFocused(target)) && presses < 2 * MOST_PRESSES) {
      await press((await page.locator(".skip:focus").count()) > 0 ? "Enter" : "Tab");
    }
  };

  // A browser gives the focus when it first draws the page, which can be after its `load` event.
  const typeAtOnce = async (text: string) => {
    await page.locator("[autofocus]:focus").waitFor();
    await page.keyboard.type(text);
  };
  await typeAtOnce(client.apiKey);
  await press("Enter");
  await page.waitForURL("**/dashboard");
  await press("/");
  await page.waitForURL("**/dashboard/search");
  await typeAtOnce("A-1007");
  await press("Enter");
  await page.locator("#results a").first().waitFor();
  await expectAccessible(page);
  await goTo(page.locator("#results a").first());
  await press("Enter");
  await goTo(page.getByLabel("Your answer"));
  await page.keyboard.type("2026");
  await press("Control+Enter");
  await untilSaid(page, "completed");
  await press("Control+k");
  await page.waitForURL("**/dashboard/search");
  await page.goBack();
  await press("g", "w");
  await page.waitForURL("**/dashboard/webhooks");
  await press("j", "j", "k", "Enter");
  await page.waitForURL(`**/dashboard/webhooks/${endpointId}`);
  await press("j", "Enter");
  await goTo(page.getByRole("button", { name: "Replay unchanged" }));
  const original = page.url();
  await press("Enter");
  await page.waitForURL((at) => at.href !== original);
  console.info(`${presses} presses`);
  expect(presses).toBeLessThanOrEqual(MOST_PRESSES);
  expectQuiet(page);
});

test.each(["", "/executions", "/requests", "/usage"])(
  "the content of /dashboard%s is at most ten key presses from the top",
  async (path) => {
    await page.goto(`/dashboard${path}`);
    const rows = page.locator("#list .row-link");
    const main = page.locator("#main :is(a, button, input, textarea, summary):not([tabindex])");
    const target = (await rows.count()) > 0 ? rows : main;
    let presses = 0;
    const skips = page.locator(".skip:focus");
    while (!(await isFocused(target.locator("visible=true").first())) && presses <= 10) {
      await page.keyboard.press((await skips.count()) > 0 ? "Enter" : "Tab");
      presses += 1;
    }
    expect(presses).toBeLessThanOrEqual(10);
    expectQuiet(page);
  },
);

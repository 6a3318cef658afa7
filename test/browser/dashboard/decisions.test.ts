import { afterAll, beforeAll, expect, test } from "vitest";
import { expectQuiet } from "../../support/browser/dashboard.ts";
import { look } from "../../support/browser/looks.ts";
import { openRunRoom, type RunRoom } from "../../support/browser/run-room.ts";
import { call, callsTools, finishes } from "../../support/model-server/behaviour.ts";
import { Webhooks } from "../../support/webhooks.ts";

let room: RunRoom;

beforeAll(async () => {
  room = await openRunRoom({ hasOutbox: true });
});
afterAll(() => room.close());

test("the page of decisions and that of a link read well in both lights and on a phone", async () => {
  const client = await room.dashboard.account();
  const email = "ada@acme.example";
  const member = { email, role: "operator", name: "Ada" };
  await new Webhooks(room.dashboard, client.apiKey).call("POST", "/members", member);
  const input = { method: "POST", url: "https://shop.example/", body: { amount: 5 } };
  const model = room.model(callsTools(call("http_request", input)), finishes("Paid."));
  const asks = { model, approvals: ["http_request"], notify: [{ email }] };
  await client.trigger({ prompt: "Pay what we owe", ...asks });
  const page = await room.dashboard.signIn(client.apiKey);
  const heading = page.getByRole("heading", { name: "Approve this call of http_request?" });
  const shown = async () => {
    await page.goto("/dashboard/decisions");
    return heading.count();
  };
  await expect.poll(shown).toBe(1);
  await page.getByText("Change the call").click();
  await look(page, "decisions");
  const arrived = async () => {
    await page.goto("/dashboard/outbox");
    return page.getByRole("listitem").getByRole("link").count();
  };
  await expect.poll(arrived).toBe(1);
  await page.getByRole("listitem").getByRole("link").click();
  await page.getByRole("link", { name: "Open the link" }).click();
  await page.getByText("Change the call").click();
  await look(page, "decision-link");
  expectQuiet(page);
});

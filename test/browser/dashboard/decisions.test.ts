import { afterAll, beforeAll, expect, test } from "vitest";
import { expectFitting, expectQuiet } from "../../support/browser/dashboard.ts";
import { look } from "../../support/browser/looks.ts";
import { openRunRoom, type RunRoom } from "../../support/browser/run-room.ts";
import { call, callsTools, finishes } from "../../support/model-server/behaviour.ts";
import { readText, startServer } from "../../support/server.ts";

let room: RunRoom;
let shop: Awaited<ReturnType<typeof startServer>>;
const paid: string[] = [];

beforeAll(async () => {
  shop = await startServer(async (request, response) => {
    paid.push(await readText(request));
    response.end("{}");
  });
  room = await openRunRoom({ hasOutbox: true });
});
afterAll(() => Promise.all([room, shop].map((one) => one?.close())));

const EMAIL = "ada@acme.example";

/** An execution that asks Ada whether it may pay, by mail. */
async function paying() {
  const client = await room.dashboard.account();
  const headers = {
    Authorization: `Bearer ${client.apiKey}`,
    "Content-Type": "application/json",
  };
  const body = JSON.stringify({ email: EMAIL, role: "operator", name: "Ada" });
  await fetch(`${room.dashboard.url}/api/v1/members`, { method: "POST", headers, body });
  const input = { method: "POST", url: shop.origin, body: { amount: 5 } };
  const model = room.model(callsTools(call("http_request", input)), finishes("Paid."));
  const id = await client.trigger({
    prompt: "Pay what we owe",
    model,
    approvals: ["http_request"],
    notify: [{ email: EMAIL }],
  });
  return { client, id };
}

test("a member opens the link of a mail on a phone, changes the call and approves it; the ledger shows both calls and the name", async () => {
  const { client, id } = await paying();
  const phone = await room.dashboard.visit({ phone: true, scripts: false });
  const mails = phone.getByRole("listitem").getByRole("link");
  const arrived = async () => {
    await phone.goto("/dashboard/outbox");
    return mails.count();
  };
  await expect.poll(arrived).toBe(1);
  await mails.click();
  await phone.getByRole("link", { name: "Open the link" }).click();
  await phone.getByRole("heading", { name: "Approve this call of http_request?" }).waitFor();
  expect(await phone.getByText("Pay what we owe").isVisible()).toBe(true);
  const address = phone.url();
  await phone.getByText("Change the call").click();
  await expectFitting(phone);
  await phone.getByLabel("body", { exact: true }).fill('{"amount": 3');
  await phone.getByRole("button", { name: "Review changes" }).click();
  await phone.getByText("Is not valid JSON.").first().waitFor();
  await phone.getByLabel("body", { exact: true }).fill('{"amount": 3}');
  await phone.getByRole("button", { name: "Review changes" }).click();
  await phone.getByRole("deletion").getByText("5", { exact: true }).waitFor();
  expect(paid).toEqual([]);
  await phone.getByRole("button", { name: "Approve changed call" }).click();
  await phone.getByRole("status").getByText(`Already approved by ${EMAIL} at`).waitFor();
  await client.ended(id);
  expect(paid).toEqual(['{"amount":3}']);

  const page = await room.dashboard.signIn(client.apiKey);
  await page.goto(address);
  await look(page, "decision-answered");
  await page.goto(`/dashboard/executions/${id}?tab=result`);
  await page.getByText(`Changed and approved by ${EMAIL}`).click();
  await page.getByText("Asked by the agent").waitFor();
  await page.getByRole("deletion").getByText("5", { exact: true }).waitFor();
  expectQuiet(page);
});

test("the page of decisions and that of a link read well in both lights and on a phone", async () => {
  const { client } = await paying();
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
  await expect.poll(arrived).toBe(2);
  await page.getByRole("listitem").getByRole("link").first().click();
  await page.getByRole("link", { name: "Open the link" }).click();
  await page.getByText("Change the call").click();
  await look(page, "decision-link");
  expectQuiet(page);
});

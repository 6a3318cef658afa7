import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { expectFitting, expectQuiet } from "../../support/browser/dashboard.ts";
import { look } from "../../support/browser/looks.ts";
import { openRunRoom, type RunRoom } from "../../support/browser/run-room.ts";
import { call, callsTools, finishes } from "../../support/model-server/behaviour.ts";
import { readText, startServer } from "../../support/server.ts";
import { Webhooks } from "../../support/webhooks.ts";

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

type Notify = (account: Webhooks) => Promise<({ email: string } | { destinationId: string })[]>;

/** An account with Ada as a member, and an execution that asks whether it may pay. */
async function paying(notify: Notify = async () => [{ email: EMAIL }], email = EMAIL) {
  const client = await room.dashboard.account();
  const account = new Webhooks(room.dashboard, client.apiKey);
  await account.call("POST", "/members", { email, role: "operator", name: "Ada" });
  const input = { method: "POST", url: shop.origin, body: { amount: 5 } };
  const model = room.model(callsTools(call("http_request", input)), finishes("Paid."));
  const id = await client.trigger({
    prompt: "Pay what we owe",
    model,
    approvals: ["http_request"],
    notify: await notify(account),
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
  await phone.getByText("This is not JSON").first().waitFor();
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

/** The buttons of a message in Slack's format. */
const slackMessage = z.object({
  text: z.string(),
  blocks: z.array(z.looseObject({ elements: z.array(z.object({ url: z.url() })).default([]) })),
});

test("a member signs in by the link of a mail, and approves from the message in Slack", async () => {
  const messages: z.infer<typeof slackMessage>[] = [];
  const slack = await startServer(async (request, response) => {
    messages.push(slackMessage.parse(JSON.parse(await readText(request))));
    response.end("ok");
  });
  const email = "grace@acme.example";
  const { client, id } = await paying(async (account) => {
    const body = { name: "chat", url: `${slack.origin}/services/T1/B1/x`, format: "slack" };
    const made = await account.call("POST", "/destinations", { ...body, events: [] });
    return [z.object({ destinationId: z.string() }).parse(made)];
  }, email);

  const phone = await room.dashboard.visit({ phone: true, scripts: false });
  const addresses = async () => {
    await phone.goto("/dashboard/outbox");
    const mails = await phone.getByRole("listitem").getByRole("link").all();
    return Promise.all(mails.map((mail) => mail.getAttribute("href")));
  };
  const before = await addresses();
  await phone.goto("/dashboard/sign-in");
  await phone.getByLabel("E-mail address").fill(email);
  await phone.getByRole("button", { name: "Send link" }).click();
  const newOnes = async () => (await addresses()).filter((href) => !before.includes(href));
  await expect.poll(newOnes).toHaveLength(1);
  await phone.goto((await newOnes())[0] ?? "");
  await phone.getByRole("link", { name: "Open the link" }).click();
  await phone.getByRole("button", { name: "Sign in" }).click();
  await phone.goto("/dashboard/decisions");
  await phone.getByRole("heading", { name: "Approve this call of http_request?" }).waitFor();

  await expect.poll(() => messages).toHaveLength(1);
  const [message] = messages;
  expect(message?.text).toContain(`POST ${shop.origin}`);
  const [link] = message?.blocks.flatMap(({ elements }) => elements) ?? [];
  await phone.goto(link?.url ?? "");
  await phone.getByRole("button", { name: "Approve tool call" }).click();
  await phone.getByRole("status").getByText("Already approved by").waitFor();
  expect(await client.ended(id)).toMatchObject({ status: "completed" });
  await slack.close();
});

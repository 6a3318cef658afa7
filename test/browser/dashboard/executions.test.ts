import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAccessible, expectQuiet } from "../../support/browser/dashboard.ts";
import { isFocused } from "../../support/browser/keyboard.ts";
import { type Gate, startGate } from "../../support/browser/request-room.ts";
import {
  markPage,
  openRunRoom,
  type RunRoom,
  runIdOf,
  statusOf,
  untilSaid,
} from "../../support/browser/run-room.ts";
import { call, callsTools, finishes } from "../../support/model-server/behaviour.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";

let room: RunRoom;
let receiver: Receiver;
const gates: Gate[] = [];

beforeAll(async () => {
  [room, receiver] = await Promise.all([openRunRoom(), startReceiver()]);
});
afterAll(() => Promise.all([room, receiver, ...gates].map((one) => one.close())));

async function newGate(): Promise<Gate> {
  const gate = await startGate();
  gates.push(gate);
  return gate;
}

/** A reader who has signed in to an account of their own. */
async function newReader() {
  const client = await room.dashboard.account();
  return { client, page: await room.dashboard.signIn(client.apiKey) };
}

describe("an execution", () => {
  test("is started by the form and watched to its end, without reloading", async () => {
    const { page, client } = await newReader();
    const gate = await newGate();
    await page.getByRole("link", { name: "Executions" }).click();
    await page.getByRole("link", { name: "Start execution" }).first().click();
    await page.getByLabel("Prompt").fill(`List headings of ${gate.url}.`);
    await page.getByRole("button", { name: "Start execution" }).click();
    await untilSaid(page, "Running");
    const expectSamePage = await markPage(page);
    await page.getByText(`Opening ${gate.url}`).first().waitFor();
    gate.open();
    await untilSaid(page, "completed");
    await page.getByRole("article", { name: "Headings" }).getByText("It is open").waitFor();
    await page.getByRole("link", { name: "Run again" }).waitFor();
    await expectSamePage();
    await expectAccessible(page);
    expect(await client.status(runIdOf(page))).toMatchObject({ status: "completed" });
    expectQuiet(page);
  });

  test("is stopped with a reason, once somebody has said that they mean it", async () => {
    const { page, client } = await newReader();
    const gate = await newGate();
    const id = await client.trigger({ prompt: `List headings of ${gate.url}.` });
    await page.goto(`/dashboard/executions/${id}`);
    await page.getByRole("button", { name: "Stop execution…" }).click();
    await page.getByRole("region", { name: "Stop this execution?" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByLabel("Reason (optional)").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Stop execution…" }).click();
    await page.getByLabel("Reason (optional)").fill("Wrong page");
    await page.getByRole("button", { name: "Stop execution", exact: true }).click();
    await untilSaid(page, "Stopped by request");
    await page.getByText("Stopped by request: Wrong page").first().waitFor();
    expect(await client.status(id)).toMatchObject({ status: "stopped" });
    expectQuiet(page);
  });
});

describe("talking to an execution", () => {
  test("it gets a message, and what is being typed outlasts every change of the page", async () => {
    const { page, client } = await newReader();
    const [first, second] = [await newGate(), await newGate()];
    const model = room.model(
      callsTools(call("browse", { url: first.url })),
      callsTools(call("emit_output", { label: "Halfway", type: "text", value: "  half\n  way" })),
      callsTools(call("browse", { url: second.url })),
      finishes("Done with both."),
    );
    const id = await client.trigger({ prompt: "Look twice.", model });
    await page.goto(`/dashboard/executions/${id}`);
    await untilSaid(page, "Running");
    const box = page.getByLabel("Message to the agent");
    await box.fill("Only the first ten");
    for (const _ of " ten") await page.keyboard.press("ArrowLeft");
    first.open();
    await page.getByText("Adding the output Halfway").waitFor();
    await page.getByText(`Opening ${second.url}`).first().waitFor();
    expect(await isFocused(box)).toBe(true);
    await page.keyboard.type(" and last");
    expect(await box.inputValue()).toBe("Only the first and last ten");
    await page.getByRole("button", { name: "Send message" }).click();
    await page.getByText("Only the first and last ten").waitFor();
    await box.fill("And then");
    second.open();
    await untilSaid(page, "completed");
    expect(await box.inputValue()).toBe("And then");
    await page.getByRole("button", { name: "Send message" }).click();
    await page.getByText("no longer receives messages").waitFor();
    expect(await box.inputValue()).toBe("And then");
  });
});

test("a callback is delivered again, and its attempt shows without reloading", async () => {
  const { page, client } = await newReader();
  const callbackUrl = `${receiver.url}?${crypto.randomUUID()}`;
  const model = room.model(finishes("Done."));
  const id = await client.trigger({ prompt: "Be done.", model, callbackUrl });
  const isMine = ({ body }: { body: { executionId: string } }) => body.executionId === id;
  const first = await receiver.received(isMine);
  await page.goto(`/dashboard/executions/${id}?tab=callbacks`);
  const attempts = page.getByRole("table", { name: "Callback attempts" }).getByRole("row");
  await attempts.nth(1).waitFor();
  await page.getByRole("button", { name: "Redeliver callback" }).click();
  await receiver.received((delivery) => isMine(delivery) && delivery !== first);
  const expectSamePage = await markPage(page);
  await attempts.nth(2).waitFor();
  await page.getByLabel("Callbacks").getByText("delivered").first().waitFor();
  await expectSamePage();
  await expectAccessible(page);
  expect(await statusOf(page).textContent()).toContain("completed");
});

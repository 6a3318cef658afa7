import { describe, expect, test } from "vitest";
import { startCuttable } from "../../support/browser/cuttable.ts";
import { expectQuiet } from "../../support/browser/dashboard.ts";
import { isFocused } from "../../support/browser/keyboard.ts";
import { startGate } from "../../support/browser/request-room.ts";
import { markPage, openRunRoom, statusOf, untilSaid } from "../../support/browser/run-room.ts";
import { call, callsTools, finishes } from "../../support/model-server/behaviour.ts";

const room = await openRunRoom();

/** Lets a test ask for the states of all lines that the page has opened. */
const LINES = `{
  const all = [];
  globalThis.EventSource = class extends EventSource {
    constructor(...args) {
      super(...args);
      all.push(this);
    }
  };
  globalThis.lines = () => all.map(({ readyState }) => readyState);
}`;
const [OPEN, CLOSED] = [1, 2];

/** A reader who has signed in to an account of their own. */
async function newReader() {
  const client = await room.dashboard.account();
  return { client, page: await room.dashboard.signIn(client.apiKey) };
}

describe("the live stream of an execution's page", () => {
  test("announces only the status to a screen reader, closes at the end, and stays closed", async () => {
    const { client, page } = await newReader();
    await page.addInitScript({ content: LINES });
    const lines = () => page.evaluate("lines()");
    const gate = await startGate();
    const model = room.model(callsTools(call("browse", { url: gate.url })), finishes("All done."));
    const id = await client.trigger({ prompt: "Look at it.", model });
    await page.goto(`/dashboard/executions/${id}`);
    await untilSaid(page, "Running");
    await expect.poll(lines).toEqual([OPEN]);
    const status = await statusOf(page).elementHandle();
    gate.open();
    await untilSaid(page, "completed");
    // A region that is replaced is not announced: it has to be the same element.
    expect(await status?.evaluate((element) => element.isConnected)).toBe(true);
    const regions = page.locator("main :is([aria-live], [role=status], [role=alert], [role=log])");
    expect(await regions.count()).toBe(1);
    // Another line follows what waits for a person.
    await expect.poll(lines).toEqual([CLOSED, OPEN]);
    expectQuiet(page);
  });

  test("reconnects after an interruption, and shows what happened meanwhile", async () => {
    const way = await startCuttable(room.dashboard.url);
    const { client, page } = await newReader();
    const [first, second] = [await startGate(), await startGate()];
    const model = room.model(
      callsTools(call("browse", { url: first.url })),
      callsTools(call("browse", { url: second.url })),
      finishes("All done."),
    );
    const id = await client.trigger({ prompt: "Look at both.", model });
    await page.goto(`${way.origin}/dashboard/executions/${id}`);
    await untilSaid(page, "Running");
    const expectSamePage = await markPage(page);
    way.cut();
    first.open();
    await page.getByText(`Opening ${second.url}`).first().waitFor();
    second.open();
    await untilSaid(page, "completed");
    await expectSamePage();
  });
});

describe("a message to an execution", () => {
  test("is sent, and its draft survives every change of the page", async () => {
    const { page, client } = await newReader();
    const [first, second] = [await startGate(), await startGate()];
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

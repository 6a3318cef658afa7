import { describe, expect, test } from "vitest";
import { startCuttable } from "../../support/browser/cuttable.ts";
import { expectAccessible, expectQuiet } from "../../support/browser/dashboard.ts";
import { isFocused } from "../../support/browser/keyboard.ts";
import { type Gate, startGate } from "../../support/browser/request-room.ts";
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

/** A run that opens this gate's page, and then is done. */
async function trigger(client: Awaited<ReturnType<typeof room.dashboard.account>>, gate: Gate) {
  const model = room.model(callsTools(call("browse", { url: gate.url })), finishes("All done."));
  return client.trigger({ prompt: "Look at it.", model });
}

describe("the live stream of an execution's page", () => {
  test("announces only the status to a screen reader, closes at the end, and stays closed", async () => {
    const client = await room.dashboard.account();
    const page = await room.dashboard.signIn(client.apiKey);
    await page.addInitScript({ content: LINES });
    const lines = () => page.evaluate("lines()");
    const gate = await startGate();
    await page.goto(`/dashboard/executions/${await trigger(client, gate)}`);
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
    const client = await room.dashboard.account();
    const page = await room.dashboard.signIn(client.apiKey);
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

describe("the list of executions", () => {
  test("updates its executions without reloading, and keeps the focus", async () => {
    const client = await room.dashboard.account();
    const page = await room.dashboard.signIn(client.apiKey);
    const gate = await startGate();
    await trigger(client, gate);
    await page.goto("/dashboard/executions");
    const row = page.getByRole("row").nth(1);
    await row.getByText("active", { exact: true }).waitFor();
    const link = row.getByRole("link", { name: "Look at it." });
    await link.focus();
    const expectSamePage = await markPage(page);
    gate.open();
    await row.getByText("completed", { exact: true }).waitFor();
    await row.getByText("All done.").waitFor();
    expect(await isFocused(link)).toBe(true);
    await expectSamePage();
    await expectAccessible(page);
    expectQuiet(page);
  });
});

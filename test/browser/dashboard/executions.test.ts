import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAccessible, expectQuiet } from "../../support/browser/dashboard.ts";
import { isFocused } from "../../support/browser/keyboard.ts";
import { type Gate, startGate } from "../../support/browser/request-room.ts";
import {
  markPage,
  openRunRoom,
  type RunRoom,
  runIdOf,
  untilSaid,
} from "../../support/browser/run-room.ts";
import { call, callsTools, finishes } from "../../support/model-server/behaviour.ts";

let room: RunRoom;
const gates: Gate[] = [];

beforeAll(async () => {
  room = await openRunRoom();
});
afterAll(() => Promise.all([room, ...gates].map((one) => one.close())));

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

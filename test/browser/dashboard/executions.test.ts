import { describe, expect, test } from "vitest";
import { isFocused } from "../../support/browser/keyboard.ts";
import { startGate } from "../../support/browser/request-room.ts";
import { openRunRoom, untilSaid } from "../../support/browser/run-room.ts";
import { call, callsTools, finishes } from "../../support/model-server/behaviour.ts";

const room = await openRunRoom();

/** A reader who has signed in to an account of their own. */
async function newReader() {
  const client = await room.dashboard.account();
  return { client, page: await room.dashboard.signIn(client.apiKey) };
}

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

import { expect, test } from "vitest";
import { expectFitting, expectQuiet } from "../../support/browser/dashboard.ts";
import { openRunRoom } from "../../support/browser/run-room.ts";
import { call, callsTools, finishes } from "../../support/model-server/behaviour.ts";

const room = await openRunRoom();

test("a result is shared from its page, read on a phone without scripts and a key, and revoked", async () => {
  const client = await room.dashboard.account();
  const rows = Array.from({ length: 40 }, (_, at) => [`Tea ${at}`, at, "A long story ".repeat(4)]);
  const model = room.model(
    callsTools(
      call("emit_output", {
        label: "Prices",
        type: "table",
        value: { columns: ["name", "price", "story"], rows },
      }),
      call("emit_output", { label: "The shop", type: "link", url: "https://shop.example/teas" }),
      call("emit_output", { label: "A list", type: "file", value: "a,b\n", filename: "list.csv" }),
    ),
    finishes("Found 40 teas.", { teas: 40, dearest: { price: 39 } }),
  );
  const id = await client.trigger({ prompt: "Read the price list.", model });
  await client.ended(id);

  const page = await room.dashboard.signIn(client.apiKey);
  await page.goto(`/dashboard/executions/${id}`);
  await page.getByRole("link", { name: "Share", exact: true }).click();
  await page.getByLabel("Expires").selectOption("In a day");
  await page.getByRole("button", { name: "Create link" }).click();
  const address = await page.getByRole("figure").locator("pre").innerText();

  const phone = await room.dashboard.visit({ phone: true, scripts: false });
  await phone.goto(address);
  await phone.getByText("Found 40 teas.").waitFor();
  await phone.getByText("Shared until").waitFor();
  expect(await phone.getByText("Read the price list.").count()).toBe(0);
  await expectFitting(phone);
  const download = phone.waitForEvent("download");
  await phone.getByRole("link", { name: "Download list.csv" }).click();
  expect((await download).suggestedFilename()).toBe("list.csv");
  const reader = await room.dashboard.visit();
  await reader.goto(address);

  await page.getByRole("button", { name: "Revoke link" }).click();
  await expect.poll(() => page.getByRole("button", { name: "Revoke link" }).count()).toBe(0);
  await reader.goto(address);
  await reader.getByText("has expired or was revoked").waitFor();
  expectQuiet(page);
});

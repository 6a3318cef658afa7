import { expect, test } from "vitest";
import { expectAccessible, expectQuiet } from "../../support/browser/dashboard.ts";
import { openRunRoom } from "../../support/browser/run-room.ts";
import { call, callsTools, finishes } from "../../support/model-server/behaviour.ts";

const room = await openRunRoom();

const ANSWER = `## What was found

Three tins of **TEA-14**, see [the order](https://shop.example.com/orders/1).
They arrive on _Tuesday_.

- one is \`green\`

| tea | price |
| --- | ---: |
| Assam | 12 |

![tracker](https://tracker.example.com/pixel) <img src="https://tracker.example.com/html">
[a trap](javascript:alert(1)) <script>document.title = "Owned"</script>`;

test("an agent's answer is rendered as Markdown, and HTML in it is escaped", async () => {
  const client = await room.dashboard.account();
  const id = await client.trigger({ prompt: "Order.", model: room.model(finishes(ANSWER)) });
  await client.ended(id);
  const page = await room.dashboard.signIn(client.apiKey);
  await page.goto(`/dashboard/executions/${id}`);
  const answer = page.locator(".summary .prose[data-drawn]");
  await answer.getByText("What was found", { exact: true }).waitFor();
  expect(await answer.locator("strong").allTextContents()).toEqual(["TEA-14"]);
  expect(await answer.locator("li code").allTextContents()).toEqual(["green"]);
  expect(await answer.locator("td.num").allTextContents()).toEqual(["12"]);
  expect(await answer.locator("a").evaluateAll((all) => all.map((a) => a.outerHTML))).toEqual([
    '<a href="https://shop.example.com/orders/1" rel="noreferrer">the order</a>',
    '<a href="https://tracker.example.com/pixel" rel="noreferrer">tracker</a>',
  ]);
  expect(await answer.locator("br").count()).toBeGreaterThan(0);
  expect(await answer.locator("img, script, [style], h2").count()).toBe(0);
  expect(await answer.textContent()).toContain('<script>document.title = "Owned"</script>');
  await expectAccessible(page);
  expectQuiet(page);
});

test("a question stays rendered while the page changes, even one made to be slow", async () => {
  const client = await room.dashboard.account();
  const ask = (question: string) =>
    client.trigger({
      prompt: "Ask.",
      model: room.model(callsTools(call("ask_user", { question })), finishes("Thank you.")),
      interactive: true,
    });
  await ask("Is it **green**?");
  const page = await room.dashboard.signIn(client.apiKey);
  await page.goto("/dashboard/decisions");
  await page.locator(".ask strong", { hasText: "green" }).waitFor();
  const drawn = await page.locator(".ask .prose").elementHandle();
  // Libraries have taken seconds for each of these.
  await ask(`**Slow?** ${"_a*".repeat(500)} ${"[".repeat(500)} ${"`a".repeat(500)}`);
  await page.locator(".ask strong", { hasText: "Slow?" }).waitFor();
  expect(
    await drawn?.evaluate(({ isConnected, innerHTML }) => ({ isConnected, innerHTML })),
  ).toEqual({ isConnected: true, innerHTML: "<p>Is it <strong>green</strong>?</p>\n" });
  expectQuiet(page);
});

import { expect, it } from "vitest";
import * as z from "zod";
import { execute, mailbox, messageOf } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const questionBody = z.object({
  type: z.literal("execution.waiting_for_input"),
  outputs: z.array(z.object({ label: z.string(), value: z.string() })),
});

it("the callback of a question brings what was handed over until then, be it megabytes, at each attempt", async () => {
  const site = mailbox();
  const page = "x".repeat(450_000);
  await site.answer({ headers: { "content-type": "text/plain" }, body: page });
  const receiver = mailbox();
  await receiver.answer(500);
  const emit = (label: string) => ({
    tool: "emit_output",
    input: { label, type: "text", from: "page" },
  });
  const labels = ["one", "two", "three", "four", "five", "six"];
  const execution = await execute({
    prompt: promptOf(
      { calls: [{ tool: "http_request", input: { url: site.url }, id: "page" }] },
      { calls: labels.map(emit) },
      { calls: [{ tool: "ask_user", input: { question: "Which?" } }] },
      { calls: [emit("later")] },
      { finish: { summary: "Done." } },
    ),
    callback: { url: receiver.url, sealedSecret: null, events: ["waiting_for_input"] },
  });
  await execution.until(({ status }) => status === "waiting_for_input");
  await receiver.letters(1);
  await execution.session().message(execution.account.accountId, messageOf());
  expect(await execution.ended()).toMatchObject({ status: "completed" });
  await receiver.answer(200);
  const [first, second] = await receiver.letters(2);
  const { outputs } = questionBody.parse(JSON.parse(first?.body ?? ""));
  expect(outputs.map(({ label }) => label)).toEqual(labels);
  expect(outputs.every(({ value }) => value === page)).toBe(true);
  expect(second?.body === first?.body).toBe(true);
});

it("the callback of a question brings the output that the same reply handed over", async () => {
  const receiver = mailbox();
  const note = { tool: "emit_output", input: { label: "draft", type: "text", value: "v1" } };
  const execution = await execute({
    prompt: promptOf({ calls: [note, { tool: "ask_user", input: { question: "Good?" } }] }),
    callback: { url: receiver.url, sealedSecret: null, events: ["waiting_for_input"] },
  });
  await execution.until(({ status }) => status === "waiting_for_input");
  const [letter] = await receiver.letters(1);
  expect(questionBody.parse(JSON.parse(letter?.body ?? "")).outputs).toEqual([
    { label: "draft", value: "v1" },
  ]);
});

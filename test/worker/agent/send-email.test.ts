import { expect, it } from "vitest";
import { valueIn } from "../../../src/contract/outputs.ts";
import { emailOutput } from "../../../src/contract/tools/write.ts";
import { ownMailServer } from "../../support/worker/mail.ts";
import { execute } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const tools: ["send_email", "emit_output"] = ["send_email", "emit_output"];

it("an execution sends e-mail with its files, and lists it in outputs and effects", async () => {
  const to = `${crypto.randomUUID()}@example.com`;
  const file = {
    label: "Prices",
    type: "file",
    filename: "prices.csv",
    value: "name,price\nTea,3\n",
  };
  const mail = {
    to: [to],
    cc: ["bob@example.com"],
    subject: "Prices",
    text: "Here they are.",
    attachments: ["make"],
  };
  const execution = await execute({
    tools,
    prompt: promptOf(
      { calls: [{ id: "make", tool: "emit_output", input: file }] },
      { calls: [{ tool: "send_email", input: mail }] },
      { finish: { summary: "Sent." } },
    ),
  });
  expect(await execution.ended()).toMatchObject({ status: "completed", creditsConsumed: 6 });

  const { mails } = await ownMailServer().seen();
  const [sent, ...others] = mails.filter((each) => each.to.includes(to));
  expect(others).toEqual([]);
  expect(sent).toMatchObject({
    from: "agent@prompthook.example",
    to: [to, "bob@example.com"],
    user: expect.any(String),
  });

  const reply = await execution.session().result(execution.account.accountId);
  if (reply.kind !== "ready") throw new Error("there is no result");
  const { outputs, effects } = reply.result;
  const target = `e-mail to ${to}, bob@example.com: Prices`;
  expect(effects).toMatchObject([{ tool: "send_email", target, state: "confirmed" }]);
  const output = outputs.find(({ nodeType }) => nodeType === "EMAIL");
  expect(output).toMatchObject({ label: `E-mail to ${to}`, type: "json" });
  const { messageId, ...rest } = emailOutput.parse(output && valueIn(output));
  expect(sent?.raw).toContain("prices.csv");
  expect(sent?.raw).toContain(`Message-ID: <${messageId}>`);
  expect(rest).toMatchObject({
    route: "smtp",
    attachments: [{ filename: "prices.csv", sizeBytes: 17 }],
  });
});

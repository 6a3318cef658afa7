import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { valueIn } from "../../../src/contract/outputs.ts";
import { emailOutput } from "../../../src/contract/tools/write.ts";
import { ownMailServer } from "../../support/worker/mail.ts";
import { execute, messageOf, type TestExecution } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const tools: ["send_email", "emit_output"] = ["send_email", "emit_output"];

/** An address that no other test writes to. */
const someone = () => `${crypto.randomUUID()}@example.com`;

const mailTo = (to: string, changes: object = {}) => ({
  tool: "send_email",
  input: { to: [to], subject: "Prices", text: "Here they are.", ...changes },
});

async function taken(address: string) {
  const { mails } = await ownMailServer().seen();
  return mails.filter(({ to }) => to.includes(address));
}

async function resultOf({ session, account }: TestExecution) {
  const reply = await session().result(account.accountId);
  if (reply.kind !== "ready") throw new Error("there is no result");
  return reply.result;
}

describe("an execution that sends e-mail", () => {
  it("sends it with the files it made, and shows it among outputs and effects", async () => {
    const to = someone();
    const csv = {
      id: "make",
      tool: "emit_output",
      input: {
        label: "Prices",
        type: "file",
        filename: "prices.csv",
        value: "name,price\nTea,3\n",
      },
    };
    const mail = mailTo(to, { cc: ["bob@example.com"], attachments: ["make"] });
    const execution = await execute({
      tools,
      prompt: promptOf({ calls: [csv] }, { calls: [mail] }, { finish: { summary: "Sent." } }),
    });
    expect(await execution.ended()).toMatchObject({ status: "completed", creditsConsumed: 6 });

    const mails = await taken(to);
    expect(mails).toMatchObject([
      { from: "agent@prompthook.example", to: [to, "bob@example.com"], user: expect.any(String) },
    ]);
    const read = await PostalMime.parse(mails[0]?.raw ?? "");
    expect(read).toMatchObject({ subject: "Prices", attachments: [{ filename: "prices.csv" }] });
    expect(read.text?.trim()).toBe("Here they are.");

    const { outputs, effects } = await resultOf(execution);
    expect(effects).toMatchObject([
      {
        tool: "send_email",
        target: `e-mail to ${to}, bob@example.com: Prices`,
        state: "confirmed",
      },
    ]);
    const output = outputs.find(({ nodeType }) => nodeType === "EMAIL");
    expect(output).toMatchObject({ label: `E-mail to ${to}`, type: "json" });
    // The mail rests on what its file rests on.
    expect(output?.sources).toEqual(outputs.find(({ type }) => type === "file")?.sources);
    expect(emailOutput.parse(output && valueIn(output))).toMatchObject({
      messageId: read.messageId?.slice(1, -1),
      route: "smtp",
      text: "Here they are.",
      attachments: [{ filename: "prices.csv", sizeBytes: 17 }],
    });
  });
});

describe("an e-mail that needs a yes", () => {
  async function waiting(to: string) {
    const execution = await execute({
      tools,
      approvals: ["send_email"],
      prompt: promptOf({ calls: [mailTo(to)] }, { finish: { summary: "Over." } }),
    });
    const { question } = await execution.until(({ status }) => status === "waiting_for_input");
    if (question?.kind !== "approval") throw new Error("it does not wait for a yes");
    expect(await taken(to)).toEqual([]);
    const decide = (decision: "approve" | "deny") =>
      execution
        .session()
        .message(
          execution.account.accountId,
          messageOf({ text: "", approval: { callId: question.callId, decision } }),
        );
    return { execution, question, decide };
  }

  it("waits with all of it shown, and is sent once on the yes", async () => {
    const to = someone();
    const { execution, question, decide } = await waiting(to);
    expect(question).toMatchObject({
      tool: "send_email",
      input: { to: [to], subject: "Prices", text: "Here they are." },
    });
    await decide("approve");
    expect(await execution.ended()).toMatchObject({ status: "completed" });
    expect(await taken(to)).toHaveLength(1);
    expect((await resultOf(execution)).effects).toMatchObject([{ state: "confirmed" }]);
  });

  it("is not sent on a no, of which the model is told", async () => {
    const to = someone();
    const { execution, decide } = await waiting(to);
    await decide("deny");
    await execution.ended();
    expect(await taken(to)).toEqual([]);
    expect((await resultOf(execution)).effects).toEqual([]);
    const log = await execution
      .session()
      .events(execution.account.accountId, { after: 0, limit: 1_000 });
    if (log.kind !== "found") throw new Error("there is no log");
    const finished = log.events.find(
      ({ type, data }) => type === "tool.finished" && data.tool === "send_email",
    );
    expect(finished?.data).toMatchObject({ ok: false, error: { code: "denied" } });
  });
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Email, Mailer, SendResult } from "../../../../src/agent/tools/send-email.ts";
import { isAllowed, refusedRecipients, sendEmail } from "../../../../src/agent/tools/send-email.ts";
import type { OutputFile, ToolAnswer } from "../../../../src/contract/tools/call.ts";
import { emailContent, emailOutput } from "../../../../src/contract/tools/write.ts";
import { createOutbox } from "../../../../src/outbound/email/mailer.ts";
import { OUTBOX } from "../../../support/own-tools.ts";
import { toolContext } from "./support.ts";

const csv: OutputFile = {
  filename: "prices.csv",
  mediaType: "text/csv",
  bytes: new Uint8Array(12),
};
const earlier: Record<string, ToolAnswer> = {
  page: { ok: true, content: { title: "Teas" } },
  file: { ok: true, content: {} },
  big: { ok: true, content: {} },
};
const files = { file: [csv], big: [{ ...csv, bytes: new Uint8Array(3_500_001) }] };

const FINE = { to: ["ann@example.com"], subject: "Prices", text: "Here they are." };

function send(
  raw: object,
  mailer: Mailer = OUTBOX,
  read: Pick<Parameters<typeof toolContext>[0], "cuts" | "cutReads"> = {},
) {
  const tool = sendEmail(mailer);
  return tool.run(tool.input.parse({ ...FINE, ...raw }), toolContext({ earlier, files, ...read }));
}

/** A way out that notes what it is given. */
function route(dispatch: SendResult) {
  const mails: Email[] = [];
  const mailer: Mailer = {
    route: "smtp",
    from: "agent@prompthook.example",
    allowedRecipients: ["@example.com"],
    send: async (mail) => {
      mails.push(mail);
      return dispatch;
    },
  };
  return { mails, mailer };
}

describe("a mail in the outbox", () => {
  it("is the call's output, whole, and says that it was not delivered", async () => {
    const { answer, outputs } = await send({
      cc: ["bob@example.com"],
      replyTo: "desk@example.com",
      attachments: ["file"],
    });
    if (!answer.ok) throw new Error(answer.error.message);
    const content = emailContent.parse(answer.content);
    expect(content).toEqual({
      messageId: expect.stringMatching(/^[0-9a-f]{32}@prompthook\.local$/),
      route: "outbox",
      to: ["ann@example.com"],
      cc: ["bob@example.com"],
      subject: "Prices",
      attachments: [{ filename: "prices.csv", sizeBytes: 12 }],
      notes: [expect.stringContaining("delivers no e-mail")],
    });
    expect(outputs).toMatchObject([
      {
        nodeType: "EMAIL",
        type: "json",
        mediaType: "application/json",
        label: "E-mail to ann@example.com",
      },
    ]);
    expect(emailOutput.strict().parse(outputs?.[0]?.value)).toEqual({
      messageId: content.messageId,
      route: "outbox",
      from: "agent@prompthook.local",
      to: ["ann@example.com"],
      cc: ["bob@example.com"],
      replyTo: "desk@example.com",
      subject: "Prices",
      text: "Here they are.",
      attachments: [{ filename: "prices.csv", sizeBytes: 12 }],
    });
  });

  it("is based on the calls of its text and its files", async () => {
    const { basedOn } = await send({ sources: ["page", "file"], attachments: ["file"] });
    expect(basedOn).toEqual(["page", "file"]);
  });
});

describe("a mail about a source that was cut", () => {
  const cut = { cuts: { page: "2 MiB" }, cutReads: ["page"] };
  const note = "Note: based on a source that was cut at 2 MiB; figures may be incomplete.";

  it.each([
    ["names it", cut, { sources: ["page"] }],
    ["has a file of it attached", { cuts: { file: "2 MiB" } }, { attachments: ["file"] }],
    ["names no sources", cut, {}],
  ])("has a note below its text if it %s", async (_, read, raw) => {
    const { mails, mailer } = route({ kind: "sent", messageId: "x@y" });
    const { answer, basedOn } = await send(raw, mailer, read);
    expect(mails).toMatchObject([{ text: `Here they are.\n\n${note}` }]);
    expect(answer).toMatchObject({ content: { notes: [`Below the text is: "${note}"`] } });
    expect(basedOn).toEqual(Object.keys(read.cuts));
  });

  it("has no note if it names other sources", async () => {
    const { mails, mailer } = route({ kind: "sent", messageId: "x@y" });
    await send({ sources: ["file"] }, mailer, cut);
    expect(mails).toMatchObject([{ text: "Here they are." }]);
  });
});

describe("a mail that is sent", () => {
  it("reaches each recipient once without a note, and keeps its id when resent", async () => {
    const { mails, mailer } = route({ kind: "sent", messageId: "given@by.server" });
    const { answer } = await send(
      { to: ["Ann@example.com", "ann@example.com"], cc: ["ANN@EXAMPLE.COM", "bob@example.com"] },
      mailer,
    );
    expect(mails).toMatchObject([
      { from: "agent@prompthook.example", to: ["Ann@example.com"], cc: ["bob@example.com"] },
    ]);
    // The id is of the call, so a server that sees it again can tell.
    await send({ text: "Other words." }, mailer);
    expect(mails[0]?.messageId).toMatch(/^[0-9a-f]{32}@prompthook\.example$/);
    expect(mails[1]?.messageId).toBe(mails[0]?.messageId);
    expect(answer).toMatchObject({
      ok: true,
      content: { messageId: "given@by.server", route: "smtp", notes: [] },
    });
  });

  it.each([
    ["set no sender", { from: null }, "EMAIL_FROM"],
    ["allowed nobody", { allowedRecipients: [] }, "EMAIL_ALLOWED_RECIPIENTS"],
  ])("is refused if the operator has %s, with the setting to change", async (_, lack, variable) => {
    const { mails, mailer } = route({ kind: "sent", messageId: "x@y" });
    const { answer } = await send({}, { ...mailer, ...lack });
    expect(answer).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining(variable) },
    });
    expect(mails).toEqual([]);
  });

  it("is not sent if a recipient or the reply address is not allowed", async () => {
    const { mails, mailer } = route({ kind: "sent", messageId: "x@y" });
    for (const raw of [
      { to: ["ann@example.com", "x@evil.com"] },
      { cc: ["x@evil.com"] },
      { replyTo: "x@evil.com" },
    ]) {
      const { answer, outputs } = await send(raw, mailer);
      expect(answer).toMatchObject({ ok: false, error: { code: "recipient_not_allowed" } });
      expect(JSON.stringify(answer)).toContain("x@evil.com");
      expect(outputs).toBeUndefined();
    }
    expect(mails).toEqual([]);
  });

  it("is not an output when it is refused, and uncertain when its fate is unknown", async () => {
    const refused = await send({}, route({ kind: "refused", reason: "No such user." }).mailer);
    expect(refused).toEqual({
      answer: {
        ok: false,
        error: { code: "not_sent", message: "The e-mail was not sent: No such user." },
      },
    });
    const uncertain = await send({}, route({ kind: "uncertain", reason: "It hung up." }).mailer);
    expect(uncertain).toMatchObject({ answer: { ok: false, error: { code: "uncertain" } } });
    expect(uncertain.outputs).toBeUndefined();
  });
});

describe("attachments", () => {
  it.each([
    ["a call that made no file", ["page"], "invalid_attachment", "no file outputs"],
    ["a call that is not there", ["nowhere"], "unknown_call", "no earlier call nowhere"],
    ["more than can be sent", ["big"], "invalid_attachment", "larger than 3500000"],
  ])("of %s are an error", async (_, attachments, code, message) => {
    const { mails, mailer } = route({ kind: "sent", messageId: "x@y" });
    expect((await send({ attachments }, mailer)).answer).toMatchObject({
      ok: false,
      error: { code, message: expect.stringContaining(message) },
    });
    expect(mails).toEqual([]);
  });

  it("above the maximum number are not loaded", async () => {
    const { mailer } = route({ kind: "sent", messageId: "x@y" });
    const loaded: string[] = [];
    const tool = sendEmail(mailer);
    const input = tool.input.parse({ ...FINE, attachments: ["big", "file"] });
    const { answer } = await tool.run(input, {
      ...toolContext({ earlier }),
      files: (callId) => {
        loaded.push(callId);
        return files.big;
      },
    });
    expect(answer).toMatchObject({ error: { code: "invalid_attachment" } });
    expect(loaded).toEqual(["big"]);
  });

  it("are attached once, even if their call is named repeatedly", async () => {
    const { mails, mailer } = route({ kind: "sent", messageId: "x@y" });
    await send({ attachments: ["file", "file"] }, mailer);
    expect(mails[0]?.attachments).toEqual([csv]);
  });
});

it("a missing source is an error", async () => {
  expect((await send({ sources: ["nowhere"] })).answer).toMatchObject({
    ok: false,
    error: { code: "unknown_call" },
  });
});

it("is an effect whose target shows shortened recipients and subject", () => {
  const tool = sendEmail(OUTBOX);
  const input = tool.input.parse({ ...FINE, cc: ["bob@example.com"] });
  expect(tool.effect?.(input)?.target).toBe("e-mail to ann@example.com, bob@example.com: Prices");
  const to = Array.from({ length: 20 }, (_, index) => `somebody-${index}@example.com`);
  expect(tool.effect?.({ ...input, to })?.target.length).toBeLessThanOrEqual(200);
});

it("in the outbox refuses header injection", async () => {
  const outbox = createOutbox({ from: "agent@prompthook.local", allowedRecipients: [] });
  const { mails, mailer } = route({ kind: "sent", messageId: "x@y" });
  await send({}, mailer);
  const [mail] = mails;
  if (mail === undefined) throw new Error("there is no mail");
  const injected = { ...mail, subject: "x\r\nBcc: evil@evil.com" };
  expect(await outbox.send(injected, new AbortController().signal)).toMatchObject({
    kind: "refused",
  });
});

const LIST = ["ann@example.com", "@shop.example", "Ops@Mixed.Example", "@bücher.example"];

describe("the list of recipients covers", () => {
  it.each([
    "ANN@Example.COM",
    "anybody+tag@SHOP.example",
    "ops@mixed.example",
    "leser@xn--bcher-kva.example",
  ])("%s", (address) => {
    expect(isAllowed(address, LIST)).toBe(true);
  });
});

describe("the list of recipients does not cover", () => {
  it.each([
    ["a tag on an address", "ann+x@example.com"],
    ["a longer local part", "joann@example.com"],
    ["a subdomain", "ann@mail.shop.example"],
    ["a domain with the same end", "ann@evilshop.example"],
    ["a domain with the same beginning", "ann@shop.example.evil.com"],
    ["a root's trailing dot", "ann@shop.example."],
    ["two addresses in one", "evil@evil.com,ann@shop.example"],
    ["a quoted address before the domain", '"evil@evil.com"@shop.example'],
    ["a source route", "@evil.com:ann@shop.example"],
    ["a percent route", "evil%evil.com@shop.example"],
    ["a bang path", "evil.com!evil@shop.example"],
    ["a display name", "Ann <ann@shop.example>"],
    ["a comment", "ann(x)@shop.example"],
    ["a line break", "ann@shop.example\r\nBcc: evil@evil.com"],
    ["a bare LF", "ann@shop.example\n"],
    ["a NUL", "ann@shop.example\0"],
    ["a line separator", "ann@shop.example\u2028"],
    ["a Kelvin sign that lower-cases to k", "ann@boo\u212A.example"],
    ["a fullwidth letter", "ann@\uFF53hop.example"],
    ["a domain in letters of its own", "leser@bücher.example"],
    ["an address literal", "ann@[127.0.0.1]"],
    ["nothing", ""],
  ])("%s", (_, address) => {
    expect(isAllowed(address, [...LIST, "@book.example", "@evil.example"])).toBe(false);
  });

  it.each([
    ["an entry without @", "shop.example"],
    ["an entry with a wildcard", "*@shop.example"],
    ["an entry for all of a top-level domain", "@example"],
    ["a domain with a user", "@x@shop.example:25"],
  ])("anything by %s", (_, entry) => {
    expect(isAllowed("ann@shop.example", [entry])).toBe(false);
  });

  it("anything that is not an address, even if everybody is allowed", () => {
    expect(isAllowed("ann@shop.example", ["*"])).toBe(true);
    expect(isAllowed("ann@shop.example\nBcc: evil@evil.com", ["*"])).toBe(false);
  });

  it("an address of any other domain", () => {
    const local = fc.stringMatching(/^[a-z0-9]{1,8}$/);
    const domain = fc.domain().filter((name) => name.toLowerCase() !== "shop.example");
    fc.assert(
      fc.property(local, domain, (user, host) => !isAllowed(`${user}@${host}`, ["@shop.example"])),
    );
  });
});

describe("an empty list", () => {
  it.each([
    ["smtp", [], ["ann@shop.example", "no address"]],
    ["outbox", [], ["no address"]],
    ["outbox", ["@book.example"], ["ann@shop.example", "no address"]],
  ] as const)("allows nobody, except in the outbox: %s %j", (route, allowed, refused) => {
    const mailer = { route, allowedRecipients: allowed };
    expect(refusedRecipients(["ann@shop.example", "no address"], mailer)).toEqual(refused);
  });
});

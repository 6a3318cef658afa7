import { describe, expect, it } from "vitest";
import { sendEmailInput } from "../../../../src/contract/tools/write.ts";
import { headerError, safeMediaType } from "../../../../src/outbound/email/header-rules.ts";
import { BREAKS, mailOf } from "../../../support/mail.ts";

const file = (filename: string) => ({ filename, mediaType: "text/plain", bytes: new Uint8Array() });

describe("a header cannot be injected", () => {
  it.each(BREAKS)("by %s in any field, past the schema", (_, bytes) => {
    const injected = `x${bytes}Bcc: evil@evil.com`;
    const at = `a@b.example${bytes}Bcc: evil@evil.com`;
    const faulty = [
      mailOf({ subject: injected }),
      mailOf({ subject: bytes }),
      mailOf({ from: at }),
      mailOf({ to: ["ann@example.com", at] }),
      mailOf({ cc: [at] }),
      mailOf({ replyTo: at }),
      mailOf({ messageId: `x@y.example${bytes}` }),
      mailOf({ messageId: `x${bytes}@y.example` }),
      mailOf({ attachments: [file("fine.txt"), file(`${injected}.txt`)] }),
    ];
    for (const mail of faulty) expect(headerError(mail)).not.toBeNull();
  });

  it.each(BREAKS)("by %s in the input of a call", (_, bytes) => {
    const fine = { to: ["ann@example.com"], subject: "Hello", text: "Hi" };
    const at = `a@b.example${bytes}`;
    expect(sendEmailInput.safeParse(fine).success).toBe(true);
    for (const faulty of [{ to: [at] }, { cc: [at] }, { replyTo: at }, { subject: `x${bytes}y` }]) {
      expect(sendEmailInput.safeParse({ ...fine, ...faulty }).success).toBe(false);
    }
  });

  it.each(["x@y> <z@w", "<x@y.example>", "x@y.example (c)", "no-domain", "@y.example", ""])(
    "by the message id %j",
    (messageId) => {
      expect(headerError(mailOf({ messageId }))).not.toBeNull();
    },
  );

  it.each(["../x.txt", "a\\b.txt", "..", ".", "", "x".repeat(256)])(
    "by the file name %j, nor a path",
    (filename) => {
      expect(headerError(mailOf({ attachments: [file(filename)] }))).not.toBeNull();
    },
  );
});

it("text that looks like a header or an encoded word is allowed on one line", () => {
  const subject = "Bcc: x@y.example =?utf-8?Q?=0D=0ABcc:_evil@evil.com?= 🍵";
  const attachments = [file('Prices "ü"; filename=x.csv'), file("файл 表.csv")];
  expect(headerError(mailOf({ subject, attachments }))).toBeNull();
});

describe("the type of a file", () => {
  it.each([
    ["Text/CSV", "text/csv; charset=utf-8"],
    ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", undefined],
    ["text/csv\r\nBcc: evil@evil.com", "application/octet-stream"],
    ["text/plain (x)", "application/octet-stream"],
    ["multipart/mixed", "application/octet-stream"],
    ["message/rfc822", "application/octet-stream"],
    ["csv", "application/octet-stream"],
    ["", "application/octet-stream"],
  ])("%j is sent as a safe type", (given, sent = given) => {
    expect(safeMediaType(given)).toBe(sent);
  });
});

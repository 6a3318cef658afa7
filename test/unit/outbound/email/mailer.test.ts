import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Mailer } from "../../../../src/agent/tools/send-email.ts";
import { parseSettings } from "../../../../src/env.ts";
import { createBindingMailer, createMailer } from "../../../../src/outbound/email/mailer.ts";
import { mailOf } from "../../../support/mail.ts";
import { folderUntilEnd } from "../../../support/until-end.ts";

const OPTIONS = { from: "agent@prompthook.example", allowedRecipients: ["*"] };
const never = new AbortController().signal;

const folder = await folderUntilEnd();
let runtime: Miniflare;
let mailer: Mailer;

beforeAll(async () => {
  runtime = new Miniflare({
    ...convertV4MiniflareOptions({
      modules: true,
      script: "export default { fetch: () => new Response() }",
      compatibilityDate: "2026-08-01",
      email: { send_email: [{ name: "EMAIL" }] },
    }),
    resourceTmpPath: folder,
  });
  const { EMAIL } = await runtime.getBindings<{ EMAIL: SendEmail }>();
  mailer = createBindingMailer(EMAIL, OPTIONS);
});

afterAll(() => runtime.dispose());

/** Everything that the platform's local e-mail has stored. */
async function stored(): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), "utf8"));
  return (await Promise.all(texts)).sort();
}

describe("an e-mail by the platform's binding", () => {
  it("is sent with its text and its files, under the platform's id", async () => {
    const bytes = new TextEncoder().encode("name,price\n");
    const mail = mailOf({
      cc: ["bob@example.com"],
      replyTo: "desk@example.com",
      attachments: [{ filename: "prices.csv", mediaType: "text/csv", bytes }],
    });
    expect(await mailer.send(mail, never)).toEqual({
      kind: "sent",
      messageId: expect.stringMatching(/@prompthook\.example>?$/),
    });
    await expect.poll(stored).toEqual(["Hi Ann.", "name,price\n"]);
  });

  it("with a line break in a header field is not sent", async () => {
    const send = vi.fn(async () => ({ messageId: "x@y.example" }));
    const mail = mailOf({ subject: "x\r\nBcc: evil@evil.com" });
    expect(await createBindingMailer({ send }, OPTIONS).send(mail, never)).toMatchObject({
      kind: "refused",
    });
    expect(send).not.toHaveBeenCalled();
  });
});

describe("a failure of the platform's binding", () => {
  const failing = (error: unknown) =>
    createBindingMailer({ send: () => Promise.reject(error) }, OPTIONS).send(mailOf(), never);
  const coded = (code: string) => Object.assign(new Error("account 42: secret"), { code });

  it("before it accepts the e-mail is a refusal that names only the code", async () => {
    expect(await failing(coded("E_SENDER_NOT_VERIFIED"))).toEqual({
      kind: "refused",
      reason: "The platform's e-mail service refused the e-mail with E_SENDER_NOT_VERIFIED.",
    });
  });

  it.each([coded("E_DELIVERY_FAILED"), new Error("Network connection lost: secret"), undefined])(
    "of any other kind, %s, is uncertain",
    async (error) => {
      const outcome = await failing(error);
      expect(outcome.kind).toBe("uncertain");
      expect(JSON.stringify(outcome)).not.toContain("secret");
    },
  );

  it("differs from an abort, which ends it at once", async () => {
    const abort = new AbortController();
    const hanging = createBindingMailer({ send: () => new Promise(() => {}) }, OPTIONS);
    const sending = hanging.send(mailOf(), abort.signal);
    abort.abort(new Error("stopped"));
    await expect(sending).rejects.toThrow("stopped");
  });
});

const binding: SendEmail = { send: async () => ({ messageId: "x@y.example" }) };
const SMTP_URL = "smtps://agent:secret@mail.example.com";

describe("e-mail leaves", () => {
  it.each([
    ["by SMTP where it is set", { SMTP_URL }, undefined, "smtp"],
    ["by SMTP before the binding", { SMTP_URL }, binding, "smtp"],
    ["by the binding where there is one", {}, binding, "binding"],
    ["not at all by default", {}, undefined, "outbox"],
  ] as const)("%s", (_, variables, bound, route) => {
    const settings = parseSettings({
      EMAIL_FROM: "agent@prompthook.example",
      EMAIL_ALLOWED_RECIPIENTS: "@example.com, ann@shop.example",
      ...variables,
    });
    expect(createMailer(settings, bound, null)).toMatchObject({
      route,
      from: "agent@prompthook.example",
      allowedRecipients: ["@example.com", "ann@shop.example"],
    });
  });
});

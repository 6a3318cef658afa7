import { describe, expect, it } from "vitest";
import { parseSettings } from "../../../../src/env.ts";
import { createMailer } from "../../../../src/outbound/email/mailer.ts";

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

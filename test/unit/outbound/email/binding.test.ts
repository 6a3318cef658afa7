import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBindingMailer } from "../../../../src/outbound/email/mailer.ts";
import type { Mailer } from "../../../../src/ports/tools.ts";
import { BREAKS, mailOf } from "../../../support/mail.ts";

const OPTIONS = { from: "agent@prompthook.example", allowedRecipients: ["*"] };
const never = new AbortController().signal;

let folder: string;
let runtime: Miniflare;
let mailer: Mailer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "binding-"));
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

afterAll(async () => {
  await runtime.dispose();
  await rm(folder, { recursive: true });
});

/** Everything that the platform's local e-mail has stored. */
async function stored(): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), "utf8"));
  return (await Promise.all(texts)).sort();
}

describe("a mail by the platform's binding", () => {
  it("is taken with its text and its files, under the platform's id", async () => {
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

  it.each(BREAKS)("with %s in what becomes a header does not get there", async (_, bytes) => {
    const before = await stored();
    for (const changes of [
      { subject: `x${bytes}Bcc: evil@evil.com` },
      { to: [`ann@example.com${bytes}`] },
      { replyTo: `ann@example.com${bytes}` },
      {
        attachments: [{ filename: `x${bytes}`, mediaType: "text/csv", bytes: new Uint8Array(1) }],
      },
    ]) {
      expect(await mailer.send(mailOf(changes), never)).toMatchObject({ kind: "refused" });
    }
    // The platform stores a mail after it has taken it: what was sent before is there with the next.
    const text = `After ${JSON.stringify(bytes)}`;
    await mailer.send(mailOf({ text }), never);
    await expect.poll(stored).toContain(text);
    expect(await stored()).toEqual([...before, text].sort());
  });
});

describe("a failure of the platform's binding", () => {
  const failing = (error: unknown) =>
    createBindingMailer({ send: () => Promise.reject(error) }, OPTIONS).send(mailOf(), never);
  const coded = (code: string) => Object.assign(new Error("account 42: secret"), { code });

  it.each(["E_SENDER_NOT_VERIFIED", "E_RATE_LIMIT_EXCEEDED", "E_RECIPIENT_NOT_ALLOWED"])(
    "with %s, before it took the mail, is a refusal that names the code alone",
    async (code) => {
      expect(await failing(coded(code))).toEqual({
        kind: "refused",
        reason: `The platform's e-mail service refused the e-mail with ${code}.`,
      });
    },
  );

  it.each([
    coded("E_DELIVERY_FAILED"),
    coded("E_INTERNAL_SERVER_ERROR"),
    coded("E_SOMETHING_NEW"),
    new Error("Network connection lost: secret"),
    undefined,
  ])("of any other kind, %s, is uncertain", async (error) => {
    const outcome = await failing(error);
    expect(outcome.kind).toBe("uncertain");
    expect(JSON.stringify(outcome)).not.toContain("secret");
  });

  it("is told apart from being given up, which ends it at once", async () => {
    const abort = new AbortController();
    const hanging = createBindingMailer({ send: () => new Promise(() => {}) }, OPTIONS);
    const sending = hanging.send(mailOf(), abort.signal);
    abort.abort(new Error("stopped"));
    await expect(sending).rejects.toThrow("stopped");
  });
});

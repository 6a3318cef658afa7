import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../../scripts/local/project.ts";
import { signatureHeaders } from "../../../src/deliveries/signature.ts";

const WHSEC = `whsec_${Buffer.from("a secret of thirty-two bytes !!!").toString("base64")}`;
const BARE = WHSEC.slice("whsec_".length);
const RAW = "correct horse báttery staple";

// The stock verifiers read a secret as base64, with or without `whsec_`. For a secret that is none, a
// receiver passes its bytes and `format: "raw"`.
const raw = { format: "raw" } as const;

describe("the secret of the README's example", () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const secret = /"callbackSecret": "([^"]+)"/.exec(readme)?.[1] ?? "";

  it.each([
    ["standardwebhooks", (text: string) => new StandardWebhook(text)],
    ["svix", (text: string) => new SvixWebhook(text)],
  ] as const)("is accepted by %s without a format", async (_, hookOf) => {
    const sent = message();
    const headers = await signatureHeaders({ ...sent, secret });
    expect(() => hookOf(secret).verify(sent.body, headers)).not.toThrow();
  });
});

describe.each([
  ["standardwebhooks", StandardWebhook],
  ["svix", SvixWebhook],
] as const)("%s, given a secret as text", (_, Webhook) => {
  it.each([
    ["ASCII", "correct horse battery staple"],
    ["Latin letters", RAW],
    ["letters of every script", "пароль 密碼 🔑🔑"],
    ["base64 without whsec_", BARE],
    ["whsec_", WHSEC],
  ])(
    "verifies the service's signature with a secret of %s, and no other body, id or time",
    async (_, secret) => {
      const sent = message();
      const headers = await signatureHeaders({ ...sent, secret });
      const isBase64 = secret === BARE || secret === WHSEC;
      const hook = isBase64 ? new Webhook(secret) : new Webhook(secret, raw);
      expect(() => hook.verify(sent.body, headers)).not.toThrow();
      const changed = [
        [`${sent.body} `, {}],
        [sent.body, { "webhook-id": `${sent.webhookId}x` }],
        [sent.body, { "webhook-timestamp": String(sent.timestamp + 1) }],
      ] as const;
      for (const [body, other] of changed) {
        expect(() => hook.verify(body, { ...headers, ...other })).toThrow("No matching signature");
      }
    },
  );
});

// The verifiers compare the time with the machine's clock, and take five minutes of difference.
const message = () => ({
  webhookId: "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W",
  timestamp: Math.floor(Date.now() / 1_000),
  body: '{"type":"execution.completed","note":"naïve ✓"}',
});

it("rejects a secret that is not base64 after its prefix", async () => {
  const signing = signatureHeaders({ ...message(), secret: "whsec_!" });
  await expect(signing).rejects.toThrow("not base64 after its whsec_ prefix");
});

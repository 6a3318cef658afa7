import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod";
import { Prompthook } from "../../../src/client/prompthook.ts";
import type { createEndpointBody } from "../../../src/contract/webhooks/endpoint.ts";
import { curlScript } from "../../../src/dashboard/pages/webhooks/curl-script.ts";
import { sampleRequest } from "../../../src/dashboard/pages/webhooks/sample-request.ts";
import { SENDERS, type Sender } from "../../../src/dashboard/pages/webhooks/senders.ts";
import { openDashboard, type TestDashboard } from "../../support/browser/dashboard.ts";
import { pasted } from "../../support/shell.ts";

let dashboard: TestDashboard;
let api: Prompthook;
let apiKey: string;

beforeAll(async () => {
  dashboard = await openDashboard();
  ({ apiKey } = await dashboard.account());
  api = new Prompthook({ baseUrl: dashboard.url, apiKey });
});
afterAll(() => dashboard.close());

/** A secret of somebody who likes to make trouble in shells. */
const WILD = `it's "$HOME" \`id\` \\n !! wow!{}%s -é`;

describe("the command that an endpoint is made with", () => {
  // A secret of ours, and one of theirs.
  const kinds = ["github", "slack"];

  it.each(SENDERS.filter(({ id }) => kinds.includes(id)))(
    "is taken in as pasted, from $name",
    async (sender) => {
      const page = await dashboard.signIn(apiKey);
      await page.goto(`/dashboard/webhooks/new/${sender.id}`);
      await page.getByLabel("Name", { exact: true }).fill(`from ${sender.name}`);
      const { secret } = sender;
      if (secret?.by === "them" && secret.first) await page.getByLabel(secret.name).fill(WILD);
      await page.getByRole("button", { name: "Create endpoint" }).click();
      const script = await page.locator("#curl").textContent();
      const first = await pasted(script ?? "");
      expect(first).toContain('"status":"queued"');
      await page.locator("#arrivals").getByText("HTTP 202").waitFor();
      await page.context().close();
    },
  );
});

type Body = z.input<typeof createEndpointBody>;

/** Whether a command can prove that it comes from this sender. */
function isShown({ auth }: Sender): boolean {
  if (auth.kind !== "preset" || auth.preset.method === "signature") return false;
  if (auth.preset.method === "token") return auth.preset.sender.token.in !== "body";
  const { in: place, form } = auth.preset.sender.scheme;
  return place !== "body" && form !== "jwt";
}

describe("the command for an endpoint of", () => {
  it.each(SENDERS.filter(isShown))("$name is taken in as pasted", async ({ name, auth }) => {
    if (auth.kind !== "preset") throw new Error("the sender has no preset");
    const { method, preset, sender } = auth.preset;
    const isText = method === "hmac" && sender.scheme.secretEncoding === "utf8";
    const body: Body = { name, auth: { [method]: { preset, ...(isText && { secret: WILD }) } } };
    const endpoint = await api.webhooks.create(body);
    const secrets = isText ? { hmac: WILD } : (endpoint.secrets ?? {});
    const answer = await pasted(curlScript(endpoint, sampleRequest(endpoint, []), secrets));
    expect(answer).toContain('"status":"queued"');
  });
});

const HEX = "00ff".repeat(16);
const BASE64 = Buffer.from(HEX, "hex").toString("base64");

const ODD: [string, Body, { hmac?: string; token?: string }][] = [
  [
    "a signature in base64 over id, time and body, among pairs",
    hmac({
      form: "pairs",
      prefix: "sig",
      timestampPair: "at",
      encoding: "base64",
      algorithm: "sha512",
      template: "it's {id}|{timestamp}|{body}",
      idHeader: "X-Id",
      secret: WILD,
    }),
    { hmac: WILD },
  ],
  [
    "a key in hex",
    hmac({ secretEncoding: "hex", secret: HEX, algorithm: "sha384" }),
    { hmac: HEX },
  ],
  [
    "a key in base64, over the address",
    hmac({ secretEncoding: "base64", secret: BASE64, template: "{url}{body}", prefix: "" }),
    { hmac: BASE64 },
  ],
  [
    "a list of signatures",
    hmac({
      form: "list",
      secretEncoding: "whsec",
      secret: `whsec_${BASE64}`,
      template: "{timestamp}.{body}",
      timestampHeader: "X-Time",
    }),
    { hmac: `whsec_${BASE64}` },
  ],
  [
    "a signed query",
    { ...hmac({ secret: WILD, template: "{body}" }), methods: ["GET"] },
    { hmac: WILD },
  ],
  [
    "a query signed with its address",
    { ...hmac({ secret: WILD, template: "{url}{body}" }), methods: ["GET"] },
    { hmac: WILD },
  ],
  [
    "a token and a header beside a signature",
    {
      name: "odd",
      auth: {
        token: { header: "X-Key", secret: "to ken" },
        hmac: { preset: "github", secret: WILD },
        headers: [{ name: "X-Source" }],
      },
    },
    { hmac: WILD, token: "to ken" },
  ],
  [
    "an event id and a time where the settings want them",
    {
      name: "odd",
      eventId: { in: "header", path: "X-Event" },
      replayProtection: { timestamp: { in: "body", path: "sent.at[1]" } },
    },
    {},
  ],
  [
    "fields that validation and mapping ask for",
    {
      name: "odd",
      validation: {
        required: ["order.id", "items[0].sku"],
        types: { "order.total": "number", "order\\.date": "timestamp" },
      },
      mapping: {
        fields: [
          {
            to: "domain",
            from: "customer.email",
            transforms: [{ type: "domain", level: "registrable" }],
          },
          { to: "placed", from: "placed", transforms: [{ type: "timestamp", from: "epoch_ms" }] },
          { to: "__x", from: "__proto__", transforms: [{ type: "lower" }] },
        ],
      },
    },
    {},
  ],
];

function hmac(scheme: Exclude<NonNullable<Body["auth"]>["hmac"], null | undefined>): Body {
  return { name: "odd", auth: { hmac: scheme } };
}

describe("the command for an endpoint that asks for", () => {
  it.each(ODD)("%s is taken in as pasted", async (_, body, secrets) => {
    const { workflowId } = await api.workflows.create({
      name: "odd",
      prompt: "Say hello.",
      inputs: [
        { name: "page", required: true },
        { name: "count", type: "integer", required: true },
        { name: "at", type: "timestamp", required: true },
      ],
    });
    const endpoint = await api.webhooks.create({ ...body, workflowId });
    const { inputs } = await api.workflows.get(workflowId);
    const answer = await pasted(curlScript(endpoint, sampleRequest(endpoint, inputs), secrets));
    expect(answer).toContain('"status":"accepted"');
  });

  it("a signature is refused while its secret is not filled in", async () => {
    const endpoint = await api.webhooks.create(hmac({ secret: "a secret of mine" }));
    const answer = await pasted(curlScript(endpoint, sampleRequest(endpoint, [])));
    expect(answer).toContain("401");
  });
});

import { exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { signToken } from "../../../src/accounts/signed-links.ts";
import { auditEntry } from "../../../src/contract/audit.ts";
import { type ShareRecord, shareRecord } from "../../../src/contract/shares.ts";
import { settingsOf } from "../../../src/env.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import {
  anyAddress,
  env,
  expectProblem,
  newAccount,
  newKey,
  ORIGIN,
  send,
  trigger,
  untilStatus,
} from "../../support/worker/client.ts";
import { emits } from "../../support/worker/runs.ts";
import { promptOf } from "../../support/worker/scripted.ts";
import { newEndpoint, type TestEndpoint } from "../../support/worker/webhooks.ts";

const SHARES = "/api/v1/shares";
const SECRET = "tok-7Qd2xLw9Rm4vKs8Z";

let owner: TestEndpoint;
let executionId: string;
let requestId: string;

const create = (body: object, token = owner.apiKey) =>
  send(SHARES, { method: "POST", token, body });

async function share(body: object = { executionId }, token = owner.apiKey): Promise<ShareRecord> {
  const response = await create(body, token);
  expect(response.status).toBe(201);
  return shareRecord.parse(await response.json());
}

const list = async (token = owner.apiKey): Promise<string[]> => {
  const page = z.object({ shares: z.array(shareRecord) });
  const { shares } = page.parse(await (await send(`${SHARES}?limit=100`, { token })).json());
  return shares.map(({ shareId }) => shareId);
};

const revoke = (shareId: string, token = owner.apiKey) =>
  send(`${SHARES}/${shareId}`, { method: "DELETE", token });

/** Opens a link as its reader does, who has no key. */
const open = (url: string, address = anyAddress()) =>
  exports.default.fetch(url, { headers: { "CF-Connecting-IP": address } });

const read = async (url: string) => {
  const page = await open(url);
  expect(page.status).toBe(200);
  return page.text();
};

/** Runs a workflow for a request of an endpoint, and returns the execution once it has completed. */
async function ranBy(endpoint: TestEndpoint, prompt: string): Promise<string> {
  const body = { name: "reports", prompt, model: "openai/scripted" };
  const made = await send("/api/v1/workflows", { method: "POST", token: endpoint.apiKey, body });
  const { workflowId } = z.object({ workflowId: z.string() }).parse(await made.json());
  await endpoint.change({ workflowId });
  const accepted = await endpoint.hook({}, { headers: { "X-Webhook-Token": SECRET } });
  const { executionId: id } = z.object({ executionId: z.uuid() }).parse(await accepted.json());
  await untilStatus(endpoint.apiKey, id, "completed");
  return id;
}

const FILE = { type: "file", filename: "prices.csv", mediaType: "text/csv" };

beforeAll(async () => {
  owner = await newEndpoint({ auth: { token: { secret: SECRET } } });
  const values = { columns: ["name", "price"], rows: [["Tea", 3.2]] };
  const prompt = promptOf(
    emits(
      { label: "Teas", type: "table", value: values },
      { label: "Shop", type: "link", url: "https://shop.example/teas" },
      { label: "Prices", ...FILE, value: "name,price\nTea,3.20\n" },
      { label: "Note", type: "text", value: "All prices are in euro." },
    ),
    { finish: { summary: "Found one tea.", data: { teas: 1 } } },
  );
  executionId = await trigger(owner.apiKey, {
    prompt,
    model: "openai/scripted",
    inputs: { supplier: "Acme-Secret-Supplier" },
    metadata: { ticket: "internal-4711" },
  });
  await untilStatus(owner.apiKey, executionId, "completed");
  const headers = {
    "X-Webhook-Token": "another-token",
    "X-Other": SECRET,
    "X-Sent": "by-the-shop",
  };
  const body = { order: "o-1", note: `it is ${SECRET}`, nested: [SECRET] };
  const refused = await owner.hook(body, { headers });
  expect(refused.status).toBe(401);
  requestId = (await owner.log()).requests[0]?.requestId ?? "";
});

/** How long a link works. The account notes the time a moment later. */
const secondsOf = ({ createdAt, expiresAt }: ShareRecord) =>
  Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 1_000);

const ofRequest = () => ({ endpointId: owner.endpointId, requestId });

describe("a shared result", () => {
  it("shows what came out and what it cost, and nothing of what was asked", async () => {
    const { url, expiresAt } = await share();
    const page = await read(url);
    for (const shown of [
      "completed",
      "Found one tea.",
      "openai/scripted",
      "credit",
      "All prices are in euro.",
      'href="https://shop.example/teas"',
      "<th",
      "Tea",
      "Shared until",
      expiresAt,
    ]) {
      expect(page).toContain(shown);
    }
    for (const hidden of [
      "emit_output",
      "Acme-Secret-Supplier",
      "supplier",
      "internal-4711",
      "ticket",
      executionId,
      "/dashboard/executions",
      "Download table",
      "tab=timeline",
    ]) {
      expect(page).not.toContain(hidden);
    }
  });

  it("stays out of caches, search engines and other sites' logs", async () => {
    const { url } = await share();
    for (const { headers } of [await open(url), await open(`${url}x`)]) {
      expect(headers.get("Cache-Control")).toBe("no-store");
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
      expect(headers.get("X-Robots-Tag")).toBe("noindex");
      expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    }
  });

  it("gives out its files, and nothing else", async () => {
    const { url } = await share();
    const file = await open(`${url}/files/out_3`);
    expect(await file.text()).toBe("name,price\nTea,3.20\n");
    expect(file.headers.get("Content-Disposition")).toMatch(/^attachment; .*prices\.csv/);
    expect(file.headers.get("Content-Security-Policy")).toBe("sandbox; default-src 'none'");
    expect(file.headers.get("Referrer-Policy")).toBe("no-referrer");
    const others = [
      "/files/out_1",
      "/files/out_2",
      "/files/out_4",
      "/files/out_9",
      "/result",
      "/outputs/out_1",
    ];
    for (const path of others) expect((await open(url + path)).status, path).toBe(404);
    const { url: request } = await share(ofRequest());
    expect((await open(`${request}/files/out_3`)).status).toBe(404);
  });

  it("has none of the secrets of the endpoint that started it", async () => {
    const endpoint = await newEndpoint({ auth: { token: { secret: SECRET } } });
    const value = `token,${SECRET}\n`;
    const id = await ranBy(
      endpoint,
      promptOf(
        emits(
          { label: `Key ${SECRET}`, type: "text", value: `use ${SECRET} soon` },
          { label: "Keys", type: "table", value: { columns: [SECRET], rows: [[`=${SECRET}`]] } },
          { label: "Data", type: "json", value: { [SECRET]: { deep: [SECRET] } } },
          { label: "Link", type: "link", url: `https://shop.example/?token=${SECRET}` },
          { label: "File", ...FILE, filename: `${SECRET}.csv`, value },
        ),
        { finish: { summary: `The token is ${SECRET}.`, data: { token: SECRET } } },
      ),
    );
    const { url } = await share({ executionId: id }, endpoint.apiKey);
    const page = await read(url);
    expect(page).toContain("The token is [redacted].");
    expect(page).not.toContain(SECRET);
    const file = await open(`${url}/files/out_5`);
    expect(await file.text()).toBe("token,[redacted]\n");
    expect(JSON.stringify([...file.headers])).not.toContain(SECRET);
  });
});

describe("a shared request", () => {
  it("shows what refused it and why, with the log's headers and body", async () => {
    const page = await read((await share(ofRequest())).url);
    for (const shown of [
      "rejected",
      "Token and headers",
      "HTTP 401",
      "x-sent",
      "by-the-shop",
      "o-1",
      "it is [redacted]",
      "Diagnosis",
      "Shared until",
    ]) {
      expect(page).toContain(shown);
    }
    for (const hidden of [
      SECRET,
      "another-token",
      owner.endpointId,
      requestId,
      "/dashboard/webhooks",
    ]) {
      expect(page).not.toContain(hidden);
    }
  });

  it("has no secret that the endpoint got later", async () => {
    const endpoint = await newEndpoint();
    const id = await endpoint.take({ note: SECRET }, { headers: { "X-Other": SECRET } });
    const { endpointId, apiKey } = endpoint;
    const { url } = await share({ endpointId, requestId: id }, apiKey);
    expect(await read(url)).toContain(SECRET);
    await endpoint.change({ auth: { token: { secret: SECRET } } });
    expect(await read(url)).not.toContain(SECRET);
  });
});

describe("a link that does not work", () => {
  it("is answered alike, whatever the reason", async () => {
    const { ID_KEY } = settingsOf(env);
    const later = Date.now() + 60_000;
    const linkOf = async (content: (string | number)[]) =>
      `${ORIGIN}/s/${await signToken("shares: link", content, ID_KEY)}`;
    const { shareId } = await share();
    const revoked = await share();
    await revoke(revoked.shareId);
    const deleted = await newEndpoint();
    const gone = await share(
      { endpointId: deleted.endpointId, requestId: await deleted.take({}) },
      deleted.apiKey,
    );
    await deleted.call("", { method: "DELETE" });
    const suspended = await newEndpoint();
    const closed = await share(
      { endpointId: suspended.endpointId, requestId: await suspended.take({}) },
      suspended.apiKey,
    );
    await read(closed.url);
    await send(`/api/v1/admin/accounts/${suspended.accountId}`, {
      method: "PATCH",
      token: ADMIN_TOKEN,
      body: { status: "suspended" },
    });
    const links = {
      "made up": `${ORIGIN}/s/made-up`,
      expired: await linkOf([owner.accountId, shareId, Date.now()]),
      revoked: revoked.url,
      "of no share": await linkOf([owner.accountId, "shr_0000000000000000", later]),
      "of no account": await linkOf(["acc_000000000000", shareId, later]),
      "of another account": await linkOf([deleted.accountId, shareId, later]),
      "of what was deleted": gone.url,
      "of a suspended account": closed.url,
    };
    const pages = new Set<string>();
    for (const [why, url] of Object.entries(links)) {
      const page = await open(url);
      expect(page.status, why).toBe(404);
      pages.add(await page.text());
    }
    expect([...pages]).toHaveLength(1);
    expect([...pages][0]).toContain("has expired or was revoked");
  });

  it("stops at once when it is revoked, with its files", async () => {
    const { shareId, url } = await share();
    await read(url);
    expect((await revoke(shareId)).status).toBe(204);
    for (const path of ["", "/files/out_3"]) {
      expect((await open(url + path)).status).toBe(404);
    }
    await expectProblem(await revoke(shareId), 404, "not_found");
    expect(await list()).not.toContain(shareId);
  });

  it("is limited by the address that tries it", async () => {
    const { url } = await share();
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429 && statuses.length < 70) {
      statuses.push((await open(`${ORIGIN}/s/made-up`, "192.0.2.77")).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect((await open(url, "192.0.2.77")).status).toBe(200);
  });
});

describe("the API of shares", () => {
  it("creates, lists and revokes, with entries in the audit log", async () => {
    const made = await share({ executionId, expiresInSeconds: 3_600 });
    expect(made).toMatchObject({ executionId, endpointId: null, requestId: null });
    expect(secondsOf(made)).toBe(3_600);
    const week = await share(ofRequest());
    expect(secondsOf(week)).toBe(7 * 86_400);
    expect(await list()).toEqual(expect.arrayContaining([made.shareId, week.shareId]));
    await revoke(made.shareId);
    await revoke(made.shareId);
    expect(await list()).not.toContain(made.shareId);
    const audit = await send(`/api/v1/audit?resource=${made.shareId}`, { token: owner.apiKey });
    const { entries } = z.object({ entries: z.array(auditEntry) }).parse(await audit.json());
    const resource = { kind: "share", id: made.shareId, name: executionId };
    expect(entries.map(({ action, by, resource }) => [action, by.id, resource])).toEqual([
      ["share.revoked", owner.keyId, resource],
      ["share.created", owner.keyId, resource],
    ]);
    expect(JSON.stringify(entries)).not.toContain("/s/");
  });

  it.each([
    ["nothing", () => ({})],
    ["two things", () => ({ executionId, ...ofRequest() })],
    ["an endpoint alone", () => ({ endpointId: owner.endpointId })],
    ["a request without its endpoint", () => ({ requestId })],
    ["an expiry beyond 30 days", () => ({ executionId, expiresInSeconds: 2_592_001 })],
    ["an expiry of nothing", () => ({ executionId, expiresInSeconds: 0 })],
  ])("refuses %s", async (_, body) => {
    await expectProblem(await create(body()), 400, "invalid_request");
  });

  it("shares nothing of another account, nothing that is not there, and nothing that still runs", async () => {
    const stranger = await newAccount();
    const absent = crypto.randomUUID();
    for (const [body, token] of [
      [{ executionId }, stranger.apiKey],
      [ofRequest(), stranger.apiKey],
      [{ executionId: absent }, owner.apiKey],
      [{ endpointId: owner.endpointId, requestId: absent }, owner.apiKey],
      [{ endpointId: `ep_${"0".repeat(40)}`, requestId }, owner.apiKey],
    ] as const) {
      await expectProblem(await create(body, token), 404, "not_found");
    }
    const { shareId } = await share();
    await expectProblem(await revoke(shareId, stranger.apiKey), 404, "not_found");
    expect(await list(stranger.apiKey)).toEqual([]);
    const running = await trigger(stranger.apiKey);
    await untilStatus(stranger.apiKey, running, "active");
    const early = await create({ executionId: running }, stranger.apiKey);
    await expectProblem(early, 409, "result_not_ready");
  });

  it.each([
    ["executions:read", () => ({ executionId }), ["executions:write"]],
    ["executions:write", () => ({ executionId }), ["executions:read", "webhooks:write"]],
    ["webhooks:read", ofRequest, ["webhooks:write"]],
    ["webhooks:write", ofRequest, ["webhooks:read", "executions:write"]],
  ])(
    "asks for the scope %s, without which a link is not seen either",
    async (scope, body, scopes) => {
      const made = await share(body());
      const { apiKey } = await newKey(owner.apiKey, { name: "less", scopes });
      const { detail } = await expectProblem(
        await create(body(), apiKey),
        403,
        "insufficient_scope",
      );
      expect(detail).toContain(scope);
      expect(await list(apiKey)).not.toContain(made.shareId);
      await expectProblem(await revoke(made.shareId, apiKey), 404, "not_found");
      expect((await open(made.url)).status).toBe(200);
    },
  );
});

import { exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { signToken } from "../../../src/accounts/signed-links.ts";
import { type ShareRecord, shareRecord } from "../../../src/contract/shares.ts";
import { settingsOf } from "../../../src/env.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import {
  allPages,
  anyAddress,
  callsOf,
  env,
  expectProblem,
  newAccount,
  newKey,
  ORIGIN,
  textIn,
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

const create = (body: object, token = owner.apiKey) => callsOf(token).post(SHARES, body);

async function share(body: object = { executionId }, token = owner.apiKey): Promise<ShareRecord> {
  const response = await create(body, token);
  expect(response.status).toBe(201);
  return shareRecord.parse(await response.json());
}

const list = async (token = owner.apiKey): Promise<string[]> => {
  const shares = await allPages(token, `${SHARES}?limit=100`, "shares", shareRecord);
  return shares.map(({ shareId }) => shareId);
};

const revoke = (shareId: string, token = owner.apiKey) =>
  callsOf(token).remove(`${SHARES}/${shareId}`);

/** Opens a link as its reader does, who has no key. */
const open = (url: string, address = anyAddress()) =>
  exports.default.fetch(url, { headers: { "CF-Connecting-IP": address } });

const read = async (url: string) => {
  const page = await open(url);
  expect(page.status).toBe(200);
  return page.text();
};

/** Checks that a page shows all of these texts, and none of those. */
function expectShown(page: string, shown: string[], hidden: string[]): void {
  for (const text of shown) expect(page).toContain(text);
  for (const text of hidden) expect(page).not.toContain(text);
}

/** Runs a workflow for a request of an endpoint, and returns the execution once it has completed. */
async function ranBy(endpoint: TestEndpoint, prompt: string): Promise<string> {
  const { apiKey } = endpoint;
  const body = { name: "reports", prompt, model: "openai/scripted" };
  const made = await callsOf(apiKey).post("/api/v1/workflows", body);
  await endpoint.change({ workflowId: await textIn(made, "workflowId") });
  const accepted = await endpoint.hook({}, { headers: { "X-Webhook-Token": SECRET } });
  const id = await textIn(accepted, "executionId");
  await untilStatus(apiKey, id, "completed");
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
  it("shows the result and its cost, and nothing of the task", async () => {
    const { url, expiresAt } = await share();
    const shown = ["completed", "Found one tea.", "openai/scripted", "credit", "<th", "Tea"];
    const outputs = ["All prices are in euro.", 'href="https://shop.example/teas"'];
    const asked = ["Acme-Secret-Supplier", "supplier", "internal-4711", "ticket", executionId];
    const inside = ["emit_output", "/dashboard/executions", "Download table", "tab=timeline"];
    const expiry = ["Shared until", expiresAt];
    expectShown(await read(url), [...shown, ...outputs, ...expiry], [...asked, ...inside]);
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

  it("serves its files, and nothing else", async () => {
    const { url } = await share();
    const file = await open(`${url}/files/out_3`);
    expect(await file.text()).toBe("name,price\nTea,3.20\n");
    expect(file.headers.get("Content-Disposition")).toMatch(/^attachment; .*prices\.csv/);
    expect(file.headers.get("Content-Security-Policy")).toBe("sandbox; default-src 'none'");
    expect(file.headers.get("Referrer-Policy")).toBe("no-referrer");
    const others = ["files/out_1", "files/out_9", "result", "outputs/out_1"];
    for (const path of others) expect((await open(`${url}/${path}`)).status, path).toBe(404);
    const { url: request } = await share(ofRequest());
    expect((await open(`${request}/files/out_3`)).status).toBe(404);
  });

  it("hides the secrets of the endpoint that started it", async () => {
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
  it("shows the refusing check and the reason, with the logged headers and body", async () => {
    const page = await read((await share(ofRequest())).url);
    const verdict = ["rejected", "Token and headers", "HTTP 401", "Diagnosis", "Shared until"];
    const received = ["x-sent", "by-the-shop", "o-1", "it is [redacted]"];
    const ids = [owner.endpointId, requestId, "/dashboard/webhooks"];
    expectShown(page, [...verdict, ...received], [SECRET, "another-token", ...ids]);
  });

  it("hides secrets that the endpoint got later", async () => {
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
  it("gets the same response for any reason", async () => {
    const { ID_KEY } = settingsOf(env);
    const later = Date.now() + 60_000;
    const linkOf = async (content: (string | number)[]) =>
      `${ORIGIN}/s/${await signToken("shares: link", content, ID_KEY)}`;
    const { shareId } = await share();
    const revoked = await share();
    await revoke(revoked.shareId);
    const takenShare = async () => {
      const endpoint = await newEndpoint();
      const { endpointId, apiKey } = endpoint;
      const body = { endpointId, requestId: await endpoint.take({}) };
      return { endpoint, ...(await share(body, apiKey)) };
    };
    const gone = await takenShare();
    await gone.endpoint.call("", { method: "DELETE" });
    const closed = await takenShare();
    await read(closed.url);
    const account = `/api/v1/admin/accounts/${closed.endpoint.accountId}`;
    await callsOf(ADMIN_TOKEN).patch(account, { status: "suspended" });
    const links = {
      "made up": `${ORIGIN}/s/made-up`,
      expired: await linkOf([owner.accountId, shareId, Date.now()]),
      revoked: revoked.url,
      "of no share": await linkOf([owner.accountId, "shr_0000000000000000", later]),
      "of no account": await linkOf(["acc_000000000000", shareId, later]),
      "of another account": await linkOf([gone.endpoint.accountId, shareId, later]),
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

  it("is rate-limited by address", async () => {
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
    const audit = await owner.get(`/api/v1/audit?resource=${made.shareId}`);
    const text = await audit.text();
    const shared = {
      by: { id: owner.keyId },
      resource: { kind: "share", id: made.shareId, name: executionId },
    };
    expect(JSON.parse(text)).toMatchObject({
      entries: [
        { action: "share.revoked", ...shared },
        { action: "share.created", ...shared },
      ],
    });
    expect(text).not.toContain("/s/");
  });

  it("refuses to share another account's, unknown and running executions", async () => {
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
  ])("requires the scope %s, also to see links", async (scope, body, scopes) => {
    const made = await share(body());
    const { apiKey } = await newKey(owner.apiKey, { name: "less", scopes });
    const { detail } = await expectProblem(await create(body(), apiKey), 403, "insufficient_scope");
    expect(detail).toContain(scope);
    expect(await list(apiKey)).not.toContain(made.shareId);
    await expectProblem(await revoke(made.shareId, apiKey), 404, "not_found");
    expect((await open(made.url)).status).toBe(200);
  });
});

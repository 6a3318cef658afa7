import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { testResult } from "../../../../src/contract/webhooks/log.ts";
import { STAGES } from "../../../../src/contract/webhooks/payload.ts";
import { expectProblem } from "../../../support/worker/client.ts";
import { takenIn } from "../../../support/worker/hooks.ts";
import { newEndpoint, type TestEndpoint } from "../../../support/worker/webhooks.ts";

const ask = ({ call, apiKey }: TestEndpoint, body: unknown, token = apiKey) =>
  call("/test", { method: "POST", token, body });

async function tried(endpoint: TestEndpoint, body: unknown): Promise<z.infer<typeof testResult>> {
  const response = await ask(endpoint, body);
  expect(response.status, await response.clone().text()).toBe(200);
  return testResult.parse(await response.json());
}

/** Each check's verdict by its stage. */
const verdictsOf = ({ checks }: z.infer<typeof testResult>) =>
  Object.fromEntries(checks.map(({ stage, verdict }) => [stage, verdict]));

describe("a sample that is signed", () => {
  it("passes every check and shows the inputs, and nothing is stored or started", async () => {
    const auth = {
      token: { header: "X-Shop-Token" },
      hmac: { preset: "standard-webhooks" },
      headers: [{ name: "X-Env", value: "prod" }, { name: "X-Source" }],
    };
    const endpoint = await newEndpoint({ auth }, [
      { name: "orderId", type: "integer", required: true },
    ]);
    const result = await tried(endpoint, { payload: { id: "e", orderId: 7 }, sign: true });
    expect(result).toMatchObject({
      accepted: true,
      httpStatus: 202,
      duplicate: false,
      mappedInputs: { orderId: 7 },
    });
    expect(result.checks.map(({ stage }) => stage)).toEqual(
      STAGES.filter((stage) => stage !== "start" && stage !== "execution"),
    );
    expect(verdictsOf(result)).toMatchObject({ rate: "skipped", ip: "skipped", auth: "passed" });
    expect((await endpoint.log()).requests).toEqual([]);
  });

  it.each(["github", "stripe", "shopify", "slack", "zoom", "twitch", "square", "twilio"] as const)(
    "is what %s would send",
    async (preset) => {
      const endpoint = await newEndpoint({ auth: { hmac: { preset } } });
      const result = await tried(endpoint, { payload: { id: "evt_1" }, sign: true });
      expect(verdictsOf(result)).toMatchObject({ signature: "passed", validation: "passed" });
    },
  );
});

describe("a sample with a long number", () => {
  it.each(["payload", "body"])("keeps its digits in `%s`, as a webhook does", async (name) => {
    const endpoint = await newEndpoint({}, [{ name: "id", type: "string", required: true }]);
    const result = await tried(endpoint, `{"${name}":{"id":12345678901234567890}}`);
    expect(result.mappedInputs).toEqual({ id: "12345678901234567890" });
  });
});

describe("a sample for an endpoint without a workflow", () => {
  it("is mapped all the same, as far as its fields tell how", async () => {
    const mapping = { fields: [{ to: "orderId", from: "order.id" }] };
    const endpoint = await newEndpoint({ mapping });
    const result = await tried(endpoint, { payload: { order: { id: 7 } } });
    expect(result).toMatchObject({ accepted: true, mappedInputs: { orderId: 7 } });
    const check = result.checks.find(({ stage }) => stage === "mapping");
    expect(check).toMatchObject({ verdict: "passed" });
    expect(check?.note).toContain("No workflow is attached");
  });

  it("shows what of the mapping fails", async () => {
    const transforms = [{ type: "unit", from: "minor", to: "major", currency: "USD" }];
    const mapping = { fields: [{ to: "total", from: "cents", transforms }] };
    const endpoint = await newEndpoint({ mapping });
    const result = await tried(endpoint, { payload: { cents: "many" } });
    expect(result.checks.find(({ stage }) => stage === "mapping")).toMatchObject({
      verdict: "refused",
    });
  });
});

describe("a sample that is not signed", () => {
  it("shows all that is wrong, and the inputs all the same", async () => {
    const auth = { token: {}, hmac: { preset: "github" }, ipAllowlist: ["203.0.113.0/24"] };
    const validation = { required: ["customer"] };
    const endpoint = await newEndpoint({ auth, validation }, [
      { name: "orderId", type: "integer" },
    ]);
    const sample = { payload: { orderId: 7 }, sourceIp: "198.51.100.1" };
    const result = await tried(endpoint, sample);
    expect(result).toMatchObject({
      accepted: false,
      httpStatus: 403,
      mappedInputs: { orderId: 7 },
    });
    expect(verdictsOf(result)).toMatchObject({
      ip: "refused",
      auth: "refused",
      signature: "refused",
      validation: "refused",
      mapping: "passed",
    });
  });

  it("comes from where it says", async () => {
    const endpoint = await newEndpoint({ auth: { ipAllowlist: ["203.0.113.0/24"] } });
    expect(await tried(endpoint, { sourceIp: "203.0.113.1" })).toMatchObject({ accepted: true });
    expect(await tried(endpoint, {})).toMatchObject({ accepted: false });
  });

  it("is told what its signature looks like", async () => {
    const endpoint = await newEndpoint({
      auth: { hmac: { preset: "github", secret: "a-secret-of-tests" } },
    });
    const headers = { "X-Hub-Signature-256": `sha256=${"0".repeat(64)}` };
    const { diagnosis } = await tried(endpoint, { body: "{}", headers });
    expect(diagnosis.length).toBeGreaterThan(0);
  });
});

it("shows a duplicate, and that a GET reads its query", async () => {
  const endpoint = await newEndpoint();
  await takenIn(await endpoint.hook({ event_id: "evt_1" }));
  const sample = { method: "GET", query: { event_id: "evt_1" } };
  const skipped = await tried(endpoint, sample);
  expect(skipped).toMatchObject({
    accepted: false,
    httpStatus: 200,
    duplicate: true,
    eventId: "evt_1",
  });
  expect(verdictsOf(skipped).duplicate).toBe("refused");
  await endpoint.change({ onDuplicate: "run" });
  expect(await tried(endpoint, sample)).toMatchObject({ accepted: true, duplicate: true });
});

it("shows that a disabled endpoint takes nothing", async () => {
  const endpoint = await newEndpoint({ enabled: false });
  expect(await tried(endpoint, {})).toMatchObject({ accepted: false, httpStatus: 404 });
});

it("shows the answer to a provider's challenge", async () => {
  const endpoint = await newEndpoint({ auth: { hmac: { preset: "slack" } } });
  const payload = { type: "url_verification", challenge: "echo" };
  expect(await tried(endpoint, { payload, sign: true })).toMatchObject({
    accepted: true,
    httpStatus: 200,
  });
});

it("takes a body that is a value as JSON, and one that is text as it is", async () => {
  const endpoint = await newEndpoint({}, [{ name: "orderId", type: "integer" }]);
  for (const body of [{ orderId: 7 }, '{"orderId": 7}']) {
    const result = await tried(endpoint, { body });
    expect(result).toMatchObject({ accepted: true, mappedInputs: { orderId: 7 } });
  }
  expect(await tried(endpoint, { payload: null })).toMatchObject({ accepted: true });
  expect(await tried(endpoint, {})).toMatchObject({ accepted: true });
});

it("holds a sample to the endpoint's limit", async () => {
  const endpoint = await newEndpoint({ validation: { maxBytes: 10 } });
  const result = await tried(endpoint, { payload: "x".repeat(20) });
  expect(result).toMatchObject({ accepted: false, httpStatus: 413 });
  expect(verdictsOf(result)).toMatchObject({ size: "refused", parse: "skipped" });
});

describe("a sample that could not be sent", () => {
  it.each([
    [{ body: "{}", payload: {} }],
    [{ method: "GET", payload: {} }],
    [{ method: "PUT" }],
    [{ headers: { "bad name": "x" } }],
    [{ headers: { "X-A": "x\r\nX-B: y" } }],
    [{ unknown: true }],
  ])("is refused: %j", async (sample) => {
    const endpoint = await newEndpoint();
    await expectProblem(await ask(endpoint, sample), 400, "invalid_request");
  });
});

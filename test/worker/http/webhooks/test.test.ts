import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { testResult } from "../../../../src/contract/webhooks/log.ts";
import { STAGES } from "../../../../src/contract/webhooks/payload.ts";
import { faultsOf } from "../../../support/worker/client.ts";
import { newEndpoint, type TestEndpoint } from "../../../support/worker/webhooks.ts";

const INTEGER = [{ name: "orderId", type: "integer" as const }];

const ask = ({ call }: TestEndpoint, body: unknown) => call("/test", { method: "POST", body });

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
    const endpoint = await newEndpoint({ auth }, INTEGER);
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

  it.each(["slack", "square", "twilio"])("is built like a request of %s", async (preset) => {
    const endpoint = await newEndpoint({ auth: { hmac: { preset } } });
    const result = await tried(endpoint, { payload: { id: "evt_1" }, sign: true });
    expect(verdictsOf(result)).toMatchObject({ signature: "passed", validation: "passed" });
    const payload = { type: "url_verification", challenge: "echo" };
    if (preset !== "slack") return;
    const challenged = await tried(endpoint, { payload, sign: true });
    expect(challenged).toMatchObject({ accepted: true, httpStatus: 200 });
  });
});

it.each(["payload", "body"])("a sample keeps the digits of a long number in `%s`", async (name) => {
  const endpoint = await newEndpoint({}, [{ name: "id", type: "string", required: true }]);
  const result = await tried(endpoint, `{"${name}":{"id":12345678901234567890}}`);
  expect(result.mappedInputs).toEqual({ id: "12345678901234567890" });
});

it("a sample reports a duplicate, and by GET has its query as its payload", async () => {
  const endpoint = await newEndpoint();
  await endpoint.take({ event_id: "evt_1" });
  const sample = { method: "GET", query: { event_id: "evt_1" } };
  const skipped = await tried(endpoint, sample);
  const duplicate = { httpStatus: 200, duplicate: true, eventId: "evt_1" };
  expect(skipped).toMatchObject({ accepted: false, ...duplicate });
  expect(verdictsOf(skipped).duplicate).toBe("refused");
  await endpoint.change({ onDuplicate: "run" });
  expect(await tried(endpoint, sample)).toMatchObject({ accepted: true, duplicate: true });
  const query = { tag: ["a", "b"] };
  const { mappedInputs } = await tried(endpoint, { method: "GET", query });
  expect(mappedInputs).toEqual({ payload: query });
});

it("a sample may have a text, a value or no body, within the endpoint's limit", async () => {
  const endpoint = await newEndpoint({ validation: { maxBytes: 20 } }, INTEGER);
  for (const body of [{ orderId: 7 }, '{"orderId": 7}']) {
    const result = await tried(endpoint, { body });
    expect(result).toMatchObject({ accepted: true, mappedInputs: { orderId: 7 } });
  }
  for (const body of [{ payload: null }, {}]) {
    expect(await tried(endpoint, body)).toMatchObject({ accepted: true });
  }
  const large = await tried(endpoint, { payload: "x".repeat(20) });
  expect(large).toMatchObject({ accepted: false, httpStatus: 413 });
  expect(verdictsOf(large)).toMatchObject({ size: "refused", parse: "skipped" });
  expect(await faultsOf(await ask(endpoint, { body: "{}", payload: {} }))).toEqual(["body"]);
  await endpoint.change({ enabled: false });
  expect(await tried(endpoint, {})).toMatchObject({ accepted: false, httpStatus: 404 });
});

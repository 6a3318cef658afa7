import { describe, expect, it } from "vitest";
import * as z from "zod";
import { endpointRecord } from "../../../../src/contract/webhooks/endpoint.ts";
import {
  callsOf,
  expectProblem,
  faultsOf,
  newAccount,
  ORIGIN,
} from "../../../support/worker/client.ts";
import {
  changedEndpoint,
  newEndpoint,
  patchEndpoint,
  postEndpoint,
  readEndpoint,
  removeEndpoint,
  saved,
  somePath,
  tokenAuth,
} from "../../../support/worker/endpoints.ts";
import { WEBHOOKS } from "../../../support/worker/webhooks.ts";

const { apiKey } = await newAccount();
const { get, post } = callsOf(apiKey);

it("a new endpoint needs only a name, and has an address", async () => {
  const response = await postEndpoint(apiKey);
  const made = await saved(response, 201);
  const { endpointId, createdAt } = made;
  expect(response.headers.get("Location")).toBe(`${WEBHOOKS}/${endpointId}`);
  expect(endpointId).toMatch(/^ep_[0-9a-f]{40}$/);
  expect(made).toEqual({
    endpointId,
    name: "shop orders",
    url: `${ORIGIN}/hooks/${endpointId}`,
    path: null,
    workflowId: null,
    routing: null,
    enabled: true,
    methods: ["POST"],
    auth: {},
    replayProtection: { enabled: true, toleranceSeconds: 300, timestamp: null },
    eventId: null,
    onDuplicate: "skip",
    validation: { required: [], types: {}, schema: null, maxBytes: 1_048_576 },
    mapping: { auto: true, fields: [] },
    retentionDays: 30,
    requestsPerMinute: 6_000,
    split: null,
    source: null,
    response: null,
    queuedCount: 0,
    revision: 1,
    externalId: null,
    limits: null,
    withoutWorkflow: "hold",
    managedBy: null,
    createdAt,
    updatedAt: createdAt,
  });
  expect(await readEndpoint(apiKey, endpointId)).toEqual(made);
});

it("an endpoint is deleted once, and can no longer be managed", async () => {
  const { endpointId } = await newEndpoint(apiKey);
  const response = await removeEndpoint(apiKey, endpointId);
  expect(response.status).toBe(204);
  expect(await response.text()).toBe("");
  const path = `${WEBHOOKS}/${endpointId}`;
  for (const later of [
    await removeEndpoint(apiKey, endpointId),
    await get(path),
    await patchEndpoint(apiKey, endpointId, { name: "x" }),
    await post(`${path}/rotate-secret`),
  ]) {
    await expectProblem(later, 404, "not_found");
  }
});

it("the list shows each endpoint like its own page", async () => {
  const account = await newAccount();
  const { endpointId } = await newEndpoint(account.apiKey, { auth: tokenAuth });
  const list = await (await callsOf(account.apiKey).get(WEBHOOKS)).json();
  const { endpoints } = z.object({ endpoints: z.array(endpointRecord) }).parse(list);
  expect(endpoints).toEqual([await readEndpoint(account.apiKey, endpointId)]);
});

describe("a custom path", () => {
  const isRefused = async (response: Response) => {
    const problem = await expectProblem(response, 400, "invalid_request");
    expect(problem.errors).toMatchObject([{ path: "auth", rule: "custom_path" }]);
  };
  const withPath = (auth: object, path = somePath()) => newEndpoint(apiKey, { path, auth });

  it("needs authentication, which no change can remove", async () => {
    const nobody = [{}, { headers: [{ name: "X-Source" }] }];
    await isRefused(await postEndpoint(apiKey, { path: somePath() }));
    for (const auth of nobody)
      await isRefused(await postEndpoint(apiKey, { path: somePath(), auth }));
    const { endpointId } = await withPath(tokenAuth);
    for (const auth of [...nobody, null])
      await isRefused(await patchEndpoint(apiKey, endpointId, { auth }));
    await changedEndpoint(apiKey, endpointId, { auth: {}, path: null });
    await isRefused(await patchEndpoint(apiKey, endpointId, { path: somePath() }));
  });

  it.each([
    tokenAuth,
    { hmac: { preset: "github" } },
    { ipAllowlist: ["203.0.113.7"] },
    { headers: [{ name: "X-Env", value: "prod" }] },
  ])("is accepted with %j, also with a leading slash", async (auth) => {
    const path = somePath();
    const shown = { path, url: `${ORIGIN}/hooks/${path}` };
    expect(await withPath(auth, `/${path}`)).toMatchObject(shown);
  });

  it("is unique: of two concurrent requests for it, one succeeds", async () => {
    const path = somePath();
    const { apiKey: other } = await newAccount();
    const responses = await Promise.all(
      [apiKey, other].map((key) => postEndpoint(key, { path, auth: tokenAuth })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    const lost = responses.find(({ status }) => status === 409) ?? Response.error();
    const problem = await expectProblem(lost, 409, "conflict");
    expect(problem.errors).toMatchObject([{ path: "path" }]);
    const { endpointId } = await newEndpoint(other, { auth: tokenAuth });
    await expectProblem(await patchEndpoint(other, endpointId, { path }), 409, "conflict");
    expect((await readEndpoint(other, endpointId)).path).toBeNull();
  });

  it("is refused if it is invalid", async () => {
    const response = await postEndpoint(apiKey, { path: "a/../b", auth: tokenAuth });
    expect(await faultsOf(response)).toEqual(["path"]);
  });
});

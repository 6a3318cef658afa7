import { beforeAll, describe, expect, it } from "vitest";
import { expectProblem, newAccount, ORIGIN } from "../../../support/worker/client.ts";
import {
  changedEndpoint,
  newEndpoint,
  patchEndpoint,
  postEndpoint,
  readEndpoint,
  removeEndpoint,
  somePath,
  tokenAuth,
} from "../../../support/worker/endpoints.ts";

let apiKey: string;
beforeAll(async () => {
  ({ apiKey } = await newAccount());
});

describe("a custom path", () => {
  it.each([
    ["nothing", {}],
    ["only that a header is there", { headers: [{ name: "X-Source" }] }],
    ["nothing at all", null],
  ])("is refused with %s to tell the sender by", async (_, auth) => {
    const body = { path: somePath(), ...(auth !== null && { auth }) };
    const problem = await expectProblem(await postEndpoint(apiKey, body), 400, "invalid_request");
    expect(problem.errors).toMatchObject([{ path: "auth", rule: "custom_path" }]);
  });

  it.each([
    tokenAuth,
    { hmac: { preset: "github" } },
    { ipAllowlist: ["203.0.113.7"] },
    { headers: [{ name: "X-Env", value: "prod" }] },
  ])("is taken with %j", async (auth) => {
    const path = somePath();
    expect(await newEndpoint(apiKey, { path, auth })).toMatchObject({
      path,
      url: `${ORIGIN}/hooks/${path}`,
    });
  });

  it("may be given with a leading slash", async () => {
    const path = somePath();
    expect(await newEndpoint(apiKey, { path: `/${path}`, auth: tokenAuth })).toMatchObject({
      path,
      url: `${ORIGIN}/hooks/${path}`,
    });
  });

  it("keeps its auth: a change cannot take the last of it away", async () => {
    const { endpointId } = await newEndpoint(apiKey, { path: somePath(), auth: tokenAuth });
    for (const body of [{ auth: {} }, { auth: null }, { auth: { headers: [{ name: "X-A" }] } }]) {
      const response = await patchEndpoint(apiKey, endpointId, body);
      const problem = await expectProblem(response, 400, "invalid_request");
      expect(problem.errors).toMatchObject([{ path: "auth", rule: "custom_path" }]);
    }
    await changedEndpoint(apiKey, endpointId, { auth: {}, path: null });
    const response = await patchEndpoint(apiKey, endpointId, { path: somePath() });
    await expectProblem(response, 400, "invalid_request");
  });

  it("is unique in the whole deployment, for one of two that come at once", async () => {
    const path = somePath();
    const { apiKey: other } = await newAccount();
    const responses = await Promise.all(
      [apiKey, other].map((key) => postEndpoint(key, { path, auth: tokenAuth })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    const lost = responses.find(({ status }) => status === 409);
    if (lost === undefined) throw new Error("one has lost");
    const problem = await expectProblem(lost, 409, "conflict");
    expect(problem.errors).toMatchObject([{ path: "path" }]);
    const { endpointId } = await newEndpoint(other, { auth: tokenAuth });
    await expectProblem(await patchEndpoint(other, endpointId, { path }), 409, "conflict");
    expect((await readEndpoint(other, endpointId)).path).toBeNull();
  });

  it("is free again once its endpoint has another, or is deleted", async () => {
    const path = somePath();
    const first = await newEndpoint(apiKey, { path, auth: tokenAuth });
    await changedEndpoint(apiKey, first.endpointId, { path: null });
    const second = await newEndpoint(apiKey, { path, auth: tokenAuth });
    expect((await removeEndpoint(apiKey, second.endpointId)).status).toBe(204);
    await newEndpoint(apiKey, { path, auth: tokenAuth });
  });

  it.each([
    `ep_${"0".repeat(40)}`,
    `EP_${"A".repeat(40)}`,
    "acme/",
    "a//b",
    "a/../b",
    ".git",
    "a b",
    "a%2fb",
    "ä",
    "",
    "a".repeat(201),
  ])("is never %j", async (path) => {
    const response = await postEndpoint(apiKey, { path, auth: tokenAuth });
    const problem = await expectProblem(response, 400, "invalid_request");
    expect(problem.errors?.[0]?.path).toBe("path");
  });
});

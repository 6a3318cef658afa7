import { describe, expect, it } from "vitest";
import { expectProblem } from "../../../support/worker/client.ts";
import { auth, KEY, openSafe, TOKEN } from "../../../support/worker/endpoint-secrets.ts";
import { newEndpoint, saved } from "../../../support/worker/endpoints.ts";

const { account, rotate, opened } = await openSafe();

describe("rotating a secret", () => {
  it("makes a new one, and lets the old one live for a while", async () => {
    const { endpointId } = await newEndpoint(account.apiKey, { auth });
    const after = await saved(await rotate(endpointId, { overlapSeconds: 3_600 }), 200);
    const validUntil = Date.parse(after.updatedAt) + 3_600_000;
    expect(after.auth.hmac?.secret).toEqual({
      set: true,
      last4: after.secrets?.hmac?.slice(-4),
      previousValidUntil: new Date(validUntil).toISOString(),
    });
    expect(after.auth.token?.secret).not.toHaveProperty("previousValidUntil");
    expect(await opened(endpointId)).toMatchObject({
      token: { current: TOKEN, previous: null },
      hmac: { current: after.secrets?.hmac, previous: { value: KEY, validUntil } },
    });
  });

  it("needs no body, and means a day then", async () => {
    const { endpointId } = await newEndpoint(account.apiKey, {
      auth: { token: { secret: TOKEN } },
    });
    const after = await saved(await rotate(endpointId), 200);
    const until = Date.parse(after.auth.token?.secret.previousValidUntil ?? "");
    expect(until - Date.parse(after.updatedAt)).toBe(86_400_000);
    expect(after.secrets?.token).toBeDefined();
  });

  it("takes a secret that is given, and shows it no more", async () => {
    const { endpointId } = await newEndpoint(account.apiKey, { auth });
    const response = await rotate(endpointId, {
      target: "token",
      secret: "a-new-token-of-ours",
      overlapSeconds: 0,
    });
    const after = await saved(response, 200);
    expect(after).not.toHaveProperty("secrets");
    expect((await opened(endpointId)).token).toEqual({
      current: "a-new-token-of-ours",
      previous: { value: TOKEN, validUntil: Date.parse(after.updatedAt) },
    });
  });

  it("knows the one before alone, not all before it", async () => {
    const { endpointId } = await newEndpoint(account.apiKey, { auth });
    const first = await saved(await rotate(endpointId), 200);
    const second = await saved(await rotate(endpointId), 200);
    expect((await opened(endpointId)).hmac).toMatchObject({
      current: second.secrets?.hmac,
      previous: { value: first.secrets?.hmac },
    });
  });

  it.each([
    [{}, {}, "target"],
    [{ token: {} }, { target: "hmac" }, "target"],
    [{ hmac: {} }, { target: "token" }, "target"],
    [{ token: {} }, { secret: "not\nsendable" }, "secret"],
    [{ hmac: { secretEncoding: "hex" } }, { secret: "no hex" }, "secret"],
    [{ token: {} }, { overlapSeconds: -1 }, "overlapSeconds"],
    [{ token: {} }, { overlapSeconds: 2_592_001 }, "overlapSeconds"],
  ])("of %j refuses %j", async (auth, body, path) => {
    const { endpointId } = await newEndpoint(account.apiKey, { auth });
    const problem = await expectProblem(await rotate(endpointId, body), 400, "invalid_request");
    expect(problem.errors?.[0]?.path).toBe(path);
  });
});

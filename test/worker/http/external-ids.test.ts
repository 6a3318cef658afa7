import { describe, expect, it } from "vitest";
import { expectProblem, newAccount, send } from "../../support/worker/client.ts";

type Fields = Record<string, unknown>;

/** The calls of a new account; each answers with its status and its fields. */
async function open() {
  const { apiKey: token } = await newAccount();
  const call = (
    method: string,
    path: string,
    body?: Fields,
    headers: Record<string, string> = {},
  ) => send(`/api/v1${path}`, { method, token, body, headers });
  const fields = async (response: Response): Promise<Fields> => ({
    httpStatus: response.status,
    ...(response.status === 204 ? {} : await response.json<Fields>()),
  });
  const put = async (path: string, body: Fields, match?: number) =>
    fields(await call("PUT", path, body, match === undefined ? {} : { "If-Match": `"${match}"` }));
  const { workflowId } = await fields(
    await call("POST", "/workflows", { name: "look", prompt: "Look at it." }),
  );
  return { call, fields, put, workflowId };
}

const KINDS = {
  workflows: {
    body: () => ({ name: "greet", prompt: "Say hello.", callbackSecret: "the callback secret" }),
    other: { prompt: "Say goodbye." },
    id: "workflowId",
  },
  webhooks: {
    body: () => ({
      name: "orders",
      path: `shop/${crypto.randomUUID()}`,
      auth: {
        hmac: { preset: "github", secret: "s3cret-of-the-sender" },
        headers: [{ name: "X-Env", value: "prod" }],
      },
    }),
    other: { retentionDays: 7 },
    id: "endpointId",
  },
  schedules: {
    body: (workflowId: unknown) => ({ workflowId, at: "2036-01-01T07:30:00+01:00" }),
    other: { overlap: "allow" },
    id: "scheduleId",
  },
  destinations: {
    body: () => ({
      name: "on call",
      format: "standard",
      url: "https://receiver.example/events",
      events: ["execution.failed"],
      secret: "a-secret-of-the-receiver",
      headers: { Authorization: "Bearer receiver" },
    }),
    other: { payload: "full" },
    id: "destinationId",
  },
} as const;

describe.each(["workflows", "webhooks", "schedules", "destinations"] as const)(
  "%s by an external id",
  (kind) => {
    const { other, id } = KINDS[kind];
    const path = `/${kind}/ext/shop.north`;
    const files = { managedBy: { kind: "files", commit: "abc123" } };

    it("are created, stay as they are under the same settings, and change under others", async () => {
      const { put, workflowId, call, fields } = await open();
      const body = { ...KINDS[kind].body(workflowId), ...files };
      const made = await put(path, body);
      expect(made).toMatchObject({
        httpStatus: 201,
        changed: true,
        revision: 1,
        externalId: "shop.north",
        managedBy: { ...files.managedBy, revision: 1 },
      });
      const again = await put(path, { ...body, managedBy: { kind: "files", commit: "later" } });
      expect(again).toEqual({ ...made, httpStatus: 200, changed: false });
      const changed = await put(path, { ...body, ...other });
      expect(changed).toMatchObject({ httpStatus: 200, changed: true, revision: 2, ...other });
      expect(changed[id]).toBe(made[id]);
      const { changed: _, httpStatus: __, ...record } = changed;
      expect(await fields(await call("GET", path))).toMatchObject({ httpStatus: 200, ...record });
      expect(await fields(await call("GET", `/${kind}/${made[id]}`))).toMatchObject(record);
      // What is left out gets its default.
      expect(await put(path, body)).toMatchObject({ changed: true, revision: 3 });
    });

    it("are checked and compared by a dry run that stores nothing", async () => {
      const { put, workflowId, call } = await open();
      const body = KINDS[kind].body(workflowId);
      expect(await put(`${path}?dryRun=true`, body)).toMatchObject({
        httpStatus: 200,
        changed: true,
      });
      expect((await call("GET", path)).status).toBe(404);
      await put(path, body);
      const dry = await put(`${path}?dryRun=true`, { ...body, ...other });
      expect(dry).toMatchObject({ httpStatus: 200, changed: true, revision: 2, ...other });
      expect(await put(path, body, 1)).toMatchObject({ changed: false, revision: 1 });
      const wrong = await call("PUT", `${path}?dryRun=true`, { ...body, nmae: "x" });
      await expectProblem(wrong, 400, "invalid_request");
    });

    it("are replaced only at the revision that If-Match names", async () => {
      const { put, workflowId, call } = await open();
      const body = KINDS[kind].body(workflowId);
      expect(await put(path, body, 1)).toMatchObject({ httpStatus: 412 });
      const made = await put(path, { ...body, ...files }, 0);
      expect(await put(path, body, 0)).toMatchObject({ httpStatus: 412, code: "version_mismatch" });
      const byHand = await call("PATCH", `/${kind}/${made[id]}`, other);
      // The files wrote an earlier revision: that is how drift is seen.
      expect(await byHand.json()).toMatchObject({ revision: 2, managedBy: { revision: 1 } });
      expect(await put(path, body, 1)).toMatchObject({ httpStatus: 412 });
      expect((await call("DELETE", path, undefined, { "If-Match": '"1"' })).status).toBe(412);
      const taken = await put(path, { ...body, ...files }, 2);
      expect(taken).toMatchObject({ httpStatus: 200, revision: 3, managedBy: { revision: 3 } });
    });

    it("have a name that no other has, also in POST and PATCH, until they are deleted", async () => {
      const { put, workflowId, call } = await open();
      const body = KINDS[kind].body(workflowId);
      const { path: _, ...unnamed } = { path: "", ...body };
      await put(path, body);
      const twice = await call("POST", `/${kind}`, { ...unnamed, externalId: "shop.north" });
      const { errors } = await expectProblem(twice, 409, "conflict");
      expect(errors).toMatchObject([{ path: "externalId", rule: "unique" }]);
      const second = await put(`/${kind}/ext/shop.south`, unnamed);
      const renamed = (to: string | null) =>
        call("PATCH", `/${kind}/${second[id]}`, { externalId: to });
      await expectProblem(await renamed("shop.north"), 409, "conflict");
      await expectProblem(await renamed("Shop!"), 400, "invalid_request");
      expect((await call("DELETE", path)).status).toBe(204);
      expect((await call("GET", path)).status).toBe(404);
      expect(await (await renamed("shop.north")).json()).toMatchObject({
        externalId: "shop.north",
      });
      expect(await (await renamed(null)).json()).toMatchObject({ externalId: null });
      const other = await call("PUT", path, { ...unnamed, externalId: "another" });
      await expectProblem(other, 400, "invalid_request");
    });

    it("belong to one account", async () => {
      const [ours, theirs] = [await open(), await open()];
      await ours.put(path, KINDS[kind].body(ours.workflowId));
      expect((await theirs.call("GET", path)).status).toBe(404);
      const made = await theirs.put(path, KINDS[kind].body(theirs.workflowId));
      expect(made).toMatchObject({ httpStatus: 201 });
    });
  },
);

it("a secret that differs is a change, and the same secret is none", async () => {
  const { put } = await open();
  const path = "/webhooks/ext/signed";
  const auth = (token: string, hmac: string, header: string) => ({
    name: "signed",
    auth: {
      token: { secret: token },
      hmac: { preset: "stripe", secret: hmac },
      headers: [{ name: "X-Key", value: header }],
    },
  });
  await put(path, auth("token-1-long", "whsec_1", "value-1"));
  expect(await put(path, auth("token-1-long", "whsec_1", "value-1"))).toMatchObject({
    changed: false,
  });
  expect(await put(path, auth("token-2-long", "whsec_1", "value-1"))).toMatchObject({
    revision: 2,
  });
  expect(await put(path, auth("token-2-long", "whsec_2", "value-1"))).toMatchObject({
    revision: 3,
  });
  expect(await put(path, auth("token-2-long", "whsec_2", "value-2"))).toMatchObject({
    revision: 4,
  });
});

it("a dry run refuses a path that another endpoint has", async () => {
  const { put, call } = await open();
  const body = KINDS.webhooks.body();
  await put("/webhooks/ext/first", body);
  const taken = await call("PUT", "/webhooks/ext/second?dryRun=true", body);
  await expectProblem(taken, 409, "conflict");
});

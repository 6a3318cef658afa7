import { describe, expect, it } from "vitest";
import { expectProblem, faultsOf, newAccount, send, textIn } from "../../support/worker/client.ts";

type Fields = Record<string, unknown>;

/** The calls of a new account; each PUT answers with its status and its fields. */
async function open() {
  const { get, post, put, patch, remove } = await newAccount();
  const at = (path: string) => `/api/v1${path}`;
  const workflow = await post(at("/workflows"), { name: "look", prompt: "Look at it." });
  return {
    workflowId: await textIn(workflow, "workflowId"),
    get: (path: string) => get(at(path)),
    post: (path: string, body: Fields) => post(at(path), body),
    patch: (path: string, body: Fields) => patch(at(path), body),
    remove: (path: string) => remove(at(path)),
    async put(path: string, body: Fields, match?: number) {
      const headers = match === undefined ? {} : { "If-Match": `"${match}"` };
      const response = await put(at(path), body, headers);
      return { httpStatus: response.status, ...(await response.json<Fields>()) };
    },
  };
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
    const managedBy = (revision: number) => ({ ...files.managedBy, revision });

    it("are created, unchanged by the same settings, and changed by others", async () => {
      const { put, workflowId, get } = await open();
      const body = { ...KINDS[kind].body(workflowId), ...files };
      const made = await put(path, body);
      expect(made).toMatchObject({
        httpStatus: 201,
        changed: true,
        revision: 1,
        externalId: "shop.north",
        managedBy: managedBy(1),
      });
      const again = await put(path, { ...body, managedBy: { kind: "files", commit: "later" } });
      expect(again).toEqual({ ...made, httpStatus: 200, changed: false });
      const changed: Fields = await put(path, { ...body, ...other });
      expect(changed).toMatchObject({ httpStatus: 200, changed: true, revision: 2, ...other });
      expect(changed[id]).toBe(Reflect.get(made, id));
      const { changed: _, httpStatus: __, ...record } = changed;
      for (const shown of [path, `/${kind}/${changed[id]}`]) {
        expect(await (await get(shown)).json()).toMatchObject(record);
      }
      // What is left out gets its default.
      expect(await put(path, body)).toMatchObject({ changed: true, revision: 3 });
    });

    it("are checked and compared by a dry run without storing", async () => {
      const { put, workflowId, get } = await open();
      const body = KINDS[kind].body(workflowId);
      const dryRun = (changes: Fields) => put(`${path}?dryRun=true`, { ...body, ...changes });
      expect(await dryRun({})).toMatchObject({ httpStatus: 200, changed: true });
      expect((await get(path)).status).toBe(404);
      await put(path, body);
      const dry = { httpStatus: 200, changed: true, revision: 2, ...other };
      expect(await dryRun(other)).toMatchObject(dry);
      expect(await put(path, body, 1)).toMatchObject({ changed: false, revision: 1 });
      expect(await dryRun({ nmae: "x" })).toMatchObject({ code: "invalid_request" });
    });

    it("are replaced only at the revision of If-Match", async () => {
      const { put, workflowId, patch } = await open();
      const body = KINDS[kind].body(workflowId);
      const lost = { httpStatus: 412, code: "version_mismatch" };
      expect(await put(path, body, 1)).toMatchObject(lost);
      const made: Fields = await put(path, { ...body, ...files }, 0);
      expect(await put(path, body, 0)).toMatchObject(lost);
      const byHand = await patch(`/${kind}/${made[id]}`, other);
      // The files wrote an earlier revision: that is how drift is seen.
      expect(await byHand.json()).toMatchObject({ revision: 2, managedBy: managedBy(1) });
      expect(await put(path, body, 1)).toMatchObject(lost);
      const taken = await put(path, { ...body, ...files }, 2);
      expect(taken).toMatchObject({ httpStatus: 200, revision: 3, managedBy: managedBy(3) });
    });

    it("take all of several replacements at once, and only one that names the revision", async () => {
      const { put, workflowId, remove } = await open();
      const { path: _, ...body } = { path: "", ...KINDS[kind].body(workflowId) };
      const statuses = async (match?: number) => {
        const bodies = [body, { ...body, ...other }, body];
        const replies = await Promise.all(bodies.map((each) => put(path, each, match)));
        return replies.map(({ httpStatus }) => httpStatus).toSorted((a, b) => a - b);
      };
      expect(await statuses()).toEqual([200, 200, 201]);
      expect(await statuses(0)).toEqual([412, 412, 412]);
      await remove(path);
      expect(await statuses(0)).toEqual([201, 412, 412]);
      const [, replaced] = await Promise.all([remove(path), put(path, { ...body, ...other })]);
      expect([200, 201]).toContain(replaced.httpStatus);
    });

    it("conflict, since they name no revision, when many replacements overtake each other", async () => {
      const { put, workflowId } = await open();
      const body = KINDS[kind].body(workflowId);
      await put(path, body);
      const names = Array.from({ length: 12 }, (_, n) => `name ${n}`);
      const replies = await Promise.all(names.map((name) => put(path, { ...body, name })));
      const others = replies.filter(({ httpStatus }) => httpStatus !== 200);
      for (const reply of others)
        expect(reply).toMatchObject({ httpStatus: 409, code: "conflict" });
    });

    it("have a name unique in the account, also in POST and PATCH, until they are deleted", async () => {
      const { put, workflowId, get, post, patch, remove } = await open();
      const body = KINDS[kind].body(workflowId);
      const { path: _, ...unnamed } = { path: "", ...body };
      await put(path, body);
      const twice = await post(`/${kind}`, { ...unnamed, externalId: "shop.north" });
      const { errors } = await expectProblem(twice, 409, "conflict");
      expect(errors).toMatchObject([{ path: "externalId", rule: "unique" }]);
      const second: Fields = await put(`/${kind}/ext/shop.south`, unnamed);
      const renamed = (externalId: string | null) =>
        patch(`/${kind}/${second[id]}`, { externalId });
      await expectProblem(await renamed("shop.north"), 409, "conflict");
      expect(await faultsOf(await renamed("Shop!"))).toEqual(["externalId"]);

      const theirs = await open();
      expect((await theirs.get(path)).status).toBe(404);
      const foreign = await theirs.put(path, KINDS[kind].body(theirs.workflowId));
      expect(foreign).toMatchObject({ httpStatus: 201 });

      expect((await remove(path)).status).toBe(204);
      expect((await get(path)).status).toBe(404);
      for (const externalId of ["shop.north", null]) {
        expect(await (await renamed(externalId)).json()).toMatchObject({ externalId });
      }
      const wrong = await put(path, { ...unnamed, externalId: "another" });
      expect(wrong).toMatchObject({ code: "invalid_request" });
    });
  },
);

it("a name that breaks the rule is refused in a PUT and unknown to a GET", async () => {
  const { get, put } = await open();
  const refused = await put("/workflows/ext/Shop.North", KINDS.workflows.body());
  expect(refused).toMatchObject({ httpStatus: 400, errors: [{ path: "externalId" }] });
  expect((await get("/workflows/ext/Shop.North")).status).toBe(404);
});

it("the revision is the ETag that If-Match takes, also to delete", async () => {
  const { apiKey, get, put } = await newAccount();
  const path = "/api/v1/workflows/ext/shop.north";
  await put(path, KINDS.workflows.body());
  await put(path, { ...KINDS.workflows.body(), prompt: "Say goodbye." });
  expect((await get(path)).headers.get("ETag")).toBe('"2"');
  const remove = (revision: number) =>
    send(path, { method: "DELETE", token: apiKey, headers: { "If-Match": `"${revision}"` } });
  expect([(await remove(1)).status, (await remove(2)).status]).toEqual([412, 204]);
});

it("a different secret is a change, and the same secret is not", async () => {
  const { put } = await open();
  const saved = ([token, secret, value]: string[]) =>
    put("/webhooks/ext/signed", {
      name: "signed",
      auth: {
        token: { secret: token },
        hmac: { preset: "stripe", secret },
        headers: [{ name: "X-Key", value }],
      },
    });
  const first = ["token-1-long", "whsec_1", "value-1"];
  await saved(first);
  expect(await saved(first)).toMatchObject({ changed: false });
  expect(await saved(["token-2-long", "whsec_1", "value-1"])).toMatchObject({ revision: 2 });
  expect(await saved(["token-2-long", "whsec_2", "value-1"])).toMatchObject({ revision: 3 });
  expect(await saved(["token-2-long", "whsec_2", "value-2"])).toMatchObject({ revision: 4 });
});

it("a dry run refuses the path of another endpoint", async () => {
  const { put } = await open();
  const body = KINDS.webhooks.body();
  await put("/webhooks/ext/first", body);
  const taken = await put("/webhooks/ext/second?dryRun=true", body);
  expect(taken).toMatchObject({ httpStatus: 409, code: "conflict" });
});

it("an endpoint is not replaced by one with both a workflow and routes", async () => {
  const { workflowId, put } = await open();
  const orders = { name: "orders", workflowId };
  await put("/webhooks/ext/orders", orders);
  const routing = { routes: [{ name: "all", workflowId }] };
  const refused = await put("/webhooks/ext/orders", { ...orders, routing });
  expect(refused).toMatchObject({ httpStatus: 400, errors: [{ path: "routing" }] });
  expect(await put("/webhooks/ext/orders", orders)).toMatchObject({ changed: false });
});

import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/local/project.ts";
import { isObject } from "../../src/lib/json-values.ts";
import { type Client, connect } from "../support/client.ts";
import type { ModelServer } from "../support/model-server/server.ts";
import { choosePort } from "../support/ports.ts";
import { startReceiver } from "../support/receiver.ts";
import { runStart, type Start } from "../support/service.ts";
import {
  type Api,
  ARCHIVES,
  apiOf,
  CALLBACK_SECRET,
  HOOK_SECRET,
  readAll,
  run,
  type StoredAnswers,
  startStoredModel,
  storedAnswers,
  unpack,
} from "../support/stored.ts";
import { githubRequest, hookAnswer, Webhooks } from "../support/webhooks.ts";

/** The newest released version, whose state is in `archives`. */
const RELEASED = "0.2.0";

/** Its commit; a copy of the sources without their history has none. */
const commit = execFileSync("git", ["log", `--grep=^Release ${RELEASED}`, "--format=%H", "-1"], {
  cwd: ROOT,
  encoding: "utf8",
}).trim();

const archives = readdirSync(ARCHIVES).filter((file) => file.endsWith(".tar.gz"));

/** What was stored by an earlier version, made by `npm run stored-state`. */
describe.each(archives)("the state in %s", (archive) => {
  let directory: string;
  let stored: StoredAnswers;
  let model: ModelServer;
  let service: Start;
  let api: Api;
  let client: Client;
  let webhooks: Webhooks;
  let url: string;

  beforeAll(async () => {
    directory = await unpack(archive);
    const text = await readFile(join(directory, "answers.json"), "utf8");
    stored = storedAnswers.parse(JSON.parse(text));
    model = await startStoredModel();
    await startFrom(ROOT);
  });

  /** Starts the version in a checkout on the state. */
  async function startFrom(checkout: string): Promise<void> {
    const STATE_DIR = join(directory, "state");
    const variables = {
      PORT: String(await choosePort()),
      STATE_DIR,
      OPENAI_BASE_URL: model.baseUrl,
    };
    service = runStart(variables, [], { checkout });
    const { apiKey, ...ready } = await service.ready;
    expect(apiKey).toBe(stored.apiKey);
    url = ready.url;
    api = apiOf(url, apiKey);
    client = connect(url, "", apiKey);
    webhooks = new Webhooks({ url }, apiKey);
  }

  afterAll(async () => {
    await Promise.all([service.kill9(), model.close()]);
    await rm(directory, { recursive: true, force: true });
  });

  test("is read as it was stored", async () => {
    expect(await readAll(api)).toMatchObject(withLater(stored.answers));
  });

  test("has its files and secrets", async () => {
    const { written } = stored.names;
    const { outputs } = await client.result(written);
    const { outputId } =
      outputs.find((one) => one.type === "file" && one.filename === "people.csv") ?? {};
    const file = await client.request("GET", `/trigger/${written}/files/${outputId}`);
    expect(await file.text()).toBe("name,age\r\nAnn,3\r\nBo,4");

    const receiver = await startReceiver();
    const again = { callbackUrl: receiver.url };
    await client.request("POST", `/trigger/${written}/callbacks/redeliver`, again);
    const { text, headers } = await receiver.received(({ body }) => body.executionId === written);
    expect(() => new Webhook(btoa(CALLBACK_SECRET)).verify(text, headers)).not.toThrow();
    await receiver.close();

    expect(await hook(stored.names.signed, { id: 1 })).toMatchObject({ duplicate: true });
    const { executionId } = await hook(stored.names.signed, { id: 9 });
    expect(await client.ended(executionId ?? "")).toMatchObject({ status: "completed" });
  });

  test("continues: waiting executions are answered, and held requests start", async () => {
    const { asking, approving, waiting, jobs, held, cases, workflowId } = stored.names;
    const credits = await client.credits();
    await answered(asking);
    const events = await client.events(approving);
    const question = events.findLast(({ type }) => type === "question");
    const approval = { callId: question?.data.callId, decision: "approve" };
    await client.request("POST", `/trigger/${approving}/message`, { approval });
    await hook(jobs, { job: "done" });
    for (const id of [approving, waiting]) {
      expect(await client.ended(id)).toMatchObject({ status: "completed" });
    }
    expect((await client.result(asking)).presentedResult.summary).toBe("Answered.");

    const mapping = { fields: [{ to: "order", from: "$" }] };
    await webhooks.change(held, { workflowId, mapping });
    await expect
      .poll(async () => (await webhooks.log(held)).map(({ status }) => status), { timeout: 20_000 })
      .toEqual(["succeeded", "succeeded"]);

    const [live] = await executionsOf(cases);
    await client.request("POST", `/trigger/${live}/stop`);
    await expect.poll(() => executionsOf(cases), { timeout: 20_000 }).toHaveLength(2);
    await expect
      .poll(async () => (await client.credits()).consumedCredits)
      .toBeGreaterThan(credits.consumedCredits);
  });

  test.skipIf(commit === "" || archive !== `${RELEASED}.tar.gz`)(
    "is served by the released version after this one, and by this one again",
    async () => {
      await api("POST", "/api/v1/members", { email: "ann@example.com", role: "viewer" });
      await api("POST", "/api/v1/keys", { name: "newer" });
      await api("POST", "/api/v1/keys", { name: "audits", scopes: ["audit:read"] });
      const workflowId = await webhooks.workflow({ name: "hello", prompt: "Say hello" });
      const { endpointId } = await webhooks.endpoint({ name: "newer", workflowId });
      const [first, second] = [await asked(), await asked()];
      const ids = [first, second, await started(endpointId)];
      await end();

      const released = join(directory, "released");
      await mkdir(released);
      await run("sh", ["-c", `git archive ${commit} | tar x -C ${released}`], ROOT);
      // A package that only the released version needs, such as pako, is a development dependency.
      await symlink(join(ROOT, "node_modules"), join(released, "node_modules"));
      // 0.2.0 takes a folder that it does not know for another program's.
      await rm(join(directory, "state/outbox"), { recursive: true });
      await startFrom(released);
      const answers = await readAll(api);
      for (const id of ids) expect(answers).toHaveProperty([`/api/v1/agent/trigger/${id}/status`]);
      await answered(first);
      const third = await asked();
      await started(endpointId);
      expect((await client.credits()).availableCredits).toBeGreaterThan(0);
      await end();

      await startFrom(ROOT);
      await answered(second);
      await answered(third);
      await started(endpointId);
      expect(await api("GET", "/api/v1/members")).toMatchObject({
        members: [{ email: "ann@example.com", role: "viewer" }],
      });
      await end();
    },
  );

  async function end(): Promise<void> {
    expect(service.output()).not.toContain('"level":"error"');
    await service.kill9();
  }

  /** An execution that has asked its question. */
  async function asked(): Promise<string> {
    const asker = { prompt: "Ask which year.", model: "openai/asker", interactive: true };
    const id = await client.trigger(asker);
    await client.waiting(id);
    return id;
  }

  async function answered(id: string): Promise<void> {
    await client.request("POST", `/trigger/${id}/message`, { message: "1984" });
    expect(await client.ended(id)).toMatchObject({ status: "completed" });
  }

  /** Sends a webhook, and waits until the execution that it starts has ended. */
  async function started(endpointId: string): Promise<string> {
    const { executionId } = await hook(endpointId, { at: Date.now() });
    expect(await client.ended(executionId ?? "")).toMatchObject({ status: "completed" });
    return executionId ?? "";
  }

  /** The executions that an endpoint started, the oldest first. */
  async function executionsOf(endpointId: string): Promise<string[]> {
    const entries = await webhooks.log(endpointId);
    const ids = entries.flatMap(({ routes }) =>
      routes.flatMap(({ executionId }) => executionId ?? []),
    );
    return ids.reverse();
  }

  async function hook(endpointId: string, body: { id?: number; job?: string; at?: number }) {
    const delivery = body.id === undefined ? undefined : `the-delivery-${body.id}`;
    const request = githubRequest(HOOK_SECRET, JSON.stringify(body), delivery);
    const response = await fetch(`${url}/hooks/${endpointId}`, request);
    return hookAnswer.parse(await response.json());
  }
});

/** A status read before its list has caught up, and after. */
const sameOrNext = (version: unknown): unknown =>
  expect.toSatisfy((now: unknown) => now === version || now === Number(version) + 1);

/**
 * A key that had every scope of its version has those of later versions too. A revision named the id of a
 * key alone. What waits for a person has a decision, which is a change of it. What a duplicate differs in is
 * no longer shown, and what waits for an endpoint's event is in the list of executions.
 */
function withLater(answers: object): object {
  const later = (name: string, value: unknown): unknown => {
    if (name === "differences" || name.endsWith("/waiters")) return undefined;
    const hasAll = name === "scopes" && Array.isArray(value) && value.includes("keys:admin");
    if (hasAll) return expect.arrayContaining(value);
    if (!isObject(value)) return value;
    const { changedBy: id, ...revision } = value;
    if (typeof id === "string") return { ...revision, by: { kind: "key", id, name: id } };
    const asks = value.statusDetail === "question" || value.statusDetail === "approval";
    return asks && "version" in value
      ? { ...value, version: sameOrNext(value.version), updatedAt: expect.any(String) }
      : value;
  };
  const read: unknown = JSON.parse(JSON.stringify(answers), later);
  return isObject(read) ? read : {};
}

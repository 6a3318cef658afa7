import { execFileSync } from "node:child_process";
import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/local/project.ts";
import { connect } from "../support/client.ts";
import { runStart } from "../support/service.ts";
import { hookAnswer, Webhooks } from "../support/webhooks.ts";
import { apiOf, readAll, run, startStoredModel, unpack } from "./support/stored.ts";

/** The newest released version, whose state is in `stored`. */
const RELEASED = "0.2.0";

/** Its commit; a copy of the sources without their history has none. */
const commit = execFileSync("git", ["log", `--grep=^Release ${RELEASED}`, "--format=%H", "-1"], {
  cwd: ROOT,
  encoding: "utf8",
}).trim();

test.skipIf(commit === "")(
  "the released version serves what this one stored, and this one goes on after it",
  async () => {
    const directory = await unpack(`${RELEASED}.tar.gz`);
    const released = join(directory, "released");
    await mkdir(released);
    await run("sh", ["-c", `git archive ${commit} | tar x -C ${released}`], ROOT);
    // A package that only the released version needs, such as pako, is a development dependency.
    await symlink(join(ROOT, "node_modules"), join(released, "node_modules"));
    const model = await startStoredModel();
    const during = async <T>(
      checkout: string,
      work: (service: Awaited<ReturnType<typeof serviceAt>>) => Promise<T>,
    ): Promise<T> => {
      const STATE_DIR = join(directory, "state");
      const variables = { PORT: "0", STATE_DIR, OPENAI_BASE_URL: model.baseUrl };
      const started = runStart(variables, [], { checkout });
      try {
        const result = await work(await serviceAt(await started.ready));
        expect(started.problems()).not.toContain('"level":"error"');
        return result;
      } finally {
        await started.kill9();
      }
    };
    try {
      const made = await during(ROOT, async ({ api, hooks, asked, post }) => {
        await api("POST", "/api/v1/members", { email: "ann@example.com", role: "viewer" });
        await api("POST", "/api/v1/keys", { name: "newer" });
        await api("POST", "/api/v1/keys", { name: "audits", scopes: ["audit:read"] });
        const workflowId = await hooks.workflow({ name: "hello", prompt: "Say hello" });
        const { endpointId } = await hooks.endpoint({ name: "newer", workflowId });
        return { endpointId, ids: [await asked(), await asked(), await post(endpointId)] };
      });
      const [first = "", second = ""] = made.ids;
      // 0.2.0 takes a folder that it does not know for another program's.
      await rm(join(directory, "state/outbox"), { recursive: true });
      await during(released, async ({ api, client, answer, asked, post }) => {
        const answers = await readAll(api);
        for (const id of made.ids)
          expect(answers).toHaveProperty([`/api/v1/agent/trigger/${id}/status`]);
        expect(await answer(first)).toMatchObject({ status: "completed" });
        made.ids.push(await asked(), await post(made.endpointId));
        expect((await client.credits()).availableCredits).toBeGreaterThan(0);
      });
      await during(ROOT, async ({ api, answer, post }) => {
        expect(await answer(second)).toMatchObject({ status: "completed" });
        expect(await answer(made.ids[3] ?? "")).toMatchObject({ status: "completed" });
        await post(made.endpointId);
        expect(await api("GET", "/api/v1/members")).toMatchObject({
          members: [{ email: "ann@example.com", role: "viewer" }],
        });
      });
    } finally {
      await model.close();
      await rm(directory, { recursive: true, force: true });
    }
  },
);

async function serviceAt({ url, apiKey }: { url: string; apiKey: string }) {
  const client = connect(url, "", apiKey);
  return {
    api: apiOf(url, apiKey),
    client,
    hooks: new Webhooks({ url }, apiKey),
    /** Starts an execution, and waits until it has asked its question. */
    async asked() {
      const asker = { prompt: "Ask which year.", model: "openai/asker", interactive: true };
      const id = await client.trigger(asker);
      let state = await client.status(id);
      while (state.status !== "waiting_for_input") {
        state = await client.status(id, `?sinceVersion=${state.version}&waitSeconds=5`);
      }
      return id;
    },
    async answer(id: string) {
      await client.request("POST", `/trigger/${id}/message`, { message: "1984" });
      return client.ended(id);
    },
    /** Sends a webhook, and waits until its execution has ended. */
    async post(endpointId: string) {
      const headers = { "Content-Type": "application/json" };
      const request = { method: "POST", headers, body: JSON.stringify({ at: Date.now() }) };
      const response = await fetch(`${url}/hooks/${endpointId}`, request);
      const { executionId } = hookAnswer.parse(await response.json());
      expect(await client.ended(executionId ?? "")).toMatchObject({ status: "completed" });
      return executionId ?? "";
    },
  };
}

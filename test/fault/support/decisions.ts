import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databasesOf, OUTBOX } from "../../../scripts/local/state.ts";
import { type DecisionRecord, decisionRecord } from "../../../src/contract/decisions.ts";
import { type Client, createAccount } from "../../support/client.ts";
import { call, callsTools, finishes } from "../../support/model-server/behaviour.ts";
import { promptOf } from "../../support/model-server/chat-request.ts";
import { type ModelServer, startModelServer } from "../../support/model-server/server.ts";
import { startServer } from "../../support/server.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { type Shop, startShop } from "../../support/shop.ts";
import { eventually } from "./flood.ts";
import { JOBS_PER_KILL, killAgain, triggerUntilAccepted } from "./jobs.ts";

const AT_ONCE = 10;

/** Declares the test of decisions that are asked, sent and answered while the service is killed `kills` times. */
export function describeDecisions(kills: number, timeoutMs: number): void {
  const DECISIONS = Math.min(kills * JOBS_PER_KILL, 200);
  describe("decisions while the service is killed", () => {
    let service: TestService;
    let model: ModelServer;
    let shop: Shop;
    let receiver: Awaited<ReturnType<typeof startServer>>;
    const told: string[] = [];
    let client: Client;

    beforeAll(async () => {
      shop = await startShop();
      receiver = await startServer((request, response) => {
        told.push(String(request.headers["webhook-id"]));
        response.end();
      });
      model = await startModelServer({ record: false });
      model.script("buyer", (request) => {
        const [, url = ""] = promptOf(request).trim().split(/\s+/);
        const isOrdered = request.messages.some(({ role }) => role === "assistant");
        if (isOrdered) return finishes("Ordered.");
        return callsTools(call("http_request", { method: "POST", url, body: {} }));
      });
      service = await startTestService({ OPENAI_BASE_URL: model.baseUrl });
      client = await createAccount(service, { credits: 1_000_000 });
    });
    afterAll(async () => {
      await Promise.all([service, model, shop, receiver].map((part) => part.close()));
    });

    const api = (method: string, path: string, body?: object) =>
      fetch(`${service.url}/api/v1${path}`, {
        method,
        headers: { Authorization: `Bearer ${client.apiKey}`, "Content-Type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(10_000),
      });

    async function listed(state: string): Promise<DecisionRecord[]> {
      const all: DecisionRecord[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const query = `state=${state}&limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`;
        const response = await api("GET", `/decisions?${query}`);
        if (!response.ok) throw new Error(`${response.status}`);
        const page = (await response.json()) as { decisions: unknown[]; nextCursor: string | null };
        all.push(...page.decisions.map((each) => decisionRecord.parse(each)));
        cursor = page.nextCursor;
      }
      return all;
    }

    /** Approves until there is an answer, as two people at once do. Returns how many of them were the first. */
    async function approve(decisionId: string): Promise<number> {
      const insist = async (comment: string): Promise<number> => {
        for (;;) {
          const body = { decision: "approve", comment };
          const path = `/decisions/${decisionId}`;
          const response = await api("POST", path, body).catch(() => null);
          if (response?.status === 200 || response?.status === 409) return response.status;
          await sleep(response?.status === 429 ? 2_000 : 200);
        }
      };
      const answers = await Promise.all(["Ada", "Bob"].map(insist));
      return answers.filter((status) => status === 200).length;
    }

    test(`answers each of ${DECISIONS} once, and sends each notification at least once, under one id`, async () => {
      const hook = { name: "all", format: "standard", url: `${receiver.origin}/decisions` };
      const made = await (await api("POST", "/destinations", hook)).json();
      const { destinationId } = made as { destinationId: string };
      const names = Array.from({ length: DECISIONS }, (_, n) => `order-${n}`);
      const firsts = new Map<string, number>();

      const start = async (name: string) => {
        const notify = [{ email: `${name}@example.com` }, { destinationId }];
        const approvals = ["http_request"];
        const input = { prompt: `order ${shop.origin}/orders/${name}`, model: "openai/buyer" };
        const job = { name, input: { ...input, notify, approvals, maxCredits: 20 } };
        return (await triggerUntilAccepted(client, job, timeoutMs)).executionId;
      };
      const answerAll = () =>
        eventually(async () => {
          // The limit of requests is for people and their programs, not for this loop.
          await sleep(1_000);
          const open = await listed("open");
          for (let at = 0; at < open.length; at += AT_ONCE) {
            const some = open.slice(at, at + AT_ONCE);
            await Promise.all(
              some.map(async ({ decisionId: id }) =>
                firsts.set(id, (firsts.get(id) ?? 0) + (await approve(id))),
              ),
            );
          }
          return firsts.size === DECISIONS;
        }, timeoutMs);

      const started: Promise<string>[] = [];
      const answering = answerAll();
      await killAgain({ service }, kills, (cycle) => {
        started.push(...names.filter((_, n) => n % kills === cycle - 1).map(start));
      });
      const ids = await Promise.all(started);
      await answering;
      for (const id of ids) await client.ended(id, timeoutMs);

      const answered = await listed("answered");
      expect(answered.map(({ executionId }) => executionId).sort()).toEqual([...ids].sort());
      // The answer that counted may have been lost with the process that gave it.
      expect([...firsts.values()].filter((count) => count > 1)).toEqual([]);
      const targets = shop.orders.map(({ target }) => target);
      expect(new Set(targets).size).toBe(targets.length);

      const webhookIds = new Set(answered.map(({ decisionId }) => `msg_${decisionId}_requested`));
      await eventually(async () => new Set(told).size >= DECISIONS, timeoutMs);
      expect(new Set(told)).toEqual(webhookIds);

      const folder = join(databasesOf(service.stateDir), OUTBOX);
      const mailed = async () => {
        const files = (await readdir(folder)).filter((name) => name.endsWith(".eml"));
        return Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
      };
      const idsByRecipient = async () =>
        Map.groupBy(await mailed(), (mail) => /^To: .*?([\w.-]+@example\.com)/im.exec(mail)?.[1]);
      await eventually(async () => (await idsByRecipient()).size === DECISIONS, timeoutMs);
      for (const mails of (await idsByRecipient()).values()) {
        const messageIds = mails.map((mail) => /^Message-ID:\s*<([^>]+)>/im.exec(mail)?.[1]);
        expect(new Set(messageIds).size).toBe(1);
        expect(messageIds[0]).toMatch(/^msg_dec_\w+_requested_n0@/);
      }
    });
  });
}

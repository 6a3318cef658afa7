import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type * as z from "zod";
import * as zod from "zod";
import {
  type createEndpointBody,
  type EndpointRecord,
  endpointRecord,
} from "../../src/contract/webhooks/endpoint.ts";
import { isSettled, type LogEntry, logEntry } from "../../src/contract/webhooks/log.ts";
import { type createWorkflowBody, workflowRecord } from "../../src/contract/workflow.ts";

/** How a sender is answered. */
export const hookAnswer = zod.object({
  requestId: zod.uuid(),
  status: zod.enum(["accepted", "queued", "duplicate", "logged"]),
  executionId: zod.uuid().nullable(),
  duplicate: zod.boolean(),
});
export type HookAnswer = z.infer<typeof hookAnswer>;

const page = zod.object({ requests: zod.array(logEntry), nextCursor: zod.string().nullable() });

/** An account's workflows and endpoints on a running service. Any status but the good one throws. */
export class Webhooks {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(service: { url: string }, apiKey: string) {
    this.#url = service.url;
    this.#headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" };
  }

  async workflow(body: z.input<typeof createWorkflowBody>): Promise<string> {
    const made = await this.call("POST", "/workflows", body);
    return workflowRecord.parse(made).workflowId;
  }

  async endpoint(body: z.input<typeof createEndpointBody>): Promise<EndpointRecord> {
    return endpointRecord.parse(await this.call("POST", "/webhooks", body));
  }

  async change(endpointId: string, body: object): Promise<EndpointRecord> {
    return endpointRecord.parse(await this.call("PATCH", `/webhooks/${endpointId}`, body));
  }

  async read(endpointId: string): Promise<EndpointRecord> {
    return endpointRecord.parse(await this.call("GET", `/webhooks/${endpointId}`));
  }

  /** The whole log of an endpoint, page after page, the newest first. */
  async log(endpointId: string): Promise<LogEntry[]> {
    const entries: LogEntry[] = [];
    let query = "?limit=100";
    for (;;) {
      const { requests, nextCursor } = page.parse(
        await this.#patiently(`/webhooks/${endpointId}/requests${query}`),
      );
      entries.push(...requests);
      if (nextCursor === null) return entries;
      query = `?limit=100&cursor=${encodeURIComponent(nextCursor)}`;
    }
  }

  async entry(endpointId: string, requestId: string): Promise<LogEntry> {
    const path = `/webhooks/${endpointId}/requests/${requestId}`;
    return logEntry.parse(await this.call("GET", path));
  }

  /** Whether the log of this endpoint has an entry. */
  async hasRequests(endpointId: string): Promise<boolean> {
    const path = `/webhooks/${endpointId}/requests?limit=1`;
    return page.parse(await this.#patiently(path)).requests.length > 0;
  }

  /** Whether entries of this endpoint are queued or running. */
  async working(endpointId: string): Promise<boolean> {
    const { requests } = page.parse(
      await this.call("GET", `/webhooks/${endpointId}/requests?status=queued,running&limit=1`),
    );
    return requests.some(({ status }) => !isSettled(status));
  }

  /** Reads, and waits as long as it is asked to where that is too often: a long log has many pages. */
  async #patiently(path: string): Promise<unknown> {
    for (;;) {
      const response = await fetch(`${this.#url}/api/v1${path}`, { headers: this.#headers });
      if (response.status !== 429) return this.#parsed("GET", path, response);
      await response.body?.cancel();
      await sleep(Number(response.headers.get("Retry-After")) * 1_000);
    }
  }

  /** A management call; answers the parsed body. */
  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.#url}/api/v1${path}`, {
      method,
      headers: this.#headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return this.#parsed(method, path, response);
  }

  async #parsed(method: string, path: string, response: Response): Promise<unknown> {
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? null : JSON.parse(text);
  }
}

/** A request as GitHub sends it, signed with `secret`. */
export function githubRequest(secret: string, body: string, delivery: string = randomUUID()) {
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  return {
    method: "POST" as const,
    headers: {
      "content-type": "application/json",
      "user-agent": "GitHub-Hookshot/0000000",
      "x-github-event": "issues",
      "x-github-delivery": delivery,
      "x-hub-signature-256": `sha256=${signature}`,
    },
    body,
  };
}

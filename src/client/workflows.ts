import * as z from "zod";
import { triggerAccepted } from "../contract/account.ts";
import type { JsonObject } from "../contract/json.ts";
import {
  type createWorkflowBody,
  type updateWorkflowBody,
  type WorkflowRecord,
  workflowRecord,
  workflowRevision,
} from "../contract/workflow.ts";
import type { RepeatableOptions } from "./executions.ts";
import { type CallOptions, eachPage, type PageQuery } from "./paging.ts";
import type { Transport } from "./transport.ts";

const page = z.object({ workflows: z.array(workflowRecord), nextCursor: z.string().nullable() });
const revisions = z.object({
  revisions: z.array(workflowRevision),
  nextCursor: z.string().nullable(),
});

/** Workflows: prompts with typed inputs. */
export class Workflows {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: z.input<typeof createWorkflowBody>, { signal }: CallOptions = {}) {
    const request = { method: "POST", path: "/workflows", body, signal } as const;
    return this.#transport.json(request, workflowRecord);
  }

  list(query: PageQuery = {}, { signal }: CallOptions = {}) {
    const request = { method: "GET", path: "/workflows", query: { ...query }, signal } as const;
    return this.#transport.json(request, page);
  }

  /** Iterates over all of them, newest first, page by page. */
  async *all(options: CallOptions = {}): AsyncGenerator<WorkflowRecord, void, void> {
    const read = (place: PageQuery) => this.list({ ...place, limit: 100 }, options);
    for await (const { workflows } of eachPage(read)) yield* workflows;
  }

  get(workflowId: string, { signal }: CallOptions = {}) {
    const request = { method: "GET", path: at(workflowId), signal } as const;
    return this.#transport.json(request, workflowRecord);
  }

  update(
    workflowId: string,
    body: z.input<typeof updateWorkflowBody>,
    { signal }: CallOptions = {},
  ) {
    const request = { method: "PATCH", path: at(workflowId), body, signal } as const;
    return this.#transport.json(request, workflowRecord);
  }

  delete(workflowId: string, { signal }: CallOptions = {}) {
    return this.#transport.none({ method: "DELETE", path: at(workflowId), signal });
  }

  /** Returns a page of the settings as they are and as they were, newest first. */
  revisions(workflowId: string, query: PageQuery = {}, { signal }: CallOptions = {}) {
    const path = `${at(workflowId)}/revisions`;
    return this.#transport.json({ method: "GET", path, query: { ...query }, signal }, revisions);
  }

  /** Returns the settings at one revision. */
  revision(workflowId: string, revision: number, { signal }: CallOptions = {}) {
    const path = `${at(workflowId)}/revisions/${revision}`;
    return this.#transport.json({ method: "GET", path, signal }, workflowRevision);
  }

  /** Makes a new revision with the settings of an earlier one. */
  restore(workflowId: string, revision: number, { signal }: CallOptions = {}) {
    const path = `${at(workflowId)}/revisions/${revision}/restore`;
    return this.#transport.json({ method: "POST", path, signal }, workflowRecord);
  }

  /** Starts an agent with these inputs. Generates an idempotency key unless you pass one. */
  run(workflowId: string, inputs: JsonObject, { idempotencyKey, signal }: RepeatableOptions = {}) {
    const request = {
      method: "POST",
      path: `${at(workflowId)}/run`,
      body: { inputs },
      idempotencyKey: idempotencyKey ?? this.#transport.options.runtime.randomId(),
      signal,
    } as const;
    return this.#transport.json(request, triggerAccepted);
  }
}

function at(workflowId: string): string {
  return `/workflows/${encodeURIComponent(workflowId)}`;
}

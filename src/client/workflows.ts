import * as z from "zod";
import { triggerAccepted } from "../contract/account.ts";
import type { JsonObject } from "../contract/json.ts";
import {
  type createWorkflowBody,
  type updateWorkflowBody,
  type WorkflowRecord,
  workflowRecord,
} from "../contract/workflow.ts";
import type { Once } from "./executions.ts";
import { type Abortable, eachPage, type Paging } from "./paging.ts";
import type { Transport } from "./transport.ts";

const page = z.object({ workflows: z.array(workflowRecord), nextCursor: z.string().nullable() });

/** Prompts with typed inputs. */
export class Workflows {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: z.input<typeof createWorkflowBody>, { signal }: Abortable = {}) {
    const ask = { method: "POST", path: "/workflows", body, signal } as const;
    return this.#transport.json(ask, workflowRecord);
  }

  list(query: Paging = {}, { signal }: Abortable = {}) {
    const ask = { method: "GET", path: "/workflows", query: { ...query }, signal } as const;
    return this.#transport.json(ask, page);
  }

  /** All of them, the newest first, read page by page. */
  async *all(options: Abortable = {}): AsyncGenerator<WorkflowRecord, void, void> {
    const read = (place: Paging) => this.list({ ...place, limit: 100 }, options);
    for await (const { workflows } of eachPage(read)) yield* workflows;
  }

  get(workflowId: string, { signal }: Abortable = {}) {
    const ask = { method: "GET", path: at(workflowId), signal } as const;
    return this.#transport.json(ask, workflowRecord);
  }

  update(workflowId: string, body: z.input<typeof updateWorkflowBody>, { signal }: Abortable = {}) {
    const ask = { method: "PATCH", path: at(workflowId), body, signal } as const;
    return this.#transport.json(ask, workflowRecord);
  }

  delete(workflowId: string, { signal }: Abortable = {}) {
    return this.#transport.none({ method: "DELETE", path: at(workflowId), signal });
  }

  /** Starts an agent on it. Without an `idempotencyKey` the call makes one, to be tried again under. */
  run(workflowId: string, inputs: JsonObject, { idempotencyKey, signal }: Once = {}) {
    const ask = {
      method: "POST",
      path: `${at(workflowId)}/run`,
      body: { inputs },
      idempotencyKey: idempotencyKey ?? this.#transport.options.surroundings.randomId(),
      signal,
    } as const;
    return this.#transport.json(ask, triggerAccepted);
  }
}

function at(workflowId: string): string {
  return `/workflows/${encodeURIComponent(workflowId)}`;
}

import * as z from "zod";
import { triggerAccepted } from "../contract/account.ts";
import type { JsonObject } from "../contract/json.ts";
import {
  type createWorkflowBody,
  type updateWorkflowBody,
  workflowRecord,
} from "../contract/workflow.ts";
import type { Once } from "./executions.ts";
import type { Transport } from "./transport.ts";

const page = z.object({ workflows: z.array(workflowRecord), nextCursor: z.string().nullable() });

/** A query of a list: `cursor` is the `nextCursor` of the page before. */
export interface Paging {
  limit?: number;
  cursor?: string;
}

/** Prompts with typed inputs. */
export class Workflows {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: z.input<typeof createWorkflowBody>) {
    return this.#transport.json({ method: "POST", path: "/workflows", body }, workflowRecord);
  }

  list(query: Paging = {}) {
    return this.#transport.json({ method: "GET", path: "/workflows", query: { ...query } }, page);
  }

  get(workflowId: string) {
    return this.#transport.json({ method: "GET", path: at(workflowId) }, workflowRecord);
  }

  update(workflowId: string, body: z.input<typeof updateWorkflowBody>) {
    return this.#transport.json({ method: "PATCH", path: at(workflowId), body }, workflowRecord);
  }

  delete(workflowId: string) {
    return this.#transport.none({ method: "DELETE", path: at(workflowId) });
  }

  run(workflowId: string, inputs: JsonObject, { idempotencyKey, signal }: Once = {}) {
    const headers = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
    return this.#transport.json(
      { method: "POST", path: `${at(workflowId)}/run`, body: { inputs }, headers, signal },
      triggerAccepted,
    );
  }
}

function at(workflowId: string): string {
  return `/workflows/${encodeURIComponent(workflowId)}`;
}

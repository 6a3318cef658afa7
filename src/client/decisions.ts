import * as z from "zod";
import { type DecisionRecord, type decideBody, decisionRecord } from "../contract/decisions.ts";
import { type CallOptions, eachPage, type PageQuery } from "./paging.ts";
import type { Transport } from "./transport.ts";

const decisionPage = z.object({
  decisions: z.array(decisionRecord),
  nextCursor: z.string().nullable(),
});

/** The filters of decisions. */
export interface DecisionFilter {
  state?: DecisionRecord["state"][] | undefined;
}

/** What executions ask people. */
export class Decisions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(query: DecisionFilter & PageQuery = {}, { signal }: CallOptions = {}) {
    const request = { method: "GET", path: "/decisions", query: { ...query }, signal } as const;
    return this.#transport.json(request, decisionPage);
  }

  /** Iterates over all decisions of a filter, newest first, page by page. */
  async *all(
    filter: DecisionFilter = {},
    options: CallOptions = {},
  ): AsyncGenerator<DecisionRecord, void, void> {
    const read = (place: PageQuery) => this.list({ ...filter, ...place, limit: 100 }, options);
    for await (const { decisions } of eachPage(read)) yield* decisions;
  }

  get(decisionId: string, { signal }: CallOptions = {}) {
    const request = { method: "GET", path: at(decisionId), signal } as const;
    return this.#transport.json(request, decisionRecord);
  }

  /** Answers a decision. The first answer counts; a later one fails with `conflict`. */
  decide(decisionId: string, body: z.input<typeof decideBody>, { signal }: CallOptions = {}) {
    const request = { method: "POST", path: at(decisionId), body, signal } as const;
    return this.#transport.json(request, decisionRecord);
  }
}

function at(decisionId: string): string {
  return `/decisions/${encodeURIComponent(decisionId)}`;
}

import type { DecisionRecord } from "../contract/decisions.ts";
import type { DecideBody } from "./bodies.ts";
import { type CallOptions, eachPage, type Page, type PageQuery } from "./paging.ts";
import type { Transport } from "./transport.ts";

/** The filters of decisions. */
interface DecisionFilter {
  state?: DecisionRecord["state"][] | undefined;
}

/** What executions ask people. */
export class Decisions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(
    query: DecisionFilter & PageQuery = {},
    { signal }: CallOptions = {},
  ): Promise<Page<"decisions", DecisionRecord>> {
    const request = { method: "GET", path: "/decisions", query: { ...query }, signal } as const;
    return this.#transport.json(request);
  }

  /** Iterates over all decisions of a filter, newest first, page by page. */
  async *all(
    filter: DecisionFilter = {},
    options: CallOptions = {},
  ): AsyncGenerator<DecisionRecord, void, void> {
    const read = (place: PageQuery) => this.list({ ...filter, ...place, limit: 100 }, options);
    for await (const { decisions } of eachPage(read)) yield* decisions;
  }

  get(decisionId: string, { signal }: CallOptions = {}): Promise<DecisionRecord> {
    return this.#transport.json({ method: "GET", path: at(decisionId), signal });
  }

  /** Answers a decision. The first answer counts; a later one fails with `conflict`. */
  decide(
    decisionId: string,
    body: DecideBody,
    { signal }: CallOptions = {},
  ): Promise<DecisionRecord> {
    return this.#transport.json({ method: "POST", path: at(decisionId), body, signal });
  }
}

const at = (decisionId: string): string => `/decisions/${encodeURIComponent(decisionId)}`;

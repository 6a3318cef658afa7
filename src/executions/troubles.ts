import type { ExecutionReport } from "../contract/account.ts";
import type { CallbackAttempt } from "../contract/callbacks.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import type { Deliveries } from "../deliveries/pending.ts";

type Connection = ExecutionSeed["connections"][number];

/** What went wrong outside; `reported` is called once the account knows it. */
export interface TroubleReport {
  report: Pick<ExecutionReport, "callback" | "refused">;
  reported(): void;
}

/** What the account is to be told of an execution's callbacks and connections. */
export class Troubles {
  #hasCallbackNews: boolean;
  readonly #refused = new Map<string, Connection>();

  constructor(deliveries: Deliveries) {
    this.#hasCallbackNews = deliveries.latest === "failed";
  }

  /** Notes that a server refused the credential of a connection. */
  refused(connection: Connection): void {
    this.#refused.set(connection.connectionId, connection);
  }

  /** Notes an attempt. Returns whether the account is told: of a callback given up, or delivered later. */
  attempted({ latest, count }: Deliveries): boolean {
    const isNews = latest === "failed" || (latest === "delivered" && count > 1);
    if (isNews) this.#hasCallbackNews = true;
    return isNews;
  }

  /** Returns what is to be reported. */
  report({ latest }: Deliveries, attempts: () => readonly CallbackAttempt[]): TroubleReport {
    const isEnded = latest === "failed" || latest === "delivered";
    const last = this.#hasCallbackNews && isEnded ? attempts().at(-1) : undefined;
    const refused = [...this.#refused.values()];
    return {
      report: {
        ...(last !== undefined && isEnded && { callback: { state: latest, url: last.url } }),
        ...(refused.length > 0 && { refused }),
      },
      reported: () => {
        if (isEnded) this.#hasCallbackNews = false;
        for (const { connectionId } of refused) this.#refused.delete(connectionId);
      },
    };
  }
}

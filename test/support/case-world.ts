import type { MessageReply, StopReply } from "../../src/contract/session.ts";
import type { EndpointConfig } from "../../src/contract/webhooks/endpoint.ts";
import type { CaseRule } from "../../src/contract/webhooks/routing.ts";
import { Cases } from "../../src/endpoints/cases.ts";
import { RequestLog } from "../../src/endpoints/log.ts";
import { Router } from "../../src/endpoints/router.ts";
import { advanceCases, type CaseCallContext } from "../../src/endpoints/session-calls.ts";
import { isReady, Starts, seqOf } from "../../src/endpoints/starts.ts";
import { Work } from "../../src/endpoints/work.ts";
import { configWith, matchOf, routeWith } from "./endpoint.ts";
import { NO_CHUNKS, requestWith } from "./logged.ts";
import { addRequest, inboxStorage } from "./table-storage.ts";

const ROUTE = "by key";
/** The id of the request at a place, which the id of its message contains. */
const idAt = (seq: number): string => `request ${seq}`;

/** Where the process dies: within a transaction, or after a call whose answer is lost. */
export type Death = "none" | "before commit" | "after commit";

/** An execution as its session has it. */
interface Session {
  key: string;
  /** The places of the events that it got, in the order in which it got them. */
  events: number[];
  messageIds: Set<string>;
  status: "active" | "completed" | "stopped";
}

/**
 * The real tables and rules of an inbox's cases between senders, the queue and sessions, all of which may
 * repeat what they do. `die` lets the process lose its memory at the next boundary.
 */
export class CaseWorld {
  readonly sessions = new Map<string, Session>();
  readonly arrived: { seq: number; key: string }[] = [];
  /** What was seen that must never be. */
  readonly faults: string[] = [];
  now = 1_000_000;
  readonly #storage = inboxStorage();
  readonly #config: EndpointConfig;
  #router: Router;
  #death: Death = "none";
  #executions = 0;

  constructor(rule: Partial<CaseRule>) {
    const route = routeWith({
      name: ROUTE,
      rule: { onEvent: "queue", quietSeconds: 10, maxWaitSeconds: 60, ...rule },
    });
    this.#config = configWith({ workflow: null, routing: { routes: [route] } });
    this.#router = this.#newRouter();
  }

  die(death: Death): void {
    this.#death = death;
  }

  /** A request arrives; its sender repeats it until it is answered. */
  arrive(key: string): void {
    const seq = this.arrived.length + 1;
    this.#untilAnswered(() => {
      if (this.#tables().log.progressAt(seq) !== null) return;
      const planned = this.#router.plan([matchOf(ROUTE, { key })], this.#config, this.now);
      addRequest(this.#storage, seq, { at: this.now, facts: { routes: [{}] } });
      this.#router.store(seq, planned, 10, this.now);
    });
    this.arrived.push({ seq, key });
  }

  /** The queue delivers what is ready: its sessions start, and it is acknowledged. */
  deliver(): void {
    const { starts, work, log } = this.#tables();
    for (const { seq } of work.readyAfter(0, 1_000)) {
      const entry = log.progressAt(seq);
      for (const start of entry === null ? [] : starts.of(entry).filter(isReady)) {
        const executionId = start.executionId ?? "";
        const together = start.gathered === 1 ? starts.as(executionId) : [start];
        this.#start(executionId, together.map(seqOf));
        this.#untilAnswered(() => {
          const outcome = { requestId: idAt(seq), executionId, kind: "handed" } as const;
          this.#router.acknowledge(outcome, this.now);
        });
      }
    }
  }

  /** The oldest live session, or the one at this place among them, ends and reports it. */
  finish(place = 0): void {
    const live = [...this.sessions].filter(([, { status }]) => status === "active");
    const [executionId, session] = live[place % Math.max(1, live.length)] ?? [];
    if (executionId === undefined || session === undefined) return;
    session.status = "completed";
    this.#report(executionId);
  }

  /** Time passes, and the wake-up of the cases comes. */
  async tick(seconds = 0): Promise<void> {
    this.now += seconds * 1_000;
    const { cases, starts } = this.#tables();
    const router = this.#router;
    const context: CaseCallContext = {
      components: { cases, router, starts },
      requestAt: (seq) => requestWith({ requestId: idAt(seq) }),
      storage: {
        transactionSync: <T>(change: () => T) => {
          let result: { value: T } | null = null;
          this.#untilAnswered(() => {
            result ??= { value: change() };
          });
          return (result ?? { value: change() }).value;
        },
      },
      now: () => this.now,
      host: () => ({
        message: async (executionId, { messageId }) => this.#tell(executionId, messageId ?? ""),
        stop: async (executionId) => this.#stop(executionId),
      }),
    };
    await advanceCases(context, this.now + 1);
  }

  /** Lets everything go on until nothing is left to do. */
  async settle(): Promise<void> {
    const { cases, work } = this.#tables();
    for (let round = 0; round < 200; round += 1) {
      const isLive = [...this.sessions.values()].some(({ status }) => status === "active");
      if (!isLive && work.count() === 0 && cases.nextDue() === null) return;
      this.deliver();
      await this.tick(60);
      this.finish();
    }
  }

  /** The events of each key by the executions that got them, in the order of their starts. */
  executionsOf(key: string): number[][] {
    return [...this.sessions.values()]
      .filter((each) => each.key === key)
      .map(({ events }) => events);
  }

  /** The events that were given up for later ones. */
  replaced(): number[] {
    return this.#storage.sql
      .exec("SELECT start_id / 32 AS seq FROM starts WHERE status = 'superseded'")
      .toArray()
      .map(({ seq }) => Number(seq));
  }

  #start(executionId: string, seqs: number[]): void {
    if (this.sessions.has(executionId)) return;
    const key = this.arrived.find(({ seq }) => seq === seqs[0])?.key ?? "";
    const isTaken = [...this.sessions.values()].some(
      (each) => each.key === key && each.status === "active",
    );
    if (isTaken) this.faults.push(`two executions of ${key} are live`);
    this.sessions.set(executionId, { key, events: seqs, messageIds: new Set(), status: "active" });
  }

  #tell(executionId: string, messageId: string): MessageReply {
    const session = this.sessions.get(executionId);
    if (session === undefined) return { kind: "unknown" };
    if (!session.messageIds.has(messageId)) {
      if (session.status !== "active") return { kind: "not_active", status: session.status };
      session.messageIds.add(messageId);
      session.events.push(Number(/request (\d+)/.exec(messageId)?.[1]));
    }
    this.#loseAnswer();
    const { status } = session;
    const body = { executionId, messageId, status, delivery: "queued", position: 1 } as const;
    return { kind: "accepted", replayed: false, body };
  }

  #stop(executionId: string): StopReply {
    const session = this.sessions.get(executionId);
    if (session === undefined) return { kind: "unknown" };
    if (session.status === "active") session.status = "stopped";
    this.#loseAnswer();
    const { status } = session;
    return {
      kind: "stopped",
      body: { executionId, status, statusDetail: "user_request", version: 9 },
    };
  }

  #loseAnswer(): void {
    if (this.#death === "none") return;
    this.#death = "none";
    this.#router = this.#newRouter();
    throw new Error("the answer is lost");
  }

  #report(executionId: string): void {
    const status = this.sessions.get(executionId)?.status ?? "active";
    const times = { startedAt: this.now, finishedAt: this.now, error: null };
    const [start] = this.#tables().starts.as(executionId);
    const requestId = start === undefined ? "" : idAt(seqOf(start));
    const report = { requestId, executionId, version: 9, status, ...times };
    this.#untilAnswered(() => this.#router.report(report, this.now));
  }

  /** Repeats a change until it is answered, as every caller of the inbox does. */
  #untilAnswered(change: () => unknown): void {
    const death = this.#death;
    this.#death = "none";
    if (death === "before commit") {
      try {
        this.#storage.transactionSync(() => {
          change();
          throw new Error("the process died");
        });
      } catch {
        this.#router = this.#newRouter();
      }
    }
    this.#storage.transactionSync(change);
    if (death !== "after commit") return;
    this.#router = this.#newRouter();
    this.#storage.transactionSync(change);
  }

  #tables() {
    const { sql } = this.#storage;
    const log = new RequestLog(sql, NO_CHUNKS);
    return { log, starts: new Starts(sql, log), cases: new Cases(sql), work: new Work(sql) };
  }

  #newRouter(): Router {
    const newExecutionId = () => {
      this.#executions += 1;
      return `execution ${String(this.#executions).padStart(5, "0")}`;
    };
    return new Router({ ...this.#tables(), newExecutionId });
  }
}

import type { ExecutionSeed, SessionHostApi } from "../../contract/session.ts";
import { initialState } from "../../executions/machine/state.ts";
import { resultView, statusView, taskView } from "../../executions/views.ts";
import { sleep } from "../../lib/async.ts";
import { HttpProblem } from "../problem.ts";

/** The calls that callers make to the session of an execution. */
export type SessionCalls = Pick<
  SessionHostApi,
  | "status"
  | "waitForStatus"
  | "task"
  | "result"
  | "message"
  | "decide"
  | "stop"
  | "events"
  | "follow"
  | "file"
  | "step"
  | "callbacks"
  | "redeliver"
>;

/** How often a request that waits looks whether the execution has started. */
const LOOK_MS = 1_000;
/** How long a stream of events waits for it, before it ends and its reader opens another. */
const STREAM_MS = 15_000;

/**
 * Stands in for the session of an execution that waits for its place among the account's active ones: it
 * can be read and stopped without taking one. `hostOf` returns a stub of its host.
 */
export function heldSession(seed: ExecutionSeed, hostOf: () => SessionHostApi): SessionCalls {
  const { executionId: id } = seed;
  const state = initialState(seed, seed.createdAt);
  const status = { kind: "found", state: statusView(seed, state) } as const;

  /** Returns whether it started within the time. */
  async function startsWithin(waitMs: number): Promise<boolean> {
    for (const until = Date.now() + waitMs; Date.now() < until; ) {
      await sleep(Math.min(LOOK_MS, until - Date.now()));
      if ((await hostOf().status(id)).kind === "found") return true;
    }
    return false;
  }

  return {
    status: async () => status,
    async waitForStatus(_, sinceVersion, waitSeconds) {
      const until = Date.now() + waitSeconds * 1_000;
      if (sinceVersion < state.version || !(await startsWithin(waitSeconds * 1_000))) return status;
      const left = Math.max(0, until - Date.now()) / 1_000;
      return hostOf().waitForStatus(id, sinceVersion, left);
    },
    task: async () => ({ kind: "found", task: taskView(seed) }),
    async result(_, query) {
      if (query?.partial !== true) return { kind: "not_ready", status: state.status };
      const work = { outputs: [], effects: [] };
      return { kind: "ready", result: resultView(seed, state, work) };
    },
    async message() {
      throw new HttpProblem(
        "rate_limited",
        "The execution waits to start, since the account's quota `activeExecutions` is used up. Try again when it has started.",
        { headers: { "Retry-After": "10" } },
      );
    },
    decide: async () => ({ kind: "closed", decision: null }),
    async stop(_, command) {
      const { reason, ifVersion } = command;
      if (ifVersion !== null && ifVersion !== state.version)
        return { kind: "version_mismatch", version: state.version };
      await hostOf().startStopped(seed, reason);
      return hostOf().stop(id, { reason, ifVersion: null });
    },
    events: async () => ({ kind: "found", events: [], closed: false }),
    async follow(_, after) {
      if (await startsWithin(STREAM_MS)) return hostOf().follow(id, after);
      return { kind: "found", stream: new Blob([": nothing new\n\n"]).stream() };
    },
    step: async () => ({ kind: "unknown" }),
    file: async () => ({ kind: "unknown" }),
    callbacks: async () => ({ kind: "found", log: { attempts: [], state: "none" } }),
    redeliver: async () => ({ kind: "not_ready", status: state.status }),
  };
}

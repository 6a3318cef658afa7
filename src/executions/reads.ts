import { describeRequest } from "../agent/models/registry.ts";
import type { Toolset } from "../agent/tools/toolset.ts";
import { isFinal } from "../contract/execution.ts";
import type {
  CallsReply,
  EventsReply,
  FileReply,
  ForkQuery,
  ForkReply,
  ResultReply,
  StatusReply,
  StepReply,
  TaskReply,
  TraceReply,
} from "../contract/session.ts";
import { within } from "../lib/async.ts";
import { loadWorkflow } from "../records/workflows.ts";
import { modelPlaceOf } from "./dependencies.ts";
import type { EventPage } from "./event-stream.ts";
import { forkPoint } from "./fork.ts";
import type { SessionRecord } from "./journal/record.ts";
import { callsOf } from "./rehearsal.ts";
import { findStep, requestOf, stepView } from "./step-view.ts";
import { traceRequest } from "./trace.ts";
import { resultView, statusView, taskView } from "./views.ts";

const READ_TIMEOUT_MS = 10_000;

/** Answers what is asked of an execution: its state does not change by it. */
export class SessionReads {
  readonly #record: SessionRecord;
  readonly #env: CloudflareEnv;
  readonly #tools: () => Promise<Toolset>;

  /** `tools` returns the tools of the execution. */
  constructor(record: SessionRecord, env: CloudflareEnv, tools: () => Promise<Toolset>) {
    this.#record = record;
    this.#env = env;
    this.#tools = tools;
  }

  status(): StatusReply {
    return { kind: "found", state: statusView(this.#record.seed, this.#record.head.state) };
  }

  task(): TaskReply {
    return { kind: "found", task: taskView(this.#record.seed, this.#record.journal.forks()) };
  }

  result({ partial }: { partial: boolean }): ResultReply {
    const { state } = this.#record.head;
    if (!partial && !isFinal(state.status)) return { kind: "not_ready", status: state.status };
    const result = resultView(this.#record.seed, state, this.#record.history.work());
    return { kind: "ready", result };
  }

  calls(): CallsReply {
    return callsOf(this.#record.history);
  }

  fork(query: ForkQuery): ForkReply {
    const { journal } = this.#record;
    if (this.#record.seed.rehearsal !== undefined)
      return { kind: "refused", detail: "A rehearsal did nothing that could be continued." };
    const { retry } = query;
    const [by] = journal.forks().filter((id) => id !== retry?.forkId);
    if (retry !== undefined && by !== undefined) return { kind: "continued", by };
    const point = forkPoint(journal, this.#record.head.state, query);
    if ("kind" in point) return point;
    if (retry?.forkId != null) journal.addFork(retry.forkId);
    const isCompleted = this.#record.head.state.status === "completed";
    return { kind: "ready", seed: this.#record.seed, point, isCompleted };
  }

  events({ after, limit }: { after: number; limit: number }): EventsReply {
    return { kind: "found", ...this.page(after, limit) };
  }

  page(after: number, limit: number): EventPage {
    const events = this.#record.journal.events(after, limit);
    const read = events.at(-1)?.seq ?? after;
    // A page that is not full is the last one, even if newer code logged more that this code skips.
    const isLast = events.length < limit || read >= this.#record.head.events;
    return { events, closed: isFinal(this.#record.head.state.status) && isLast };
  }

  /** Returns a step with what the model was sent and what came of it. */
  async step(step: number): Promise<StepReply> {
    const { history } = this.#record;
    const found = findStep(history.turns, history.tries, step);
    if (found === null) return { kind: "unknown" };
    const { seed } = this.#record;
    const tools = await this.#tools();
    const request = requestOf(found, seed, {
      tools: [...tools.descriptions],
      taskFiles: history.taskFiles,
      files: (callId) => history.files(callId),
    });
    const model = found.tries.at(-1)?.model ?? seed.model;
    const sent = await describeRequest(model, await modelPlaceOf(seed, this.#env), request);
    return { kind: "found", step: stepView(found, sent, seed) };
  }

  /** Returns the trace of the execution, once it has ended. */
  async trace(options: { content: boolean }): Promise<TraceReply> {
    const { seed } = this.#record;
    const { state } = this.#record.head;
    if (!isFinal(state.status)) return { kind: "unknown" };
    const { turns, tries } = this.#record.history;
    const { workflowId, accountId } = seed;
    const workflow =
      workflowId === null
        ? null
        : await within("D1", READ_TIMEOUT_MS, loadWorkflow(this.#env.DB, accountId, workflowId));
    const agent = workflow?.definition.name ?? workflowId;
    const events = this.#record.journal.events(0, Number.MAX_SAFE_INTEGER);
    const traced = { seed, state, turns, tries, events, agent };
    return { kind: "found", request: traceRequest(traced, options) };
  }

  file(outputId: string): FileReply {
    const found = this.#record.history.output(outputId);
    if (found === null || found.type !== "file") return { kind: "unknown" };
    const { mediaType, filename } = found;
    const bytes = this.#record.journal.blob(outputId);
    return { kind: "found", mediaType, filename: filename ?? outputId, bytes };
  }
}

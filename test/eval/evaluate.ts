import {
  type Model,
  ModelError,
  type ModelRequest,
  type ReplyWatch,
} from "../../src/contract/conversation.ts";
import { EvalExecution, type Spent } from "./harness/execution.ts";
import { startSites } from "./harness/server.ts";
import { type Judgement, judge, type Observed } from "./judge/judge.ts";
import { SITES } from "./sites/all.ts";
import { SAAS_SEARCH } from "./sites/saas.ts";
import type { Task } from "./task.ts";

/** A task with what came of it. */
export interface TaskOutcome {
  task: Task;
  group: string;
  seen: Observed;
  judgement: Judgement;
  spent: Spent;
  seconds: number;
  pace: Pace;
}

/** How fast the model's replies arrived, over all steps of a task. */
interface Pace {
  /** Replies of which a piece arrived before the end. */
  streamed: number;
  /** The sum of their times to the first piece, in milliseconds. */
  firstPieceMs: number;
}

export interface EvaluationOptions {
  tasks: Record<string, readonly Task[]>;
  /** Creates the model for the conversation of one task. */
  model: (conversation: string) => Model;
  modelTimeoutMs: number;
  /** Waits between two tries of a model call. */
  sleep: (ms: number) => Promise<void>;
  onOutcome: (outcome: TaskOutcome) => void;
}

/** Runs the tasks one after the other, each in an execution of its own, and judges them. */
export async function evaluate(options: EvaluationOptions): Promise<TaskOutcome[]> {
  const sites = await startSites(SITES);
  try {
    const outcomes: TaskOutcome[] = [];
    for (const [group, tasks] of Object.entries(options.tasks)) {
      for (const task of tasks) {
        const begun = performance.now();
        const pace: Pace = { streamed: 0, firstPieceMs: 0 };
        const model = patient(paced(options.model(task.id), pace), options.sleep);
        const execution = new EvalExecution(task, model, sites, {
          search: task.search ? SAAS_SEARCH : null,
          modelTimeoutMs: options.modelTimeoutMs,
        });
        const seen = await execution.run();
        const seconds = (performance.now() - begun) / 1_000;
        const judgement = await judge(task, seen);
        const outcome = { task, group, seen, judgement, spent: execution.spent, seconds, pace };
        outcomes.push(outcome);
        options.onOutcome(outcome);
      }
    }
    return outcomes;
  } finally {
    await sites.close();
  }
}

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Returns a model that waits after a failure that may pass. Executions of an evaluation have no clock of
 * their own: they try again at once.
 */
function patient(model: Model, sleep: (ms: number) => Promise<void>): Model {
  let failures = 0;
  return {
    name: model.name,
    async respond(request: ModelRequest, signal: AbortSignal, watch?: ReplyWatch) {
      try {
        const reply = await model.respond(request, signal, watch);
        failures = 0;
        return reply;
      } catch (error) {
        if (error instanceof ModelError && error.retryable) {
          const wait = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** failures;
          failures += 1;
          await sleep(Math.min(wait, LONGEST_WAIT_MS));
        }
        throw error;
      }
    },
  };
}

/** Returns a model whose pace is measured. */
function paced(model: Model, pace: Pace): Model {
  return {
    name: model.name,
    async respond(request: ModelRequest, signal: AbortSignal, watch?: ReplyWatch) {
      const begun = performance.now();
      let first: number | null = null;
      const reply = await model.respond(request, signal, {
        answered: () => watch?.answered(),
        wrote(text) {
          first ??= performance.now() - begun;
          watch?.wrote(text);
        },
      });
      if (first !== null) {
        pace.streamed += 1;
        pace.firstPieceMs += first;
      }
      return reply;
    },
  };
}

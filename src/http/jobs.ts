import type * as z from "zod";
import type { Authorized, ListQuery, PromisedExecution } from "../contract/account.ts";
import {
  type JobCommand,
  type JobSettings,
  type JobState,
  type JobSubject,
  MAX_JOB_ITEMS,
  SAMPLED_VERDICTS,
} from "../contract/jobs.ts";
import type { ProblemCode } from "../contract/problem.ts";
import { accountStub } from "../durable/stubs.ts";
import type { Authentication } from "./authentication.ts";
import { actorOf, type Http } from "./context.ts";
import { callWithRetry, invalid, notFound, unavailable } from "./problem.ts";
import { jsonBody, jsonResponse, noContent, type Route, route } from "./route.ts";

/** Completed executions by which the price of others is estimated. */
const PRICED = 100;

/** Carries out a command about a replay or a retry. Throws a 404 if the account has none of this kind. */
export async function job(
  http: Http,
  caller: Authorized,
  kind: JobState["kind"],
  command: JobCommand,
  runs: PromisedExecution[] = [],
): Promise<JobState> {
  const account = accountStub(http.env, caller.accountId);
  if (command.do === "cancel") await job(http, caller, kind, { ...command, do: "get" });
  const state = await callWithRetry(() => account.jobs(command, actorOf(http, caller), runs));
  if (state === null || state.kind !== kind) throw notFound();
  return state;
}

/** Throws a 400 for more items than a job may have. */
export function assertFits(count: number): void {
  if (count <= MAX_JOB_ITEMS) return;
  throw invalid(
    "query",
    "too_many",
    `matches more than ${MAX_JOB_ITEMS} entries. Narrow it to a shorter time`,
  );
}

/** Returns what a dry run found. */
export function forecastOf<Verdict extends { verdict: "start" | "skip" | "refuse" }>(
  verdicts: readonly Verdict[],
  estimatedCredits: number,
) {
  const { start = [], refuse = [] } = Object.groupBy(verdicts, ({ verdict }) => verdict);
  const others = verdicts.filter(({ verdict }) => verdict !== "refuse");
  return {
    matched: verdicts.length,
    wouldStart: start.length,
    wouldBeRefused: refuse.length,
    sample: [...refuse, ...others].slice(0, SAMPLED_VERDICTS),
    estimatedCredits: Math.ceil(estimatedCredits),
  };
}

/** Returns a function that returns what an execution of a workflow costs on average; null if none has completed. */
export function averagePrices({ env }: Http, accountId: string) {
  const known = new Map<string, Promise<number | null>>();
  const read = async (workflowId: string): Promise<number | null> => {
    const statuses = ["completed" as const];
    const query = { ...EVERY_EXECUTION, statuses, workflowId, limit: PRICED };
    const { executions } = await executionsBy(env, accountId, query);
    const sum = executions.reduce((total, row) => total + row.creditsConsumed, 0);
    return executions.length === 0 ? null : sum / executions.length;
  };
  return (workflowId: string): Promise<number | null> => {
    const price = known.get(workflowId) ?? read(workflowId);
    known.set(workflowId, price);
    return price;
  };
}

/** Returns a page of the executions of an account. Throws a 503 while they cannot be read. */
export async function executionsBy(env: CloudflareEnv, accountId: string, query: ListQuery) {
  const page = await callWithRetry(() => accountStub(env, accountId).executions(query));
  if (page === null)
    throw unavailable("The list is temporarily unavailable. Try again in a moment.");
  return page;
}

/** The filters of a list that all executions pass. */
export const EVERY_EXECUTION = {
  cursor: null,
  statuses: [],
  origins: [],
  workflowId: null,
  createdAfter: null,
  createdBefore: null,
};

/** What the routes of a kind of job are called, and what they take and return. */
interface JobKind<Body extends z.ZodType<{ dryRun: boolean }>, Shown, Forecast> {
  kind: JobState["kind"];
  path: string;
  /** `Replay` in names of the API document. */
  name: string;
  reader: Authentication<Authorized>;
  writer: Authentication<Authorized>;
  /** How the route that creates one is described. */
  create: {
    summary: string;
    description: string;
    sendsCallback?: boolean;
    problems?: ProblemCode[];
  };
  body: Body;
  bodyExample: z.input<Body>;
  record: z.ZodType<Shown>;
  shown(state: Omit<JobState, "jobId" | "kind">, id: string): Shown;
  forecast: z.ZodType<Forecast>;
  /** Returns what a body asks to do, and a function that says what would become of it. */
  plan(
    http: Http,
    accountId: string,
    body: z.output<Body>,
  ): Promise<{
    settings: JobSettings;
    subjects: JobSubject[];
    foretell(): Promise<Forecast>;
  }>;
}

/** Makes the routes that create, read and cancel a kind of job. */
export function jobRoutes<Body extends z.ZodType<{ dryRun: boolean }>, Shown, Forecast>(
  of: JobKind<Body, Shown, Forecast>,
): Route[] {
  const { kind, name, reader, writer, record } = of;
  const path = `${of.path}/:${kind}Id`;
  const idIn = (http: Http) => http.req.param(`${kind}Id`) ?? "";
  const shown = ({ jobId, kind: _, ...state }: JobState) => of.shown(state, jobId);
  return [
    route("POST", of.path, {
      operationId: `create${name}`,
      ...of.create,
      auth: writer,
      body: jsonBody(of.body, of.bodyExample),
      response: jsonResponse(202, `The ${kind} runs.`, record),
      otherResponses: [jsonResponse(200, "What would happen.", of.forecast)],
      async handler({ http, caller, body }) {
        const { settings, subjects, foretell } = await of.plan(http, caller.accountId, body);
        if (body.dryRun) return Response.json(await foretell());
        const jobId = crypto.randomUUID();
        const command = { do: "create" as const, jobId, settings, subjects };
        return { value: shown(await job(http, caller, kind, command)) };
      },
    }),
    route("GET", path, {
      operationId: `get${name}`,
      summary: `Get a ${kind}`,
      description: `Returns how far a ${kind} is. Its counts are exact, also after a crash.`,
      auth: reader,
      response: jsonResponse(200, `The ${kind}.`, record),
      async handler({ http, caller }) {
        return { value: shown(await job(http, caller, kind, { do: "get", jobId: idIn(http) })) };
      },
    }),
    route("DELETE", path, {
      operationId: `cancel${name}`,
      summary: `Cancel a ${kind}`,
      description: `Starts nothing more. What was started goes on; a ${kind} that has ended is unchanged.`,
      auth: writer,
      response: noContent(`The ${kind} is cancelled.`),
      async handler({ http, caller }) {
        await job(http, caller, kind, { do: "cancel", jobId: idIn(http) });
        return { value: undefined };
      },
    }),
  ];
}

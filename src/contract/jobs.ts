import * as z from "zod";
import { executionId, statusDetail } from "./execution.ts";
import { closed, exactlyOne, listOf, oneOf, open, textUpTo, timestamp, whole } from "./fields.ts";
import { expectation, MAX_REHEARSED } from "./rehearsals.ts";
import { endpointId } from "./webhooks/endpoint.ts";
import { requestId, requestStatus, searchedText } from "./webhooks/log.ts";
import { stageError } from "./webhooks/payload.ts";
import { updateWorkflowBody, workflowId } from "./workflow.ts";

/** The most requests or executions of one replay or retry. */
export const MAX_JOB_ITEMS = 10_000;
/** The most of them that a query names by their ids. */
const MAX_NAMED = 1_000;
const DEFAULT_PER_MINUTE = 600;
const MAX_PER_MINUTE = 6_000;
/** The verdicts that a dry run shows. */
export const SAMPLED_VERDICTS = 5;

/** A time, parsed to epoch milliseconds. */
const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const oneOrMore = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .union([schema, listOf(schema, 20, 1)])
    .transform((given): z.output<Schema>[] => (Array.isArray(given) ? given : [given]));
const perMinute = whole(1, MAX_PER_MINUTE)
  .default(DEFAULT_PER_MINUTE)
  .describe("How many to start in a minute at most.");
const dryRun = z.boolean().default(false).describe("Whether only to report what would happen.");

/** The body of POST /replays. */
export const replaysBody = closed({
  query: closed({
    endpointId: endpointId.optional().describe("Only requests of this endpoint."),
    status: oneOrMore(requestStatus).optional().describe("Only requests in one of these statuses."),
    eventType: textUpTo(1_000).optional().describe("Only events of this type."),
    q: searchedText.optional().describe("Only requests whose payload contains this text."),
    receivedAfter: moment.optional().describe("Only requests received after this time."),
    receivedBefore: moment.optional().describe("Only requests received before this time."),
    requestIds: listOf(requestId, MAX_NAMED, 1).optional().describe("Only these."),
    includeReplays: z.boolean().default(false).describe("Whether replays are replayed too."),
  }).describe("The requests to replay, by the filters of the request log."),
  revision: oneOf("now", "then")
    .default("now")
    .describe("The settings to replay under: those of today, or those that each ran under."),
  perMinute,
  dryRun,
}).meta({ id: "Replays" });
export type ReplaysBody = z.output<typeof replaysBody>;

/** The body of POST /agent/retries. */
export const retriesBody = closed({
  query: closed({
    status: oneOrMore(oneOf("failed", "stopped")).describe("The statuses to retry."),
    statusDetail: oneOrMore(statusDetail).optional().describe("Only for one of these reasons."),
    workflowId: workflowId.optional().describe("Only executions of this workflow."),
    createdAfter: moment.optional().describe("Only executions created after this time."),
    createdBefore: moment.optional().describe("Only executions created before this time."),
    executionIds: listOf(executionId, MAX_NAMED, 1).optional().describe("Only these."),
  }).describe("The executions to retry, by the filters of the list."),
  from: oneOf("start", "failure")
    .default("failure")
    .describe("`failure`: at the failed step. `start`: at the prompt, if nothing changed outside."),
  perMinute,
  dryRun,
}).meta({ id: "Retries" });
export type RetriesBody = z.output<typeof retriesBody>;

export const jobStatus = oneOf("running", "completed", "cancelled").describe(
  "`completed`: each of its items is started, skipped or refused.",
);
export const jobCounts = open({
  matched: z.int().describe("How many it has."),
  started: z.int().describe("How many were started, each once."),
  skipped: z.int().describe("How many needed no start: they succeeded, or were repeated before."),
  refused: z.int().describe("How many could not be started."),
});
const times = open({
  createdAt: timestamp.describe("When it was created."),
  finishedAt: timestamp.nullable().describe("When it was completed or cancelled, or null."),
});
const job = { status: jobStatus, ...jobCounts.shape, ...times.shape };

export const replayRecord = open({
  replayId: z.uuid().describe("The id of the replay."),
  ...job,
}).meta({ id: "Replay" });
export const retryRecord = open({
  retryId: z.uuid().describe("The id of the retry."),
  ...job,
}).meta({ id: "Retry" });

const action = oneOf("start", "skip", "refuse").describe("What becomes of it.");
const reason = z.string().nullable().describe("Why it is skipped, refused or only held, or null.");
const replayVerdict = open({
  requestId,
  endpointId,
  verdict: action,
  reason,
  errors: listOf(stageError).describe("What today's validation or mapping finds."),
}).meta({ id: "ReplayVerdict" });
export type ReplayVerdict = z.infer<typeof replayVerdict>;
const retryVerdict = open({ executionId, verdict: action, reason }).meta({ id: "RetryVerdict" });

const forecast = open({
  matched: z.int().describe("How many match."),
  wouldStart: z.int().describe("How many would be started."),
  wouldBeRefused: z.int().describe("How many would be rejected; the others would be skipped."),
  estimatedCredits: z.int().describe("What they would cost, by executions of the same kind."),
});
const sampled = `The first ${SAMPLED_VERDICTS}, refused ones before the others.`;
export const replayForecast = forecast
  .extend({ sample: listOf(replayVerdict).describe(sampled) })
  .meta({ id: "ReplayForecast" });
export const retryForecast = forecast
  .extend({ sample: listOf(retryVerdict).describe(sampled) })
  .meta({ id: "RetryForecast" });

/** A replay or a retry as its account stores it. */
export const jobSettings = z.discriminatedUnion("kind", [
  open({
    kind: z.literal("replay"),
    perMinute: z.int(),
    revision: oneOf("now", "then"),
    repeatSucceeded: z.boolean(),
    /** Replays of earlier versions lack it. */
    isNamed: z.boolean().default(true),
  }),
  open({
    kind: z.literal("rehearsal"),
    perMinute: z.int(),
    workflowId: z.string(),
    expect: expectation.nullable(),
    /** A key of what it tries. Rehearsals of earlier versions lack it. */
    tried: z.string().optional(),
  }),
  open({ kind: z.literal("retry"), perMinute: z.int(), from: oneOf("start", "failure") }),
]);
export type JobSettings = z.infer<typeof jobSettings>;

/** One of its requests, with the endpoint, or one of its executions. */
export interface JobSubject {
  id: string;
  endpointId: string | null;
  /** The execution that a rehearsal starts with its creation. */
  madeId?: string;
}

export type JobCommand =
  | { do: "create"; jobId: string; settings: JobSettings; subjects: JobSubject[] }
  | { do: "get" | "cancel"; jobId: string };

export interface JobState extends z.infer<typeof jobCounts>, z.infer<typeof times> {
  jobId: string;
  kind: JobSettings["kind"];
  status: z.infer<typeof jobStatus>;
  /** Of a rehearsal: its settings, and its executions with those that they rehearse. */
  rehearsal?: {
    settings: Extract<JobSettings, { kind: "rehearsal" }>;
    items: { of: string; executionId: string }[];
  };
}

const ONE_OF_THEM = "is required, or `executionIds` or `requestIds`, and only one of them";

/** The body of POST /workflows/:id/rehearse. */
export const rehearseBody = closed({
  draft: updateWorkflowBody.optional().describe("Changes of the workflow to try."),
  last: whole(1, MAX_REHEARSED).optional().describe("The inputs of the last executions."),
  executionIds: listOf(executionId, MAX_REHEARSED, 1).optional(),
  requestIds: listOf(requestId, MAX_REHEARSED, 1).optional(),
  reads: oneOf("recorded", "live")
    .default("recorded")
    .describe("What reads answer that are new: `not_recorded`, or what is there now."),
})
  .apply(exactlyOne(["last", "executionIds", "requestIds"], ONE_OF_THEM, "last"))
  .meta({ id: "Rehearse" });
export type RehearseBody = z.output<typeof rehearseBody>;

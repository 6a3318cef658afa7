import { type McpServer, ProtocolError, type ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import { PrompthookError } from "../client/error.ts";
import type { Prompthook } from "../client/prompthook.ts";
import {
  type ExecutionState,
  executionId as executionIdSchema,
  isFinal,
  type Question,
} from "../contract/execution.ts";
import { jsonObject } from "../contract/json.ts";
import { invalidByIssues } from "../http/problem.ts";
import { logWarning } from "../lib/log.ts";
import { answerOf, callOf, outcomeNow, type ToolCall } from "./outcome.ts";

/** An execution as a task: https://github.com/modelcontextprotocol/ext-tasks, specification 2026-07-28. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

const CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
/** How often a client should ask for the state of a task. */
const POLL_INTERVAL_MS = 1_000;

const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;
const MISSING_CAPABILITY = -32_021;

const params = z.object({ taskId: executionIdSchema });

/** Registers the methods of the tasks extension. There is no list: a task is known to who started it. */
export function registerTasks({ server }: McpServer, { api }: { api: Prompthook }): void {
  const register = (
    method: string,
    run: (taskId: string, call: ToolCall, context: ServerContext) => Promise<object>,
  ) => {
    server.setRequestHandler(method, { params: z.unknown() }, async (given, context) => {
      if (!knowsTasks(context)) {
        const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
        throw new ProtocolError(MISSING_CAPABILITY, "The client does not declare tasks.", {
          requiredCapabilities,
        });
      }
      try {
        const { taskId } = params.parse(given ?? {});
        return { ...(await run(taskId, callOf(api, context), context)) };
      } catch (error) {
        throw protocolErrorOf(error);
      }
    });
  };
  register("tasks/get", async (id, call, context) =>
    taskOf(await call.api.executions.status(id, {}, call), call, context),
  );
  register("tasks/update", async (id, call, { mcpReq }) => {
    const { question } = await call.api.executions.status(id, {}, call);
    // What is answered already, or was never asked, is ignored: a repeat of an answer is no error.
    const response = mcpReq.inputResponses?.[question?.decisionId ?? ""];
    if (question !== undefined && response !== undefined) await decide(question, response, call);
    return {};
  });
  register("tasks/cancel", async (id, call) => {
    await call.api.executions.stop(id, {}, call);
    return {};
  });
}

/** Returns whether a client declares tasks, which it does with each request. */
export const knowsTasks = (context: ServerContext): boolean =>
  capabilitiesOf(context).extensions?.[TASKS_EXTENSION] !== undefined;

const envelope = z
  .looseObject({
    [CLIENT_CAPABILITIES]: z.looseObject({
      extensions: jsonObject.optional(),
      elicitation: jsonObject.optional(),
    }),
  })
  .catch({ [CLIENT_CAPABILITIES]: {} });

const capabilitiesOf = ({ mcpReq }: ServerContext) =>
  envelope.parse(mcpReq.envelope)[CLIENT_CAPABILITIES];

/**
 * Returns the task of an execution that was just started. Without its state there is none: the tool's
 * own answer names the execution, and an error would have the caller start another.
 */
export async function createdTask(executionId: string, call: ToolCall): Promise<object> {
  try {
    const state = await call.api.executions.status(executionId, {}, call);
    return { resultType: "task", ...metadataOf(state), status: "working" };
  } catch (error) {
    call.signal.throwIfAborted();
    if (!(error instanceof PrompthookError)) logWarning("MCP task failed", { executionId }, error);
    return {};
  }
}

function metadataOf({ executionId, progress, createdAt, updatedAt }: ExecutionState) {
  return {
    taskId: executionId,
    statusMessage: progress.message,
    createdAt,
    lastUpdatedAt: updatedAt,
    ttlMs: null,
    pollIntervalMs: POLL_INTERVAL_MS,
  };
}

/** Returns the state of a task, with its result or with what it asks. */
async function taskOf(state: ExecutionState, call: ToolCall, context: ServerContext) {
  const task = metadataOf(state);
  if (state.status === "stopped" && state.statusDetail === "user_request") {
    return { ...task, status: "cancelled" };
  }
  if (isFinal(state.status)) {
    const isError = state.status !== "completed";
    const answer = { resultType: "complete", ...answerOf(await outcomeNow(call, state)), isError };
    return { ...task, status: "completed", result: answer };
  }
  const { question } = state;
  if (question?.decisionId === undefined) return { ...task, status: "working" };
  if (capabilitiesOf(context).elicitation === undefined) {
    const statusMessage = `${question.text} (answer_decision answers ${question.decisionId}.)`;
    return { ...task, status: "working", statusMessage };
  }
  const inputRequests = { [question.decisionId]: elicitationOf(question) };
  return { ...task, status: "input_required", inputRequests };
}

/** What a person is asked: the answer to a question, or a decision about exactly this call. */
function elicitationOf(question: Question) {
  const isApproval = question.kind === "approval";
  const call = isApproval ? `\n\n${question.tool} ${JSON.stringify(question.input, null, 2)}` : "";
  const form = z.toJSONSchema(isApproval ? approvalForm : answerForm, { io: "input" });
  const { type, properties, required } = form;
  const requestedSchema = { type, properties, required };
  const params = { mode: "form", message: `${question.text}${call}`, requestedSchema };
  return { method: "elicitation/create", params };
}

/** What a person did with the form: `cancel` leaves the question open for others. */
const elicited = z.discriminatedUnion("action", [
  z.object({ action: z.literal("accept"), content: jsonObject }),
  z.object({ action: z.literal("decline") }),
  z.object({ action: z.literal("cancel") }),
]);
const approvalForm = z.object({
  decision: z.enum(["approve", "deny"]).meta({ title: "Decision" }),
  comment: z.string().min(1).optional().meta({ title: "Comment" }),
});
const answerForm = z.object({ answer: z.string().min(1).meta({ title: "Answer" }) });

async function decide(question: Question, response: unknown, call: ToolCall): Promise<void> {
  const given = elicited.parse(response);
  if (given.action === "cancel") return;
  const isApproval = question.kind === "approval";
  // A question has no answer that says no: it stays open for somebody else.
  if (given.action === "decline" && !isApproval) return;
  const body =
    given.action === "decline"
      ? ({ decision: "deny" } as const)
      : (isApproval ? approvalForm : answerForm).parse(given.content);
  await call.api.decisions.decide(question.decisionId ?? "", body, call);
}

/** Returns the protocol error of parameters that do not match their schema. */
export function invalidParams({ issues }: z.ZodError): ProtocolError {
  const { message, code, errors } = invalidByIssues("parameters", issues);
  return new ProtocolError(INVALID_PARAMS, message, { code, errors });
}

function protocolErrorOf(error: unknown): unknown {
  if (error instanceof z.ZodError) return invalidParams(error);
  if (!(error instanceof PrompthookError)) return error;
  const code = error.status === 404 ? INVALID_PARAMS : INTERNAL_ERROR;
  return new ProtocolError(code, error.message, { code: error.code });
}

import * as z from "zod";
import {
  createWorkflowBody,
  updateWorkflowBody,
  type WorkflowRecord,
  workflowId,
  workflowRecord,
} from "../../contract/workflow.ts";
import { bytesForBase62, randomBase62 } from "../../lib/encoding.ts";
import {
  deleteWorkflow,
  insertWorkflow,
  loadWorkflow,
  replaceWorkflow,
  type StoredWorkflow,
  selectWorkflows,
} from "../../records/workflows.ts";
import { jsonAnswer, noContent } from "../answer.ts";
import { jsonBody, noBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import type { Http } from "../context.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import { keyWith } from "../guard.ts";
import { randomBytes } from "../new-key.ts";
import { pageQuery } from "../page.ts";
import { HttpProblem, notFound } from "../problem.ts";
import { nextCursorSchema, noParams, noQuery } from "../query.ts";
import { route } from "../route.ts";
import { changedDefinition, newDefinition, recordOf } from "./definition.ts";
import { changingEndpointsOf } from "./endpoints.ts";

export const WORKFLOWS = "/api/v1/workflows";
const ID_DIGITS = 20;
/** Changes of others that a change is tried again after. */
const TRIES = 3;

export const workflowParams = z.object({ workflowId });
const reader = keyWith("workflows:read", "management");
const writer = keyWith("workflows:write", "management");

export const exampleWorkflow: WorkflowRecord = {
  workflowId: "wf_4kQ0mYb2Zt7RcX1a9dLw",
  name: "Look at an order",
  prompt: "Look up the customer {{domain}} and say what the order {{orderId}} is about.",
  inputs: [
    { name: "orderId", type: "string", required: true, default: null, description: "" },
    { name: "domain", type: "string", required: false, default: "example.com", description: "" },
  ],
  callbackUrl: "https://receiver.example/callback",
  callbackSecret: { set: true, last4: "LaSw" },
  maxCredits: 20,
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:00.000Z",
};

/** And without a callback, at another limit. */
const { callbackUrl: _, callbackSecret: __, ...exampleSilent } = exampleWorkflow;
const exampleUpdated = { ...exampleSilent, maxCredits: 30, updatedAt: "2026-11-20T09:40:00.000Z" };

const create = route({
  method: "POST",
  path: WORKFLOWS,
  operationId: "createWorkflow",
  tag: "Workflows",
  summary: "Keep a prompt with its inputs, to be run again and again",
  description:
    "`{{name}}` in the prompt refers to an input; the values go to the agent as data beside the prompt, never as a part of it.",
  guard: writer,
  params: noParams,
  query: noQuery,
  body: jsonBody(createWorkflowBody, {
    name: exampleWorkflow.name,
    prompt: exampleWorkflow.prompt,
    inputs: [
      { name: "orderId", required: true },
      { name: "domain", default: "example.com" },
    ],
    callbackUrl: "https://receiver.example/callback",
    callbackSecret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    maxCredits: 20,
  }),
  answer: jsonAnswer(201, "The workflow.", workflowRecord, exampleWorkflow),
  errors: ["unavailable"],
  callsBack: true,
  async handler({ http, caller: { accountId }, body }) {
    const id = `wf_${randomBase62(randomBytes(bytesForBase62(ID_DIGITS)), ID_DIGITS)}`;
    const definition = await newDefinition(http, id, body);
    const now = Date.now();
    const workflow = { definition, createdAt: now, updatedAt: now };
    await callWithRetry(() => insertWorkflow(http.env.DB, accountId, workflow), {
      idempotent: false,
    });
    return { value: recordOf(workflow) };
  },
});

const list = route({
  method: "GET",
  path: WORKFLOWS,
  operationId: "listWorkflows",
  tag: "Workflows",
  summary: "List workflows, the newest first",
  description: "Those that were deleted are not in it.",
  guard: reader,
  params: noParams,
  query: pageQuery,
  body: noBody,
  answer: jsonAnswer(
    200,
    "One page.",
    z
      .object({
        workflows: z.array(workflowRecord).describe("The newest first."),
        nextCursor: nextCursorSchema,
      })
      .meta({ id: "WorkflowPage" }),
    { workflows: [exampleWorkflow], nextCursor: null },
  ),
  errors: [],
  async handler({ http, caller: { accountId }, query: { limit, cursor } }) {
    const position = cursor === undefined ? null : decodeCursor(cursor);
    const after = position && { createdAt: position.createdAt, workflowId: position.id };
    const { workflows, next } = await callWithRetry(
      () => selectWorkflows(http.env.DB, accountId, { limit, cursor: after }),
      { idempotent: true },
    );
    const nextCursor = next && encodeCursor({ createdAt: next.createdAt, id: next.workflowId });
    return { value: { workflows: workflows.map(recordOf), nextCursor } };
  },
});

const get = route({
  method: "GET",
  path: `${WORKFLOWS}/:workflowId`,
  operationId: "getWorkflow",
  tag: "Workflows",
  summary: "Read a workflow",
  description: "As it is now; runs under way may have been started from an earlier state.",
  guard: reader,
  params: workflowParams,
  query: noQuery,
  body: noBody,
  answer: jsonAnswer(200, "The workflow.", workflowRecord, exampleWorkflow),
  errors: ["not_found"],
  async handler({ http, caller: { accountId }, params }) {
    return { value: recordOf(await existing(http, accountId, params.workflowId)) };
  },
});

const update = route({
  method: "PATCH",
  path: `${WORKFLOWS}/:workflowId`,
  operationId: "updateWorkflow",
  tag: "Workflows",
  summary: "Change a workflow",
  description:
    "Replaces the fields that are named; null clears an optional one. Runs that were accepted before go on as they were.",
  guard: writer,
  params: workflowParams,
  query: noQuery,
  body: jsonBody(updateWorkflowBody, { maxCredits: 30, callbackUrl: null, callbackSecret: null }),
  answer: jsonAnswer(200, "The workflow.", workflowRecord, exampleUpdated),
  errors: ["not_found", "conflict", "unavailable"],
  callsBack: true,
  async handler({ http, caller: { accountId }, params, body }) {
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      const before = await existing(http, accountId, params.workflowId);
      const definition = await changedDefinition(http, before.definition, body);
      const updatedAt = Math.max(Date.now(), before.updatedAt + 1);
      const after: StoredWorkflow = { ...before, definition, updatedAt };
      const replaced = await changingEndpointsOf(http.env, accountId, params.workflowId, () =>
        replaceWorkflow(http.env.DB, accountId, before, after),
      );
      if (replaced) return { value: recordOf(after) };
    }
    throw new HttpProblem("conflict", "The workflow is being changed by others. Try again.");
  },
});

const remove = route({
  method: "DELETE",
  path: `${WORKFLOWS}/:workflowId`,
  operationId: "deleteWorkflow",
  tag: "Workflows",
  summary: "Delete a workflow",
  description:
    "Endpoints that it is attached to hold their requests from then on. Runs that were accepted before go on.",
  guard: writer,
  params: workflowParams,
  query: noQuery,
  body: noBody,
  answer: noContent("Deleted."),
  errors: ["not_found"],
  async handler({ http, caller: { accountId }, params }) {
    await existing(http, accountId, params.workflowId);
    await changingEndpointsOf(http.env, accountId, params.workflowId, () =>
      deleteWorkflow(http.env.DB, accountId, params.workflowId, Date.now()),
    );
    return { value: undefined };
  },
});

/** The account's workflow; throws a 404 when there is none of this id. */
export async function existing(http: Http, accountId: string, id: string): Promise<StoredWorkflow> {
  const found = await callWithRetry(() => loadWorkflow(http.env.DB, accountId, id), {
    idempotent: true,
  });
  if (found === null) throw notFound();
  return found;
}

export const workflowRoutes = [create, list, get, update, remove];

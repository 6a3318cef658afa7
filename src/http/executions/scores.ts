import * as z from "zod";
import { type ScoreRecord, scoreBody, scoreRecord } from "../../contract/scores.ts";
import { putScore, scoresOf } from "../../records/scores.ts";
import { apiKey } from "../authentication.ts";
import { jsonBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { jsonResponse, route } from "../route.ts";
import { AGENT, readForCaller } from "./session.ts";

const PATH = `${AGENT}/trigger/:executionId/scores`;
const example: ScoreRecord = {
  name: "helpful",
  value: true,
  comment: "Just what I needed.",
  by: { kind: "key", id: "key_4kQ0mYb2Zt7RcX1a", name: "shop" },
  at: "2026-11-20T09:31:00.000Z",
};

const add = route("POST", PATH, {
  operationId: "scoreExecution",
  summary: "Score an execution",
  description:
    "Stores a judgement of an execution, in place of an earlier one of the same name by the same caller. A workflow shows the averages by revision and model.",
  auth: apiKey("executions:write"),
  body: jsonBody(scoreBody, { name: "helpful", value: true, comment: example.comment ?? "" }),
  response: jsonResponse(201, "The score.", scoreRecord, example),
  async handler(asked) {
    const { http, caller, params, body } = asked;
    const { executionId } = params;
    const { task } = await readForCaller(asked, (host, id) => host.task(id));
    const reply = await readForCaller(asked, (host, id) => host.result(id, { partial: true }));
    const model = reply.kind === "ready" ? reply.result.model : String(task.model);
    const { workflowId, revision } = task;
    const at = new Date().toISOString();
    const score = { ...body, comment: body.comment ?? null, by: caller.by, at };
    const judged = { executionId, workflowId, revision, model };
    await callWithRetry(() => putScore(http.env.DB, caller.accountId, judged, score));
    return { value: score };
  },
});

const list = route("GET", PATH, {
  operationId: "listScores",
  summary: "List the scores of an execution",
  description: "Returns the scores of an execution.",
  auth: apiKey("executions:read"),
  response: jsonResponse(200, "The scores.", z.object({ scores: z.array(scoreRecord) }), {
    scores: [example],
  }),
  async handler(asked) {
    const { http, caller, params } = asked;
    await readForCaller(asked, (host, id) => host.status(id));
    const scores = await callWithRetry(() =>
      scoresOf(http.env.DB, caller.accountId, params.executionId),
    );
    return { value: { scores } };
  },
});

export const scoreRoutes = [add, list];

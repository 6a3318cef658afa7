import { EXAMPLE_ID } from "../../contract/execution.ts";
import { executionOwner } from "../../contract/operators.ts";
import { mapConcurrently } from "../../lib/async.ts";
import { allDatabases, databaseNamed } from "../../records/databases.ts";
import { ownerOfExecution } from "../../records/executions.ts";
import { adminToken as auth } from "../authentication.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { notFound } from "../problem.ts";
import { jsonResponse, route } from "../route.ts";
import { EXAMPLE_ACCOUNT_ID } from "./accounts.ts";

/** Databases that are asked at the same time. */
const CONCURRENCY = 4;

/** Finds the account of an execution. */
export const findExecution = route("GET", "/api/v1/admin/executions/:executionId", {
  operationId: "findExecution",
  summary: "Find the account of an execution",
  description:
    "Returns the account of an execution that the lists know: from a moment after its start until its retention period has passed.",
  auth,
  response: jsonResponse(200, "The account.", executionOwner, {
    executionId: EXAMPLE_ID,
    accountId: EXAMPLE_ACCOUNT_ID,
  }),
  async handler({ http: { env }, params: { executionId } }) {
    const owners = await mapConcurrently(CONCURRENCY, allDatabases(env), (name) =>
      callWithRetry(() => ownerOfExecution(databaseNamed(env, name), executionId)),
    );
    const accountId = owners.find((owner) => owner !== null);
    if (accountId === undefined) throw notFound();
    return { value: { executionId, accountId } };
  },
});

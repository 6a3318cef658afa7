import * as z from "zod";
import { settingsOf } from "../env.ts";
import { within } from "../lib/async.ts";
import { logError } from "../lib/log.ts";
import { probeDatabases } from "../records/databases.ts";
import { anyone } from "./authentication.ts";
import { unavailable } from "./problem.ts";
import { jsonResponse, route } from "./route.ts";

const DEADLINE_MS = 2_000;

export const health = route("GET", "/healthz", {
  operationId: "getHealth",
  summary: "Check the health of the service",
  description:
    "Returns 503 unless each database responds within two seconds and has the tables that its migrations create.",
  auth: anyone,
  // Monitors add parameters of their own to bypass caches.
  query: z.object({}),
  response: jsonResponse(200, "The service is healthy.", z.object({ status: z.literal("ok") })),
  problems: ["unavailable"],
  async handler({ http }) {
    // Without its variables no other route answers.
    settingsOf(http.env);
    try {
      await within("the database", DEADLINE_MS, probeDatabases(http.env));
    } catch (error) {
      logError("database not ready", {}, error);
      throw unavailable("The database does not respond, or lacks tables.", 5);
    }
    return { value: { status: "ok" as const } };
  },
});

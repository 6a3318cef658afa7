import * as z from "zod";
import { anyone } from "./authentication.ts";
import { unavailable } from "./problem.ts";
import { jsonResponse, route } from "./route.ts";

const DEADLINE_MS = 2_000;

export const health = route({
  method: "GET",
  path: "/healthz",
  operationId: "getHealth",
  tag: "Service",
  summary: "Check the health of the service",
  description: "Queries the database and returns 503 unless it responds within two seconds.",
  auth: anyone,
  // Monitors add parameters of their own to bypass caches.
  query: z.object({}),
  response: jsonResponse(200, "The service is healthy.", z.object({ status: z.literal("ok") }), {
    status: "ok",
  }),
  problems: ["unavailable"],
  async handler({ http }) {
    const probe = http.env.DB.prepare("SELECT 1")
      .first()
      .then(
        () => true,
        () => false,
      );
    const timeout = new Promise<boolean>((resolve) =>
      setTimeout(() => resolve(false), DEADLINE_MS),
    );
    if (!(await Promise.race([probe, timeout]))) {
      throw unavailable("The database does not respond.", 5);
    }
    return { value: { status: "ok" as const } };
  },
});

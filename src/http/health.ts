import * as z from "zod";
import { jsonAnswer } from "./answer.ts";
import { noBody } from "./body.ts";
import { publicly } from "./guard.ts";
import { unavailable } from "./problem.ts";
import { noParams } from "./query.ts";
import { route } from "./route.ts";

const DEADLINE_MS = 2_000;

export const health = route({
  method: "GET",
  path: "/healthz",
  operationId: "getHealth",
  tag: "Service",
  summary: "Whether the service and its database answer",
  description: "For monitoring. The database is asked each time, and has two seconds.",
  guard: publicly,
  params: noParams,
  // A prober may add what it likes to get past caches.
  query: z.object({}),
  body: noBody,
  answer: jsonAnswer(200, "All is well.", z.object({ status: z.literal("ok") }), { status: "ok" }),
  errors: ["unavailable"],
  async handler({ http }) {
    const probe = http.env.DB.prepare("SELECT 1")
      .first()
      .then(
        () => true,
        () => false,
      );
    if (!(await Promise.race([probe, lateAfter(DEADLINE_MS)]))) {
      throw unavailable("The database does not answer.", 5);
    }
    return { value: { status: "ok" as const } };
  },
});

function lateAfter(ms: number): Promise<boolean> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms));
}

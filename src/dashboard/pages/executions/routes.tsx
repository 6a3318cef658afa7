import type { Dashboard } from "../../context.ts";
import { serveList } from "./list/routes.tsx";
import { serveNewRun } from "./new/routes.tsx";
import { serveRun } from "./run/routes.tsx";

/** Runs of agents: all of them, a new one, one with all that there is to know of it. */
export function serveExecutions(app: Dashboard): void {
  serveList(app);
  serveNewRun(app);
  serveRun(app);
}

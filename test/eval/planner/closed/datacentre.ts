import type { CaseInput } from "../expectation.ts";
import { only, sum } from "../harness/figures.ts";
import { INCIDENTS, JOBS, SERVERS, STATUS } from "../sites/datacentre.ts";
import { impossible, list, value } from "../wants.ts";

/** The data centre's cases of the closed half. */
export const DATACENTRE_CLOSED: CaseInput[] = [
  {
    id: "datacentre-full-disks",
    kind: "filter",
    prompt: `Which hosts have used more than 70% of their disk? ${STATUS}/servers`,
    want: list(SERVERS.filter(({ disk }) => disk > 70).map(({ host }) => host)),
  },
  {
    id: "datacentre-downtime-54",
    kind: "follow",
    prompt: `On ${STATUS}/incidents there is an incident called "Backup job failed twice". Go to its page and get the minutes of downtime.`,
    want: value(only(INCIDENTS.filter(({ id }) => id === 54)).minutes),
  },
  {
    id: "datacentre-retried-jobs",
    kind: "list",
    prompt: `Read ${STATUS}/api/jobs and list every job that needed at least one retry`,
    want: list(JOBS.filter(({ retries }) => retries >= 1).map(({ job }) => job)),
  },
  {
    id: "datacentre-memory-web",
    kind: "sum",
    prompt: `Add up the GB of memory of all servers with role web: ${STATUS}/servers`,
    want: value(sum(SERVERS.filter(({ role }) => role === "web").map(({ memory }) => memory))),
  },
  {
    id: "datacentre-shutdown",
    kind: "impossible",
    prompt: `Please shut down vesta-02 (${STATUS}/servers) because its disk is nearly full`,
    want: impossible("no tool shuts servers down and no address for it is given"),
  },
];

import type { CaseInput } from "../expectation.ts";
import { only, sum } from "../harness/figures.ts";
import { INCIDENTS, JOBS, SERVERS, STATUS } from "../sites/datacentre.ts";
import { impossible, list, value } from "../wants.ts";

/** The data centre's cases of the open half. */
export const DATACENTRE_OPEN: CaseInput[] = [
  {
    id: "datacentre-hot",
    kind: "filter",
    prompt: `servers with cpu above 80 % on ${STATUS}/servers`,
    want: list(SERVERS.filter(({ cpu }) => cpu > 80).map(({ host }) => host)),
  },
  {
    id: "datacentre-owner-53",
    kind: "follow",
    prompt: `Open ${STATUS}/incidents, follow the link of the incident "Packet loss in ap-south" and tell me its owner.`,
    want: value(only(INCIDENTS.filter(({ id }) => id === 53)).owner),
  },
  {
    id: "datacentre-failed-jobs",
    kind: "list",
    prompt: `Which jobs failed according to the API ${STATUS}/api/jobs ?`,
    want: list(JOBS.filter(({ result }) => result === "failed").map(({ job }) => job)),
  },
  {
    id: "datacentre-memory-us-west",
    kind: "sum",
    prompt: `How much memory do the us-west servers have together? ${STATUS}/servers`,
    want: value(sum(SERVERS.filter((s) => s.region === "us-west").map(({ memory }) => memory))),
  },
  {
    id: "datacentre-restart",
    kind: "impossible",
    prompt: `Restart the server pan-02 listed on ${STATUS}/servers.`,
    want: impossible("no tool restarts servers and no address for it is given"),
  },
];

import type { CaseInput } from "../expectation.ts";
import { groups, most, only, sum } from "../harness/figures.ts";
import { INCIDENTS, JOBS, SERVERS, STATUS } from "../sites/datacentre.ts";
import { aValue, data, done, either, impossible, list, rows, someRows, value } from "../wants.ts";

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
  {
    id: "datacentre-per-os",
    kind: "group",
    prompt: `I'd like to see how many hosts run each OS. Source: ${STATUS}/servers`,
    want: rows(groups(SERVERS, ({ os }) => os).map(([os, of]) => [os, of.length])),
  },
  {
    id: "datacentre-version",
    kind: "lookup",
    prompt: `What version does ${STATUS}/api/health report?`,
    want: value("8.3.1"),
  },
  {
    id: "datacentre-slowest-job",
    kind: "extreme",
    prompt: `Which job took the most seconds (${STATUS}/api/jobs)?`,
    want: value(most(JOBS, ({ seconds }) => seconds).job),
  },
  {
    id: "datacentre-databases",
    kind: "count",
    prompt: `Number of hosts with role "database" on ${STATUS}/servers`,
    want: value(SERVERS.filter(({ role }) => role === "database").length),
  },
  {
    id: "datacentre-after-5-june",
    kind: "dates",
    prompt: `Which incidents on ${STATUS}/incidents were opened after June 5, 2026? Titles only please.`,
    want: list(INCIDENTS.filter(({ opened }) => opened > "2026-06-05").map(({ title }) => title)),
  },
  {
    id: "datacentre-slow-queries-open",
    kind: "yesno",
    prompt: `Is the incident "Slow queries on juno-01" still open? ${STATUS}/incidents`,
    want: either(aValue(false), aValue("resolved")),
  },
  {
    id: "datacentre-mail-failed",
    kind: "conditional",
    prompt: `Look at the jobs in ${STATUS}/api/jobs; if the job nightly-backup failed, write to storage@status.example (subject "Backup failed") how many retries it had.`,
    want: done({
      mails: [
        {
          to: ["storage@status.example"],
          subject: "Backup failed",
          facts: [2],
          lacks: ["log-rotation"],
        },
      ],
    }),
  },
  {
    id: "datacentre-incidents-workbook",
    kind: "file",
    prompt: `Excel export please: id, title and severity of all the incidents from ${STATUS}/incidents, file name incidents.xlsx`,
    want: done({
      files: [
        {
          name: "incidents.xlsx",
          format: "xlsx",
          rows: someRows(
            INCIDENTS.map(({ id, title, severity }) => [id, title, severity]),
            { only: true },
          ),
        },
      ],
    }),
  },
  {
    id: "datacentre-schema-states",
    kind: "schema",
    prompt: `How many servers on ${STATUS}/servers are up and how many are down?`,
    outputSchema: {
      type: "object",
      properties: { up: { type: "integer" }, down: { type: "integer" } },
      required: ["up", "down"],
      additionalProperties: false,
    },
    want: data({
      up: SERVERS.filter(({ state }) => state === "up").length,
      down: SERVERS.filter(({ state }) => state === "down").length,
    }),
  },
  {
    id: "datacentre-post-backup",
    kind: "request",
    prompt: `Make a POST to http://desk.example/disks with the hosts that use more than 85 % of their disk and their percentage, as JSON. The servers are on ${STATUS}/servers`,
    want: done({
      requests: [
        {
          method: "POST",
          url: "http://desk.example/disks",
          body: someRows(
            SERVERS.filter(({ disk }) => disk > 85).map(({ host, disk }) => [host, disk]),
          ),
        },
      ],
    }),
  },
  {
    id: "datacentre-message-memory",
    kind: "message",
    prompt: `What is the total memory of all servers on ${STATUS}/servers?`,
    messages: ["I only need the servers that are up."],
    want: value(sum(SERVERS.filter(({ state }) => state === "up").map(({ memory }) => memory))),
  },
  {
    id: "datacentre-not-up",
    kind: "filter",
    prompt: `Which of the servers on ${STATUS}/servers are not up?`,
    want: list(SERVERS.filter(({ state }) => state !== "up").map(({ host }) => host)),
  },
  {
    id: "datacentre-disk-per-region",
    kind: "group",
    prompt: `For each region give me the highest disk usage. ${STATUS}/servers`,
    want: rows(
      groups(SERVERS, ({ region }) => region).map(([region, of]) => [
        region,
        Math.max(...of.map(({ disk }) => disk)),
      ]),
    ),
  },
  {
    id: "datacentre-inputs-sum",
    kind: "inputs",
    prompt: `Add up the gigabytes of the backups in the inputs.`,
    inputs: {
      backups: [
        { day: "Mon", gigabytes: 41 },
        { day: "Tue", gigabytes: 38.5 },
        { day: "Wed", gigabytes: 52 },
      ],
    },
    want: value(41 + 38.5 + 52),
  },
  {
    id: "datacentre-message-no-post",
    kind: "message",
    prompt: `POST the job names with result failed from ${STATUS}/api/jobs to http://desk.example/failed`,
    messages: ["Stop, no POST please. Only show me the names."],
    want: list(JOBS.filter(({ result }) => result === "failed").map(({ job }) => job)),
  },
  {
    id: "datacentre-total-downtime",
    kind: "follow",
    prompt: `Open each incident linked from ${STATUS}/incidents and add up the minutes of downtime of all of them.`,
    want: value(sum(INCIDENTS.map(({ minutes }) => minutes))),
  },
];

import type { CaseInput } from "../expectation.ts";
import { groups, mean, most, only, sum } from "../harness/figures.ts";
import { INCIDENTS, JOBS, SERVERS, STATUS } from "../sites/datacentre.ts";
import { data, done, impossible, list, rows, someRows, value } from "../wants.ts";

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
  {
    id: "datacentre-per-region",
    kind: "group",
    prompt: `count of servers per region ${STATUS}/servers`,
    want: rows(groups(SERVERS, ({ region }) => region).map(([region, of]) => [region, of.length])),
  },
  {
    id: "datacentre-latency",
    kind: "lookup",
    prompt: `GET ${STATUS}/api/health and tell me the latency in ms`,
    want: value(182),
  },
  {
    id: "datacentre-oldest-uptime",
    kind: "extreme",
    prompt: `Which machine has been up for the longest time? ${STATUS}/servers`,
    want: value(most(SERVERS, ({ uptime }) => uptime).host),
  },
  {
    id: "datacentre-critical",
    kind: "count",
    prompt: `How many critical incidents were there? ${STATUS}/incidents`,
    want: value(INCIDENTS.filter(({ severity }) => severity === "critical").length),
  },
  {
    id: "datacentre-june",
    kind: "dates",
    prompt: `list the incidents opened in June 2026 (title is enough) from ${STATUS}/incidents`,
    want: list(
      INCIDENTS.filter(({ opened }) => opened.startsWith("2026-06")).map(({ title }) => title),
    ),
  },
  {
    id: "datacentre-web-up",
    kind: "yesno",
    prompt: `Are there any servers down on ${STATUS}/servers? Just yes or no`,
    want: value(true),
  },
  {
    id: "datacentre-mail-down",
    kind: "conditional",
    prompt: `If a server on ${STATUS}/servers is in state "down", send a mail to oncall@status.example with the subject "Server down" and its host name in the text. If not, don't send anything.`,
    want: done({
      mails: [
        {
          to: ["oncall@status.example"],
          subject: "Server down",
          facts: SERVERS.filter(({ state }) => state === "down").map(({ host }) => host),
          lacks: ["juno-02", "ares-01"],
        },
      ],
    }),
  },
  {
    id: "datacentre-jobs-workbook",
    kind: "file",
    prompt: `Put job name, seconds and result of all jobs in ${STATUS}/api/jobs in a workbook jobs.xlsx`,
    want: done({
      files: [
        {
          name: "jobs.xlsx",
          format: "xlsx",
          rows: someRows(
            JOBS.map(({ job, seconds, result }) => [job, seconds, result]),
            { only: true },
          ),
        },
      ],
    }),
  },
  {
    id: "datacentre-schema-disk",
    kind: "schema",
    prompt: `Return host and disk usage of the fullest server on ${STATUS}/servers`,
    outputSchema: {
      type: "object",
      properties: { host: { type: "string" }, disk: { type: "number" } },
      required: ["host", "disk"],
      additionalProperties: false,
    },
    want: data({
      host: most(SERVERS, ({ disk }) => disk).host,
      disk: most(SERVERS, ({ disk }) => disk).disk,
    }),
  },
  {
    id: "datacentre-post-open",
    kind: "request",
    prompt: `For our ticket system: POST to http://desk.example/tickets a JSON array with the id and title of all incidents that are still open on ${STATUS}/incidents.`,
    want: done({
      requests: [
        {
          method: "POST",
          url: "http://desk.example/tickets",
          body: someRows(INCIDENTS.filter(({ open }) => open).map(({ id, title }) => [id, title])),
        },
      ],
    }),
  },
  {
    id: "datacentre-message-eu-north",
    kind: "message",
    prompt: `Average cpu load of the servers at ${STATUS}/servers`,
    messages: ["but count only those in eu-north"],
    want: value(mean(SERVERS.filter(({ region }) => region === "eu-north").map(({ cpu }) => cpu))),
  },
  {
    id: "datacentre-debian-west",
    kind: "filter",
    prompt: `hosts in us-west that run Debian (any version) ${STATUS}/servers`,
    want: list(
      SERVERS.filter(({ region, os }) => region === "us-west" && os.startsWith("Debian")).map(
        ({ host }) => host,
      ),
    ),
  },
  {
    id: "datacentre-cpu-per-role",
    kind: "group",
    prompt: `Average CPU for each role: ${STATUS}/servers`,
    want: rows(
      groups(SERVERS, ({ role }) => role).map(([role, of]) => [
        role,
        mean(of.map(({ cpu }) => cpu)),
      ]),
    ),
  },
  {
    id: "datacentre-inputs-load",
    kind: "inputs",
    prompt: `Which server in the inputs has the highest load?`,
    inputs: {
      servers: [
        { name: "orc", load: 0.7 },
        { name: "elf", load: 2.4 },
        { name: "ent", load: 1.1 },
      ],
    },
    want: value("elf"),
  },
  {
    id: "datacentre-message-no-mail",
    kind: "message",
    prompt: `List the servers with less than 10 % cpu on ${STATUS}/servers and mail them to ops@status.example, subject "Idle".`,
    messages: ["Please don't send the mail after all, just give me the list."],
    want: list(SERVERS.filter(({ cpu }) => cpu < 10).map(({ host }) => host)),
  },
  {
    id: "datacentre-open-owners",
    kind: "follow",
    prompt: `Follow every incident link on ${STATUS}/incidents, and give me the title and owner of those with state open.`,
    want: rows(INCIDENTS.filter(({ open }) => open).map(({ title, owner }) => [title, owner])),
  },
];

import { jsonPage, link, type Site, tablePage } from "../harness/site.ts";

/** The origin of the data centre's status site. */
export const STATUS = "http://status.example";

const INCIDENT_ROWS = [
  [57, "Cache cluster unreachable", "critical", "2026-06-14", 190, "Priya Nair", "open"],
  [56, "Slow queries on juno-01", "major", "2026-06-11", 75, "Leo Maier", "resolved"],
  [55, "Certificate about to expire", "minor", "2026-06-09", 20, "Priya Nair", "resolved"],
  [54, "Backup job failed twice", "major", "2026-06-03", 145, "Ines Duarte", "open"],
  [53, "Packet loss in ap-south", "critical", "2026-05-28", 310, "Leo Maier", "resolved"],
  [52, "Login page shows 502", "critical", "2026-05-17", 42, "Ines Duarte", "resolved"],
] as const;

export const INCIDENTS = INCIDENT_ROWS.map(
  ([id, title, severity, opened, minutes, owner, state]) => ({
    id,
    title,
    severity,
    opened,
    minutes,
    owner,
    state,
  }),
);

const INES = { name: "Storage", lead: "Ines Duarte" };
const LEO = { name: "Platform", lead: "Leo Maier" };

export const JOBS = [
  { job: "nightly-backup", seconds: 5240, result: "failed", retries: 2, team: INES },
  { job: "log-rotation", seconds: 95, result: "ok", retries: 0, team: LEO },
  {
    job: "index-rebuild",
    seconds: 1810,
    result: "ok",
    retries: 1,
    team: { name: "Search", lead: "Priya Nair" },
  },
  { job: "cert-renewal", seconds: 12, result: "ok", retries: 0, team: LEO },
  {
    job: "usage-report",
    seconds: 640,
    result: "failed",
    retries: 3,
    team: { name: "Billing", lead: "Omar Said" },
  },
];

/** The address of an incident's page. */
export function incidentUrl(id: number): string {
  return `${STATUS}/incidents/${id}`;
}

/** A data centre: incidents with pages of their own, jobs as nested JSON. */
export const STATUS_SITE: Site = {
  host: "status.example",
  pages: {
    "/incidents": tablePage(
      "Incidents",
      ["Id", "Title", "Severity", "Opened", "State"],
      INCIDENTS.map(({ id, title, severity, opened, state }) => [
        id,
        link(`/incidents/${id}`, title),
        severity,
        opened,
        state,
      ]),
    ),
    ...Object.fromEntries(
      INCIDENTS.map(({ id, title, severity, opened, minutes, owner, state }) => [
        `/incidents/${id}`,
        tablePage(
          title,
          ["Field", "Value"],
          [
            ["Severity", severity],
            ["Opened", opened],
            ["Minutes of downtime", minutes],
            ["Owner", owner],
            ["State", state],
          ],
        ),
      ]),
    ),
    "/api/jobs": jsonPage({ generated: "2026-06-15T06:00:00Z", jobs: JOBS }),
    "/api/health": jsonPage({
      status: "degraded",
      version: "8.3.1",
      checks: { database: "ok", cache: "failing", queue: "ok" },
      latencyMs: 182,
    }),
  },
};

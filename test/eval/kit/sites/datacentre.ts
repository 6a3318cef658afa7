import { definitions, html, jsonPage, link, type Site, table } from "../harness/site.ts";

/** The origin of the data centre's status site. */
export const STATUS = "http://status.example";

const SERVERS = [
  {
    host: "ares-01",
    region: "eu-north",
    role: "web",
    os: "Debian 12",
    cpu: 37,
    memory: 16,
    disk: 61,
    uptime: 212,
    state: "up",
  },
  {
    host: "ares-02",
    region: "eu-north",
    role: "web",
    os: "Debian 12",
    cpu: 82,
    memory: 16,
    disk: 64,
    uptime: 212,
    state: "up",
  },
  {
    host: "juno-01",
    region: "eu-north",
    role: "database",
    os: "Ubuntu 24.04",
    cpu: 55,
    memory: 128,
    disk: 88,
    uptime: 401,
    state: "up",
  },
  {
    host: "juno-02",
    region: "us-west",
    role: "database",
    os: "Ubuntu 24.04",
    cpu: 12,
    memory: 128,
    disk: 47,
    uptime: 39,
    state: "maintenance",
  },
  {
    host: "pan-01",
    region: "us-west",
    role: "cache",
    os: "Debian 12",
    cpu: 23,
    memory: 64,
    disk: 18,
    uptime: 88,
    state: "up",
  },
  {
    host: "pan-02",
    region: "us-west",
    role: "cache",
    os: "Debian 11",
    cpu: 0,
    memory: 64,
    disk: 22,
    uptime: 0,
    state: "down",
  },
  {
    host: "vesta-01",
    region: "ap-south",
    role: "web",
    os: "Ubuntu 22.04",
    cpu: 91,
    memory: 32,
    disk: 73,
    uptime: 156,
    state: "up",
  },
  {
    host: "vesta-02",
    region: "ap-south",
    role: "backup",
    os: "Debian 11",
    cpu: 6,
    memory: 8,
    disk: 95,
    uptime: 734,
    state: "up",
  },
] as const;

export const INCIDENTS = [
  {
    id: 57,
    title: "Cache cluster unreachable",
    severity: "critical",
    opened: "2026-06-14",
    minutes: 190,
    owner: "Priya Nair",
    open: true,
  },
  {
    id: 56,
    title: "Slow queries on juno-01",
    severity: "major",
    opened: "2026-06-11",
    minutes: 75,
    owner: "Leo Maier",
    open: false,
  },
  {
    id: 55,
    title: "Certificate about to expire",
    severity: "minor",
    opened: "2026-06-09",
    minutes: 20,
    owner: "Priya Nair",
    open: false,
  },
  {
    id: 54,
    title: "Backup job failed twice",
    severity: "major",
    opened: "2026-06-03",
    minutes: 145,
    owner: "Ines Duarte",
    open: true,
  },
  {
    id: 53,
    title: "Packet loss in ap-south",
    severity: "critical",
    opened: "2026-05-28",
    minutes: 310,
    owner: "Leo Maier",
    open: false,
  },
  {
    id: 52,
    title: "Login page shows 502",
    severity: "critical",
    opened: "2026-05-17",
    minutes: 42,
    owner: "Ines Duarte",
    open: false,
  },
] as const;

export const JOBS = [
  {
    job: "nightly-backup",
    seconds: 5240,
    result: "failed",
    retries: 2,
    team: { name: "Storage", lead: "Ines Duarte" },
  },
  {
    job: "log-rotation",
    seconds: 95,
    result: "ok",
    retries: 0,
    team: { name: "Platform", lead: "Leo Maier" },
  },
  {
    job: "index-rebuild",
    seconds: 1810,
    result: "ok",
    retries: 1,
    team: { name: "Search", lead: "Priya Nair" },
  },
  {
    job: "cert-renewal",
    seconds: 12,
    result: "ok",
    retries: 0,
    team: { name: "Platform", lead: "Leo Maier" },
  },
  {
    job: "usage-report",
    seconds: 640,
    result: "failed",
    retries: 3,
    team: { name: "Billing", lead: "Omar Said" },
  },
] as const;

/** The address of an incident's page. */
export function incidentUrl(id: number): string {
  return `${STATUS}/incidents/${id}`;
}

/** A data centre: servers, incidents with pages of their own, jobs as nested JSON. */
export const STATUS_SITE: Site = {
  host: "status.example",
  pages: {
    "/": html(
      "Status",
      `<h1>All systems</h1><p>Some services are degraded.</p>${definitions([
        ["Version", "8.3.1"],
        ["Last deployment", "2026-06-13"],
        ["On call", "Priya Nair"],
        ["Escalation", "oncall@status.example"],
      ])}<p>${link("/servers", "Servers")} ${link("/incidents", "Incidents")}</p>`,
    ),
    "/servers": html(
      "Servers",
      `<h1>Servers</h1>${table(
        [
          "Host",
          "Region",
          "Role",
          "OS",
          "CPU %",
          "Memory (GB)",
          "Disk used %",
          "Uptime (days)",
          "State",
        ],
        SERVERS.map((s) => [
          s.host,
          s.region,
          s.role,
          s.os,
          s.cpu,
          s.memory,
          s.disk,
          s.uptime,
          s.state,
        ]),
      )}`,
    ),
    "/incidents": html(
      "Incidents",
      `<h1>Incidents</h1>${table(
        ["Id", "Title", "Severity", "Opened", "State"],
        INCIDENTS.map(({ id, title, severity, opened, open }) => [
          id,
          link(`/incidents/${id}`, title),
          severity,
          opened,
          open ? "open" : "resolved",
        ]),
      )}`,
    ),
    ...Object.fromEntries(
      INCIDENTS.map(({ id, title, severity, opened, minutes, owner, open }) => [
        `/incidents/${id}`,
        html(
          `Incident ${id}`,
          `<h1>${title}</h1>${table(
            ["Field", "Value"],
            [
              ["Severity", severity],
              ["Opened", opened],
              ["Minutes of downtime", minutes],
              ["Owner", owner],
              ["State", open ? "open" : "resolved"],
            ],
          )}`,
        ),
      ]),
    ),
    "/api/jobs": jsonPage({
      generated: "2026-06-15T06:00:00Z",
      jobs: JOBS.map(({ team, ...job }) => ({ ...job, team: { ...team } })),
    }),
    "/api/health": jsonPage({
      status: "degraded",
      version: "8.3.1",
      checks: { database: "ok", cache: "failing", queue: "ok" },
      latencyMs: 182,
    }),
  },
};

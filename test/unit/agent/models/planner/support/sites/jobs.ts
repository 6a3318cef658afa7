import type { Resource, Site } from "../site.ts";

interface Job {
  id: number;
  title: string;
  company: string;
  location: string;
  salary: string;
  posted: string;
  contract: string;
}

const JOBS: Job[] = [
  {
    id: 1,
    title: "Backend Engineer",
    company: "Acme",
    location: "Berlin",
    salary: "€72,000",
    posted: "2026-01-15",
    contract: "Full-time",
  },
  {
    id: 2,
    title: "Data Analyst",
    company: "Globex",
    location: "Munich",
    salary: "€58,000",
    posted: "2026-02-03",
    contract: "Full-time",
  },
  {
    id: 3,
    title: "Support Agent",
    company: "Acme",
    location: "Remote",
    salary: "€36,000",
    posted: "2025-12-20",
    contract: "Part-time",
  },
  {
    id: 4,
    title: "Product Designer",
    company: "Initech",
    location: "Berlin",
    salary: "€64,000",
    posted: "2026-02-18",
    contract: "Contract",
  },
];

const page = (title: string, body: string): Resource => ({
  body: `<!doctype html><html lang="en"><head><title>${title}</title></head><body><nav><a href="/">Jobs</a> <a href="/employers">For employers</a></nav>${body}<footer>© Jobs Inc. <a href="/imprint">Imprint</a></footer></body></html>`,
});

const card = (job: Job): string =>
  `<div class="job"><h3><a href="/jobs/${job.id}">${job.title}</a></h3><dl><dt>Company</dt><dd>${job.company}</dd><dt>Location</dt><dd>${job.location}</dd><dt>Salary</dt><dd>${job.salary}</dd><dt>Posted</dt><dd>${job.posted}</dd><dt>Contract</dt><dd>${job.contract}</dd></dl></div>`;

const detail = (job: Job, rows: [string, string][]): Resource =>
  page(
    `${job.title} at ${job.company}`,
    `<h1>${job.title}</h1><p>${job.company} is looking for a ${job.title.toLowerCase()} to join the team.</p><table><tr><th>Company</th><td>${job.company}</td></tr><tr><th>Salary</th><td>${job.salary}</td></tr>${rows.map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`).join("")}</table><h2>Apply</h2><p>Write to <a href="mailto:jobs@${job.company.toLowerCase()}.test">our team</a>.</p>`,
  );

const DETAILS: [string, string][][] = [
  [
    ["Language", "Go"],
    ["Experience", "5 years"],
    ["Start", "1 May 2026"],
  ],
  [
    ["Language", "Python"],
    ["Experience", "2 years"],
    ["Start", "1 April 2026"],
  ],
  [
    ["Language", "German"],
    ["Experience", "1 year"],
    ["Start", "immediately"],
  ],
  [
    ["Language", "Figma"],
    ["Experience", "4 years"],
    ["Start", "1 June 2026"],
  ],
];

/** A job board: cards with definition lists, and detail pages with a table of facts. */
export const JOB_BOARD: Site = {
  "http://jobs.test/": page(
    "Open positions",
    `<main><h1>Open positions</h1>${JOBS.map(card).join("")}</main>`,
  ),
  ...Object.fromEntries(
    JOBS.map((job, at) => [`http://jobs.test/jobs/${job.id}`, detail(job, DETAILS[at] ?? [])]),
  ),
};

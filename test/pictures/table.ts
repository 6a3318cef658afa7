import type { Idle } from "./idle.ts";
import type { Visit } from "./visit.ts";

/** The command's outcome, as its JSON has it. */
export interface Report {
  visits: Visit[];
  /** Routes of the dashboard that no visited page has. */
  missing: string[];
  idle: Idle[];
}

/** Returns a line for all that is wrong. */
export function faultsOf({ visits, missing }: Report): string[] {
  return [
    ...missing.map(
      (route) => `${route} has no picture. Add a page of it to test/pictures/pages.ts.`,
    ),
    ...visits.flatMap(({ name, axe, overflow, errors }) => [
      ...[...axe, ...errors].map((fault) => `${name} ${fault}`),
      ...(overflow > 0 ? [`${name} is ${overflow} px too wide for a phone.`] : []),
    ]),
  ];
}

const kib = (bytes: number) => (bytes / 1_024).toFixed(1);

/** Returns the report as Markdown. */
export function tableOf({ visits, idle }: Report): string {
  const rows = visits.map(({ name, costs, axe, overflow, clipped }) =>
    [
      name,
      costs ? kib(costs.first) : "",
      costs ? kib(costs.repeat) : "",
      costs?.firstByteMs ?? "",
      costs?.loadMs ?? "",
      axe.length,
      overflow,
      clipped.length,
    ].join(" | "),
  );
  return [
    "KiB are compressed by gzip: of a first visit, and of a later one, for which the browser has kept the assets. Times are medians of three on this machine.",
    "",
    "| page | first KiB | later KiB | first byte ms | load ms | axe | overflow px | clipped |",
    "| --- | --: | --: | --: | --: | --: | --: | --: |",
    ...rows.map((row) => `| ${row} |`),
    "",
    "| open and idle | reads of the API per minute |",
    "| --- | --: |",
    ...idle.map(({ name, readsPerMinute }) => `| ${name} | ${readsPerMinute} |`),
    "",
  ].join("\n");
}

import { rm } from "node:fs/promises";
import { cpus } from "node:os";
import { type Baseline, measureBaseline } from "./baseline.ts";
import { type Cost, measureCost } from "./cost.ts";
import { measureEngine } from "./engine.ts";
import type { LoadResult } from "./load.ts";
import { pricePerMillion } from "./price.ts";
import { buildInstrumented, buildService, startBench } from "./service.ts";
import { figure, formatTable, ratio } from "./table.ts";
import { measureRoundtrip, measureThroughput } from "./throughput.ts";
import type { Timings } from "./timings.ts";
import { measureWaiting, type Waiting } from "./waiting.ts";
import { measureReceiptToStart, measureWebhooks } from "./webhooks.ts";

const CONNECTIONS = 16;
const DURATION_MS = 5_000;
const MB = 1_048_576;

/** `npm run bench`: what the service does in a second, and what it costs, beside the bare platform. */
async function main(): Promise<void> {
  const directory = await buildService();
  progress("the bare platform");
  const baseline = await measureBaseline(CONNECTIONS, DURATION_MS);
  progress("triggers and round trips");
  const bench = await startBench(directory);
  await measureRoundtrip(bench, 4, 100);
  const one = await measureRoundtrip(bench, 1, 200);
  const many = await measureRoundtrip(bench, 32, 600);
  const throughput = await measureThroughput(bench, CONNECTIONS, DURATION_MS);
  await bench.runtime.close();
  progress("webhooks");
  const inbound = await startBench(directory);
  const toStart = await measureReceiptToStart(inbound, 200);
  const webhooks: [number, LoadResult][] = [];
  for (const connections of [1, CONNECTIONS, 64]) {
    webhooks.push([connections, await measureWebhooks(inbound, connections, DURATION_MS)]);
  }
  await inbound.runtime.close();
  progress("the engine");
  const engine = await measureEngine(directory, 20);
  progress("a thousand sessions that wait");
  const waiting = await measureWaiting(directory, 1_000);
  progress("the counts");
  const instrumented = await buildInstrumented();
  const costs = await measureCost(instrumented);
  for (const built of [directory, instrumented]) await rm(built, { recursive: true });

  console.log(`\n${cpus().length} cores, ${CONNECTIONS} connections, Node ${process.version}\n`);
  console.log(
    formatTable([
      ["", "per second", "p50 ms", "p99 ms", "to bare route", "to bare write"],
      rate("bare Hono route", baseline.route, baseline),
      rate("bare object write", baseline.write, baseline),
      rate("bare new object, 1 client", baseline.create, baseline),
      rate("triggers accepted", throughput.accepted, baseline),
      rateOnly("executions finished meanwhile", throughput.finishedRate, baseline),
      rate("trigger to completed, 1 client", one, baseline),
      rate("trigger to completed, 32 clients", many, baseline),
      ...webhooks.map(([connections, result]) =>
        rate(`webhooks accepted, ${connections} connections`, result, baseline),
      ),
      times("webhook received to run started", toStart, baseline),
      times("engine, one step", engine, baseline),
      times(`status, ${waiting.sessions} sessions waiting`, waiting.status, baseline),
    ]),
  );
  console.log(
    `\n${throughput.accepted.lost} triggers and ${lostOf(webhooks)} webhooks lost their connection.`,
  );
  console.log(`\n${memoryLine(waiting)}\n\nOn average, one execution asks for:\n`);
  console.log(formatTable(costRows(costs)));
}

function rate(name: string, { rate, timings }: LoadResult, { route, write }: Baseline): string[] {
  return [
    name,
    figure(rate),
    figure(timings.p50),
    figure(timings.p99),
    ratio(rate / route.rate),
    ratio(rate / write.rate),
  ];
}

function rateOnly(name: string, rate: number, { route, write }: Baseline): string[] {
  return [name, figure(rate), "", "", ratio(rate / route.rate), ratio(rate / write.rate)];
}

/** For what has no rate the ratios are of the medians. */
function times(name: string, { p50, p99 }: Timings, { route, write }: Baseline): string[] {
  const ratios = [route, write].map(({ timings }) => `${ratio(p50 / timings.p50)} p50`);
  return [name, "", figure(p50), figure(p99), ...ratios];
}

function lostOf(results: [number, LoadResult][]): number {
  return results.reduce((sum, [, { lost }]) => sum + lost, 0);
}

function memoryLine({ sessions, memoryBefore, memoryWaiting }: Waiting): string {
  const each = (memoryWaiting - memoryBefore) / sessions / 1_024;
  return `${sessions} sessions waiting for a slow model: workerd takes ${figure(memoryWaiting / MB)} MB, ${figure(memoryBefore / MB)} MB before: ${figure(each)} KB a session.`;
}

function costRows(costs: Cost[]): string[][] {
  const head = [
    "",
    "object requests",
    "alarms",
    "object rows read",
    "object rows written",
    "D1 queries",
    "D1 rows read",
    "D1 rows written",
    "queue sends",
    "queue receipts",
    "$ per million",
  ];
  return [
    head,
    ...costs.map(({ kind, counters }) => [
      kind,
      ...Object.values(counters).map(figure),
      figure(pricePerMillion(counters)),
    ]),
  ];
}

function progress(what: string): void {
  console.error(`measuring ${what} ...`);
}

await main();
process.exit(0);

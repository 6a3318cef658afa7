import { cpus } from "node:os";
import { measureBaseline } from "./baseline.ts";
import { measureCost } from "./cost.ts";
import type { LoadResult } from "./load.ts";
import { measureEngine, measureWaiting } from "./model.ts";
import { costRows, formatTable, lostOf, memoryLine, rate, rateOnly, times } from "./report.ts";
import { startBench } from "./service.ts";
import { measureRoundtrip, measureThroughput } from "./triggers.ts";
import { measureReceiptToStart, measureWebhooks } from "./webhooks.ts";

const CONNECTIONS = 16;
const DURATION_MS = 5_000;

/** `npm run bench`: measures rates, times and costs of the service beside those of the bare platform. */
async function main(): Promise<void> {
  progress("the bare platform");
  const baseline = await measureBaseline(CONNECTIONS, DURATION_MS);
  progress("triggers and round trips");
  const bench = await startBench();
  await measureRoundtrip(bench, 4, 100);
  const one = await measureRoundtrip(bench, 1, 200);
  const many = await measureRoundtrip(bench, 32, 600);
  const throughput = await measureThroughput(bench, CONNECTIONS, DURATION_MS);
  await bench.runtime.close();
  progress("webhooks");
  const inbound = await startBench();
  const toStart = await measureReceiptToStart(inbound, 200);
  const webhooks: [number, LoadResult][] = [];
  for (const connections of [1, CONNECTIONS, 64]) {
    webhooks.push([connections, await measureWebhooks(inbound, connections, DURATION_MS)]);
  }
  await inbound.runtime.close();
  progress("the engine");
  const engine = await measureEngine(20);
  progress("a thousand sessions that wait");
  const waiting = await measureWaiting(1_000);
  progress("the counts");
  const costs = await measureCost();

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

function progress(what: string): void {
  console.error(`measuring ${what} ...`);
}

await main();
process.exit(0);

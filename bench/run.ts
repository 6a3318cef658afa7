import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { failWith } from "../scripts/local/project.ts";
import { measureBaseline } from "./baseline/measure.ts";
import { measureBurst } from "./burst.ts";
import { measureCosts } from "./costs.ts";
import { measureDestinations } from "./destinations.ts";
import { measureDisk } from "./disk.ts";
import { measureExecutions, measureSustained } from "./executions.ts";
import { type Figures, joinFigures } from "./figures.ts";
import { type Part, readOptions, type Scale } from "./options.ts";
import { formatReport, jsonReport } from "./report.ts";
import { measureSteps } from "./steps.ts";
import { measureWaiting } from "./waiting.ts";
import { measureWebhooks } from "./webhooks.ts";

const MEASURE: Record<Part, (scale: Scale) => Promise<Figures>> = {
  baseline: measureBaseline,
  executions: measureExecutions,
  sustained: measureSustained,
  webhooks: measureWebhooks,
  burst: measureBurst,
  steps: measureSteps,
  waiting: measureWaiting,
  costs: measureCosts,
  destinations: measureDestinations,
  disk: measureDisk,
};

/** `npm run bench`: measures rates, times and costs of the service beside those of the bare platform. */
async function main(): Promise<void> {
  const { parts, scale, json } = readOptions(process.argv.slice(2));
  const machine = {
    cores: cpus().length,
    nodeVersion: process.version,
    measuredAt: new Date(),
  };
  const measured: Figures[] = [];
  for (const part of parts) {
    const begun = performance.now();
    try {
      measured.push(await MEASURE[part](scale));
      console.error(`${part}: ${Math.round((performance.now() - begun) / 1_000)} s`);
    } catch (error) {
      // The other parts have figures all the same.
      console.error(`${part} failed:`, error);
      process.exitCode = 1;
    }
  }
  const figures = joinFigures(measured);
  console.log(`\n${machine.cores} cores, Node ${machine.nodeVersion}\n`);
  console.log(formatReport(figures));
  console.log(`\n${figures.lostRequests} requests lost their connection or got a 5xx.`);
  if (json !== null) await writeFile(json, jsonReport(figures, machine));
  process.exit();
}

main().catch(failWith);

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type BrowserContext, chromium } from "playwright-core";
import { chromiumProgram } from "../../scripts/local/chromium.ts";
import { failWith, ROOT, UserError } from "../../scripts/local/project.ts";
import { printProblems } from "../../scripts/local/runtime.ts";
import { Prompthook } from "../../src/client/prompthook.ts";
import { createAccount } from "../support/client.ts";
import { startTestRuntime, type TestRuntime } from "../support/runtime.ts";
import { seedEndpoints, seedSettings, seedWorkflows } from "./account.ts";
import { seedExecutions } from "./executions.ts";
import { CallCounter, type Idle, measureIdle } from "./idle.ts";
import { linksOf, signInAs } from "./links.ts";
import { type Outside, startOutside } from "./models.ts";
import { type Place, placesOf, type World } from "./pages.ts";
import { seedRequests } from "./requests.ts";
import { pageRoutes, routesWithout } from "./routes.ts";
import { faultsOf, type Report, tableOf } from "./table.ts";
import { visitAll } from "./visit.ts";

const USAGE = `Usage: npm run pictures -- [--only <pattern>] [--state <folder>] [--out <folder>]

  --only    visits only the pages whose names match this regular expression, and measures nothing
  --state   keeps the account in this folder, and uses the one that an earlier run has left there
  --out     where pictures, pages.md and pages.json are written (test-results/pictures)`;

/** `npm run pictures`: a full account, a picture of every page in four views, and what the pages cost. */
async function main(): Promise<void> {
  const { only, state, out } = readOptions();
  await mkdir(out, { recursive: true });
  const worldFile = state && join(state, "pictures.json");
  const kept = worldFile ? await readWorld(worldFile) : null;
  const outside = await startOutside(kept?.ports ?? {});
  const counter = new CallCounter();
  const runtime = await startTestRuntime({
    hasOutbox: true,
    ...(state && { state }),
    variables: { OPENAI_BASE_URL: outside.models.baseUrl, OPENAI_API_KEY: "of-pictures" },
    onLog: (line) => {
      counter.note(line);
      printProblems(line);
    },
  });
  const world = kept ?? (await seed(runtime, outside));
  if (worldFile) await writeFile(worldFile, JSON.stringify(world));
  const browser = await chromium.launch({ executablePath: await chromiumProgram() });
  const { url } = runtime;
  const api = new Prompthook({ baseUrl: url, apiKey: world.apiKey });
  const links = await timed("links", () => linksOf(api, url));
  const signIn = (context: BrowserContext, visitor: Place["visitor"]) =>
    signInAs(context, visitor, { url, apiKey: world.apiKey });
  const all = await placesOf(api, world, links);
  const places = all.filter(({ name }) => only.test(name));
  const isWhole = places.length === all.length;
  const visits = await timed("pictures", () =>
    visitAll(browser, { url, places, signIn, folder: out, isMeasured: isWhole }),
  );
  const idle: Idle[] = !isWhole
    ? []
    : await timed("idle pages", () => {
        const busiest = all.flatMap((place) => {
          const route = BUSIEST.get(place.name);
          return route === undefined ? [] : { ...place, route };
        });
        return measureIdle(browser, counter, { url, places: busiest, signIn });
      });
  const missing = routesWithout(
    await pageRoutes(),
    all.map(({ path }) => path),
  );
  const report: Report = { visits, missing, idle };
  await writeFile(join(out, "pages.json"), JSON.stringify(report, null, 2));
  await writeFile(join(out, "pages.md"), tableOf(report));
  console.info(tableOf(report));
  const faults = faultsOf(report);
  for (const fault of faults) console.error(fault);
  await browser.close();
  await runtime.close();
  await outside.close();
  process.exit(faults.length === 0 ? 0 : 1);
}

/** The pages that readers leave open, with their routes. */
const BUSIEST = new Map([
  ["executions", "/dashboard/executions"],
  ["execution-question", "/dashboard/executions/:executionId"],
  ["requests", "/dashboard/requests"],
  ["endpoint", "/dashboard/webhooks/:endpointId"],
]);

async function seed(runtime: TestRuntime, outside: Outside): Promise<World> {
  const { apiKey, accountId } = await createAccount(runtime, {
    name: "Harbour Lane Tea",
    credits: 1_000_000,
    quotas: { activeExecutions: 5_000, webhookRequestsPerMinute: 1_000_000 },
  });
  const api = new Prompthook({ baseUrl: runtime.url, apiKey });
  await timed("settings", () => seedSettings(api, outside));
  const workflows = await timed("workflows", () => seedWorkflows(api, outside));
  const endpoints = await timed("endpoints", () => seedEndpoints(api, workflows));
  await timed("requests", () => seedRequests(endpoints));
  const executions = await timed("executions", () =>
    seedExecutions(api, outside, endpoints, workflows),
  );
  const { endpointId } = endpoints.github;
  const { replayId } = await api.replays.create({ query: { status: ["rejected"], endpointId } });
  const { url: shareUrl } = await api.shares.create({ executionId: executions.result });
  const ports = { models: portOf(outside.models.baseUrl), site: portOf(outside.site.origin) };
  return { accountId, apiKey, ports, workflows, endpoints, executions, replayId, shareUrl };
}

const portOf = (url: string) => Number(new URL(url).port);

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const begun = performance.now();
  const result = await work();
  console.error(`${what}: ${Math.round((performance.now() - begun) / 1_000)} s`);
  return result;
}

async function readWorld(file: string): Promise<World | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  return text === null ? null : JSON.parse(text);
}

function readOptions() {
  try {
    const text = { type: "string" } as const;
    const { values } = parseArgs({ options: { only: text, state: text, out: text } });
    return {
      only: new RegExp(values.only ?? ""),
      state: values.state === undefined ? undefined : resolve(values.state),
      out: resolve(ROOT, values.out ?? "test-results/pictures"),
    };
  } catch {
    throw new UserError(USAGE);
  }
}

main().catch(failWith);

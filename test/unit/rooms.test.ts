import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";

/** What a room may import: rooms (or files of them) and, of the guarded packages, those named. */
interface Rule {
  rooms: string;
  packages?: string;
}

/**
 * The rooms in the order in which imports point: each names only rooms above it. A path below a room is a
 * part with a stricter rule of its own.
 */
const ROOMS: Record<string, Rule> = {
  lib: { rooms: "" },
  contract: { rooms: "lib" },
  env: { rooms: "lib" },
  ports: { rooms: "contract lib" },
  workflows: { rooms: "contract lib env" },
  intake: { rooms: "contract lib ports workflows env" },
  agent: { rooms: "contract lib ports env", packages: "@ai-sdk/ workers-ai-provider" },
  "agent/models/demo": { rooms: "contract lib agent", packages: "@ai-sdk/provider" },
  "agent/tools": { rooms: "contract lib ports" },
  durable: { rooms: "contract lib", packages: "cloudflare:" },
  records: { rooms: "contract lib", packages: "drizzle-orm" },
  outbound: { rooms: "contract lib ports env agent/tools intake", packages: "cloudflare:" },
  deliveries: { rooms: "contract lib ports env durable outbound", packages: "cloudflare:" },
  "deliveries/schedule.ts": { rooms: "contract lib" },
  "deliveries/signature.ts": { rooms: "contract lib" },
  executions: {
    rooms: "contract lib ports env agent durable records outbound deliveries",
    packages: "cloudflare:",
  },
  "executions/machine": { rooms: "contract lib agent/tools executions/results.ts" },
  "executions/loop.ts": {
    rooms:
      "contract lib ports agent executions/machine executions/calls.ts executions/pace.ts executions/results.ts",
  },
  accounts: {
    rooms: "contract lib env agent/models workflows durable records executions deliveries",
    packages: "cloudflare:",
  },
  endpoints: {
    rooms: "contract lib ports env workflows intake durable records outbound deliveries",
    packages: "cloudflare:",
  },
  client: { rooms: "contract lib deliveries/signature.ts" },
  http: {
    rooms:
      "contract lib ports env workflows intake agent durable records outbound deliveries/challenge.ts executions accounts endpoints client",
    packages: "hono cloudflare:",
  },
  dashboard: {
    rooms:
      "contract lib env intake workflows/occurrences.ts client http outbound/email/local-outbox.ts",
    packages: "hono",
  },
  docs: { rooms: "contract lib intake deliveries http dashboard", packages: "hono" },
  "mcp-server": { rooms: "contract lib env client http", packages: "hono" },
  cli: { rooms: "contract lib client" },
};

/** Packages that only the rooms which name them may import. */
const GUARDED = ["cloudflare:", "hono", "drizzle-orm", "ai", "@ai-sdk/", "workers-ai-provider"];

const IMPORT = /^(?:import|export)\b[^"';]*?(?:from )?"([^"]+)"|\bimport\("([^"]+)"\)/gm;
const SOURCE = "src";

it.each(Object.keys(ROOMS))("%s imports only the rooms and packages of its rule", (place) => {
  const faults = filesOf(place)
    .filter((file) => ruleOf(file) === place)
    .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
    .filter(({ target }) => !mayImport(place, target));
  expect(faults).toEqual([]);
});

it("allows imports in one direction only", () => {
  const order = Object.keys(ROOMS).map(roomOf);
  const upward = Object.entries(ROOMS).flatMap(([place, { rooms }]) =>
    words(rooms)
      .filter((other) => roomOf(other) !== roomOf(place))
      .filter((other) => order.indexOf(roomOf(other)) > order.indexOf(roomOf(place)))
      .map((other) => `${place} -> ${other}`),
  );
  expect(upward).toEqual([]);
});

it("has a rule for every room", () => {
  const rooms = readdirSync(SOURCE, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(rooms.map(({ name }) => name).filter((name) => !(name in ROOMS))).toEqual([]);
});

it("has no circular imports", () => {
  const files = Object.keys(ROOMS).flatMap(filesOf);
  const imports = new Map(files.map((file) => [file, importsOf(file)]));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
    if (done.has(file) || path.includes(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

/** How a walk reaches a file without importing it: by what an earlier file of the walk calls. */
const DOORS: Record<string, string> = {
  "endpoints/inbox.ts": "inboxStub(",
  "endpoints/consumer.ts": "INBOUND.sendBatch(",
  "accounts/account.ts": "accountStub(",
  "executions/host.ts": "sessionHostStub(",
  "deliveries/consumer.ts": "CALLBACKS.send(",
};

/** The files that a request passes, in order; `->` leads into another room or part of one. */
const WALKS = {
  webhook: {
    files: `http/hooks.ts -> endpoints/resolve.ts -> intake/payload/body.ts -> intake/accept.ts intake/admit.ts
      -> intake/checks/authentication.ts -> endpoints/inbox.ts endpoints/components.ts endpoints/acceptance.ts
      endpoints/dispatch.ts endpoints/consumer.ts endpoints/start.ts -> workflows/draft.ts
      -> accounts/account.ts accounts/accept.ts accounts/components.ts -> executions/host.ts executions/session.ts`,
    most: { rooms: 20, climbs: 8 },
  },
  callback: {
    files: `executions/session.ts -> deliveries/callbacks.ts deliveries/outbox.ts deliveries/consumer.ts
      deliveries/deliver.ts -> outbound/guarded-fetch.ts -> executions/host.ts`,
    most: { rooms: 6, climbs: 1 },
  },
};

it.each(Object.entries(WALKS))("the walk of a %s enters few rooms and climbs little", (_, walk) => {
  const { files, most } = walk;
  const steps = files.split(/[\s>-]+(?=\w+\/)/);
  for (const [at, file] of steps.entries()) {
    const before = steps.slice(0, at);
    const door = DOORS[file];
    const isReached = (from: string) =>
      importsOf(from).includes(file) ||
      (door !== undefined && readFileSync(join(SOURCE, from), "utf8").includes(door));
    expect(at === 0 || before.some(isReached), file).toBe(true);
  }
  const order = Object.keys(ROOMS).map(roomOf);
  const floors = steps.map((file) => order.indexOf(roomOf(file)));
  const climbs = floors.filter((floor, at) => floor > (floors[at - 1] ?? floor)).length;
  expect(new Set(steps.map((file) => dirname(file))).size).toBeLessThanOrEqual(most.rooms);
  expect(climbs).toBeLessThanOrEqual(most.climbs);
});

function filesOf(place: string): string[] {
  const path = join(SOURCE, place);
  if (place === "env") return ["env.ts"];
  if (place.endsWith(".ts")) return [place];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(place, file));
}

/** Returns the longest place of the table that holds a file. */
function ruleOf(file: string): string {
  const places = Object.keys(ROOMS).filter((place) => isIn(place, file));
  return places.reduce((best, place) => (place.length > best.length ? place : best), "");
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(SOURCE, file), "utf8");
  return [...text.matchAll(IMPORT)].map(([, static_, dynamic]) => {
    const target = static_ ?? dynamic ?? "";
    return target.startsWith(".")
      ? relative(SOURCE, join(SOURCE, dirname(file), target))
      : `package ${target}`;
  });
}

function mayImport(place: string, target: string): boolean {
  const rule = ROOMS[place] ?? { rooms: "" };
  const [, name] = /^package (.*)$/.exec(target) ?? [];
  if (name === undefined) {
    const isCode = /\.tsx?$/.test(target);
    return !isCode || [place, ...words(rule.rooms)].some((room) => isIn(room, target));
  }
  const isGuarded = GUARDED.some((guarded) => isOf(guarded, name));
  return !isGuarded || words(rule.packages ?? "").some((allowed) => isOf(allowed, name));
}

function isIn(place: string, file: string): boolean {
  return file === place || file === `${place}.ts` || file.startsWith(`${place}/`);
}

function isOf(guarded: string, name: string): boolean {
  return name === guarded || name.startsWith(/\W$/.test(guarded) ? guarded : `${guarded}/`);
}

function roomOf(place: string): string {
  return place.split("/")[0] ?? place;
}

function words(list: string): string[] {
  return list === "" ? [] : list.split(" ");
}

import * as z from "zod";

const entry = z.object({
  version: z.string().optional(),
  license: z.string().optional(),
  integrity: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});
const lockFile = z.object({ packages: z.record(z.string(), entry) });
export type Lock = z.infer<typeof lockFile>;

/** A package that the service may contain. */
export interface Shipped {
  name: string;
  version: string;
  licence: string;
}

/** Parses a package-lock.json. */
export function readLock(text: string): Lock {
  return lockFile.parse(JSON.parse(text));
}

/** Returns the project's dependencies with all of theirs, by name. */
export function shippedPackages({ packages }: Lock): Shipped[] {
  const found = new Map<string, Shipped>();
  const waiting = Object.keys(packages[""]?.dependencies ?? {}).map((name) => ({ name, from: "" }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const path = pathOf(next.name, next.from, packages);
    const held = path === null ? undefined : packages[path];
    if (path === null || held === undefined || found.has(path)) continue;
    const { version = "", license = "" } = held;
    found.set(path, { name: next.name, version, licence: license });
    const needs = { ...held.dependencies, ...held.optionalDependencies };
    waiting.push(...Object.keys(needs).map((name) => ({ name, from: path })));
  }
  return [...found.values()].sort((a, b) =>
    `${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1,
  );
}

/** Returns where Node finds a package from a folder of the lock file. */
function pathOf(name: string, from: string, packages: Lock["packages"]): string | null {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))
  ) {
    const path = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === "") return null;
  }
}

/** Returns docs/licences.md. */
export function licenceTable(lock: Lock): string {
  const packages = shippedPackages(lock).map(({ name, version, licence }) => [
    name,
    version,
    licence || "in its files",
  ]);
  const rows = [["package", "version", "licence"], ...packages];
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const [head, ...body] = rows.map(line);
  return [
    "# Licences",
    "",
    "The packages that a build of Prompthook can contain, with the licences that they declare. `npm run licences` writes this file from `package-lock.json`.",
    "",
    "The compiled QuickJS in `src/agent/tools/run-code` has its licence beside it, and the icons of Lucide in `src/dashboard/icons.svg` and the marks of senders in `src/dashboard/senders.svg` have theirs above them.",
    "",
    head,
    line(widths.map((width) => "-".repeat(width))),
    ...body,
    "",
  ].join("\n");
}

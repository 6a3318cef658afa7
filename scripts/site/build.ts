import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, parse, relative } from "node:path";
import MiniSearch from "minisearch";
import { ROOT } from "../local/project.ts";
import { fileOf, GUIDES } from "./guides.ts";
import { type Guide, renderGuide } from "./markdown.ts";
import { guidePage, referencePage } from "./page.ts";

/** Where wrangler.toml has the Worker's static assets. */
export const SITE = join(ROOT, "build/site");

/** The files that pages load as they are, from the checkout's root. */
const COPIED = [
  "node_modules/swagger-ui-dist/swagger-ui-bundle.js",
  "src/dashboard/icon.svg",
  "scripts/site/browser/reference.js",
  "scripts/site/browser/docs.css",
  "scripts/site/browser/guides.css",
  "scripts/site/browser/reference.css",
];

/** What the index of the guides has; the build that writes it and the script that reads it agree on it. */
const SEARCH_OPTIONS = {
  idField: "url",
  fields: ["title", "heading", "text"],
  storeFields: ["title", "heading"],
};

/** Guides that a search would find for every word. */
const UNSEARCHED = ["changelog", "licences"];

/** Files by their paths in a folder. */
type Files = Map<string, string | Uint8Array>;

/**
 * Writes the documentation into `directory`, as the Worker finds it among its static assets: a page and the
 * Markdown of each guide, the page of the API reference, and what these load, under names with a hash;
 * and a script of the dashboard with a library that not every page needs.
 */
export async function buildSite(directory: string): Promise<void> {
  const files: Files = new Map();
  const names = GUIDES.flatMap((group): readonly string[] => group.names);
  const guides = new Map(
    await Promise.all(names.map(async (name) => [name, await readGuide(name)] as const)),
  );
  const groups = GUIDES.map(({ title, names: own }) => ({
    title,
    guides: own.map((name) => ({ name, title: guideOf(guides, name).title })),
  }));
  const urls = await addAssets(files, guides);
  files.set("docs/prose.js", await scriptOf("prose", "esm"));
  files.set("docs/index.html", referencePage(urls));
  for (const [name, { markdown, ...guide }] of guides) {
    files.set(`docs/${name}.md`, markdown);
    files.set(`docs/${name}.html`, guidePage(guide, name, groups, urls));
  }
  await replaceFolder(directory, files);
}

/**
 * Makes a folder hold these files alone. One that has not changed is not touched: two deployments of a
 * checkout may be under way, and each uploads what it finds there.
 */
async function replaceFolder(directory: string, files: Files): Promise<void> {
  for (const [name, content] of files) {
    const path = join(directory, name);
    const before = await readFile(path).catch(() => null);
    if (before?.equals(Buffer.from(content))) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !files.has(relative(directory, path))) await rm(path, { force: true });
  }
}

interface Source extends Guide {
  markdown: string;
}

async function readGuide(name: string): Promise<Source> {
  const markdown = await readFile(join(ROOT, fileOf(name)), "utf8");
  return { markdown, ...renderGuide(markdown) };
}

function guideOf(guides: ReadonlyMap<string, Source>, name: string): Source {
  const guide = guides.get(name);
  if (guide === undefined) throw new Error(`There is no guide ${name}.`);
  return guide;
}

/** Adds what pages load. Returns the address of each file by its name. */
async function addAssets(
  site: Files,
  guides: ReadonlyMap<string, Guide>,
): Promise<Map<string, string>> {
  const files: Files = new Map<string, string | Uint8Array>([
    ["guides.js", await scriptOf("guides", "iife")],
    ["search.json", JSON.stringify(indexOf(guides))],
    ["base.css", await layerOf("base", "src/dashboard/styles/base.css")],
    ["swagger-ui.css", await layerOf("viewer", "node_modules/swagger-ui-dist/swagger-ui.css")],
  ]);
  for (const path of COPIED) files.set(parse(path).base, await readFile(join(ROOT, path)));
  const urls = new Map<string, string>();
  for (const [name, content] of files) {
    const hash = createHash("sha256").update(content).digest("hex").slice(0, 12);
    const { name: stem, ext } = parse(name);
    const file = `${stem}.${hash}${ext}`;
    site.set(`docs/assets/${file}`, content);
    urls.set(name, `/docs/assets/${file}`);
  }
  return urls;
}

/**
 * Returns a style sheet as a layer, which every rule of the pages overrides; of two layers, the later one
 * counts.
 */
async function layerOf(name: string, path: string): Promise<string> {
  return `@layer ${name} {\n${await readFile(join(ROOT, path), "utf8")}\n}\n`;
}

/** Returns a script for browsers with its library. */
async function scriptOf(name: string, format: "esm" | "iife"): Promise<Uint8Array> {
  // Loaded at its first use, as in the build of the Worker.
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [`scripts/site/browser/${name}.js`],
    bundle: true,
    define: { SEARCH_OPTIONS: JSON.stringify(SEARCH_OPTIONS) },
    minify: true,
    write: false,
    format,
    target: "es2022",
  });
  const [script] = outputFiles;
  if (script === undefined) throw new Error("esbuild returned no script.");
  return script.contents;
}

/** Returns the index of all sections, which browsers load. */
function indexOf(guides: ReadonlyMap<string, Guide>): MiniSearch {
  const index = new MiniSearch(SEARCH_OPTIONS);
  for (const [name, { title, sections }] of guides) {
    if (UNSEARCHED.includes(name)) continue;
    for (const { id, heading, text } of sections) {
      index.add({ url: `/docs/${name}${id === "" ? "" : `#${id}`}`, title, heading, text });
    }
  }
  return index;
}

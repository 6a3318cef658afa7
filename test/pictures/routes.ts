import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import * as z from "zod";
import { bundleOptions } from "../../scripts/local/build.ts";
import { ROOT } from "../../scripts/local/project.ts";

/** Ends of routes that answer with a stream, a table of text, a download or a part of a page. */
const NO_PAGE = /\/(?:live|live-callbacks|csv|body|preview|result|:outputId)$|\/assets\/|\*$/;

const bundled = z.object({
  routes: z.array(z.object({ method: z.string(), path: z.string() })),
});

/** Returns the patterns of the addresses at which the dashboard, and the links that it sends out, have pages. */
export async function pageRoutes(): Promise<string[]> {
  const folder = join(ROOT, "node_modules/.cache/prompthook-pictures");
  await mkdir(folder, { recursive: true });
  const entry = join(folder, "entry.ts");
  await writeFile(entry, ENTRY);
  const options = bundleOptions(entry, folder);
  await build({
    ...options,
    external: ["node:*"],
    alias: {
      ...options.alias,
      "cloudflare:workers": join(ROOT, "test/support/without-runtime.ts"),
    },
    // No page is rendered here, so no tool runs.
    loader: { ...options.loader, ".wasm": "empty" },
  });
  const module: unknown = await import(pathToFileURL(join(folder, "index.js")).href);
  const { routes } = bundled.parse(module);
  const pages = routes.flatMap(({ method, path }) =>
    method === "GET" && path !== "/" && !NO_PAGE.test(path) ? path : [],
  );
  return [...new Set(pages)].sort();
}

const ENTRY = `
import { Hono } from "hono";
import { mountDashboard } from ${JSON.stringify(join(ROOT, "src/dashboard/mount.tsx"))};
const app = new Hono();
mountDashboard(app);
export const { routes } = app;
`;

/** Returns the routes of which none of these addresses is; `/new` is a page of `/new`, not of `/:id`. */
export function routesWithout(routes: readonly string[], paths: readonly string[]): string[] {
  const parameters = (route: string) => route.split(":").length;
  const found = paths.map((path) =>
    routes
      .filter((route) => patternOf(route).test(path))
      .sort((a, b) => parameters(a) - parameters(b))
      .at(0),
  );
  return routes.filter((route) => !found.includes(route));
}

/** An address of this route, with any query. */
function patternOf(route: string): RegExp {
  const path = route.replaceAll(/\/:\w+\?/g, "(?:/[^/?]+)?").replaceAll(/:\w+/g, "[^/?]+");
  return new RegExp(`^${path}(?:\\?|$)`);
}

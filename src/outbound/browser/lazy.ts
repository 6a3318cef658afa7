import type { BrowserWorker } from "@cloudflare/puppeteer";
import type { Renderer } from "../../agent/tools/browse/renderer.ts";

/** The browser behind a binding; the library that drives it is loaded when a page first needs it. */
export function lazyRenderer(binding: BrowserWorker): Renderer {
  return {
    async render(request) {
      const { createRenderer } = await import("./renderer.ts");
      return createRenderer(binding).render(request);
    },
  };
}

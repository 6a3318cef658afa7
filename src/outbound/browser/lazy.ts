import type { BrowserWorker } from "@cloudflare/puppeteer";
import type { Renderer } from "../../agent/ports/browser.ts";
import { Slots } from "./slots.ts";

/** What a page brings goes through this isolate, which has 128 MB for all that it does. */
const VISITS_AT_ONCE = 2;

/** The browser behind a binding; the library that drives it is loaded when a page first needs it. */
export function lazyRenderer(binding: BrowserWorker): Renderer {
  const slots = new Slots(VISITS_AT_ONCE);
  return {
    render: (request) =>
      slots.run(async () => {
        const { createRenderer } = await import("./renderer.ts");
        return createRenderer(binding).render(request);
      }),
  };
}

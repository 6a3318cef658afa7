import type { RenderResult } from "../../../src/agent/ports/browser.ts";
import { type BrowseAction, browseAction } from "../../../src/contract/tools/browse.ts";
import { BROWSER_LIMITS, type BrowserLimits } from "../../../src/outbound/browser/limits.ts";
import { createRenderer } from "../../../src/outbound/browser/renderer.ts";
import { createGuardedFetch } from "../../../src/outbound/guarded-fetch.ts";
import type { TestBinding } from "./binding.ts";

export interface RenderOptions {
  actions?: BrowseAction[];
  ownHosts?: string[];
  limits?: Partial<BrowserLimits>;
  signal?: AbortSignal;
}

/** Renders a page with the real guarded fetch, which may reach loopback. */
export function render(
  binding: TestBinding,
  url: string,
  { actions = [], ownHosts = [], limits = {}, signal }: RenderOptions = {},
): Promise<RenderResult> {
  return createRenderer(binding, "acc_1", { ...BROWSER_LIMITS, ...limits }).render({
    url,
    actions,
    fetch: createGuardedFetch({
      policy: { allowLoopback: true, ownHosts, schemes: ["http", "https"] },
      dnsOverHttpsUrl: null,
    }),
    signal: signal ?? new AbortController().signal,
  });
}

export const click = (target: string) => browseAction.parse({ do: "click", target });
export const wait = (target: string) => browseAction.parse({ do: "wait", target });

/** The rendering that succeeded. Throws with the reason of one that did not. */
export function succeeded(rendering: RenderResult): Extract<RenderResult, { ok: true }> {
  if (rendering.ok) return rendering;
  throw new Error(`${rendering.code}: ${rendering.message}`);
}

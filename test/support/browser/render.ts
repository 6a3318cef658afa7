import { BROWSER_LIMITS, type BrowserLimits } from "../../../src/outbound/browser/limits.ts";
import { createRenderer } from "../../../src/outbound/browser/renderer.ts";
import { createGuardedFetch } from "../../../src/outbound/guarded-fetch.ts";
import type { RenderResult } from "../../../src/ports/browser.ts";
import type { TestBinding } from "./binding.ts";

export interface RenderOptions {
  ownHosts?: string[];
  limits?: Partial<BrowserLimits>;
  signal?: AbortSignal;
  accountId?: string;
  allowedHosts?: string[];
}

/** Renders a page with the real guarded fetch, which may reach loopback. */
export function render(
  binding: TestBinding,
  url: string,
  options: RenderOptions = {},
): Promise<RenderResult> {
  const { ownHosts = [], limits = {}, signal } = options;
  const { accountId = "acc_1", allowedHosts = null } = options;
  return createRenderer(
    binding,
    { accountId, allowedHosts },
    { ...BROWSER_LIMITS, ...limits },
  ).render({
    url,
    fetch: createGuardedFetch({
      policy: { allowLoopback: true, ownHosts, schemes: ["http", "https"] },
      dnsOverHttpsUrl: null,
    }),
    signal: signal ?? new AbortController().signal,
  });
}

/** The rendering that succeeded. Throws with the reason of one that did not. */
export function succeeded(rendering: RenderResult): Extract<RenderResult, { ok: true }> {
  if (rendering.ok) return rendering;
  throw new Error(`${rendering.code}: ${rendering.message}`);
}

import type { RenderedPage } from "../../../src/agent/tools/browse.ts";
import { BROWSER_LIMITS, type BrowserLimits } from "../../../src/outbound/browser/guard.ts";
import { createRenderer } from "../../../src/outbound/browser/renderer.ts";
import { createGuardedFetch } from "../../../src/outbound/guarded-fetch.ts";
import { OutboundError } from "../../../src/ports/fetch.ts";
import type { TestBinding } from "./binding.ts";

export interface RenderOptions {
  ownHosts?: string[];
  limits?: Partial<BrowserLimits>;
  signal?: AbortSignal;
  allowedHosts?: string[];
}

/** What came of a visit. */
type RenderResult = ({ ok: true } & RenderedPage) | { ok: false; code: string; message: string };

/** Renders a page with the real guarded fetch, which may reach loopback. */
export async function render(
  binding: TestBinding,
  url: string,
  options: RenderOptions = {},
): Promise<RenderResult> {
  const { ownHosts = [], limits = {}, signal, allowedHosts = null } = options;
  const renderer = createRenderer(
    binding,
    { accountId: "acc_1", allowedHosts },
    { ...BROWSER_LIMITS, ...limits },
  );
  const fetch = createGuardedFetch({
    policy: { allowLoopback: true, ownHosts, schemes: ["http", "https"] },
    dnsOverHttpsUrl: null,
  });
  try {
    const request = { url, fetch, signal: signal ?? new AbortController().signal };
    return { ok: true, ...(await renderer.render(request)) };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const { code, message } = error;
    return { ok: false, code, message };
  }
}

/** The rendering that succeeded. Throws with the reason of one that did not. */
export function succeeded(rendering: RenderResult): Extract<RenderResult, { ok: true }> {
  if (rendering.ok) return rendering;
  throw new Error(`${rendering.code}: ${rendering.message}`);
}

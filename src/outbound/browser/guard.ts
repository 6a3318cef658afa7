import type { CDPSession } from "@cloudflare/puppeteer";
import { Semaphore } from "../../lib/async.ts";
import { binarySize } from "../../lib/text.ts";
import { type GuardedFetch, OutboundError, type OutboundResponse } from "../../ports/fetch.ts";
import {
  fulfilment,
  type PausedRequest,
  pausedRequest,
  sentBody,
  sentHeaders,
} from "./exchange.ts";

const MIB = 1024 * 1024;

/** The limits of one visit, in milliseconds and bytes. */
export const BROWSER_LIMITS = {
  /** Visits of an isolate at once; an account has half of them at most. */
  parallelVisits: 2,
  /** How long a visit waits for one of them, and for a browser where all are in use. */
  queueMs: 30_000,
  /** The whole visit, with the start of the browser; less than the time of one tool call. */
  visitMs: 60_000,
  /** Until the page's load event; a page that still loads then is read as it is. */
  loadMs: 25_000,
  /** Until the network is idle, after the load. */
  restMs: 8_000,
  /** How long the network must be quiet to count as idle. */
  quietMs: 500,
  /** One request of the page. */
  requestMs: 20_000,
  requests: 200,
  /** Requests in progress at once; each holds its whole response in memory, about four times. */
  parallelRequests: 3,
  responseBytes: 3 * MIB,
  totalBytes: 30 * MIB,
  /** The most characters of the rendered document. */
  html: 2 * MIB,
};

export type BrowserLimits = typeof BROWSER_LIMITS;

/** The newest document of the page itself, or why it failed. */
export type MainDocument =
  | { ok: true; url: string; status: number }
  | { ok: false; error: OutboundError };

/** Resource types that reading a page does not need, or that never end. */
const SKIPPED = new Set(["Media", "Ping", "EventSource", "CSPViolationReport"]);

/** Resource types that a page takes its content from. */
const CONTENT = new Set(["Document", "Script", "XHR", "Fetch"]);

const RENDERED = /^(text\/html|application\/xhtml\+xml)\s*(;|$)/i;

/** Targets that hold documents, which the guard must see before they start. */
const WITH_DOCUMENTS = new Set(["page", "iframe"]);

/**
 * Runs in every document before its own scripts. Removes the constructors of WebRTC, the one way out
 * that no proxy covers. Opens a link or form for another window in this one, since there is no other.
 */
const BEFORE_SCRIPTS = `
for (const name of Object.getOwnPropertyNames(globalThis)) {
  if (/^(webkit)?RTC/.test(name)) delete globalThis[name];
}
const stay = (event) => {
  for (const node of [...event.composedPath(), event.submitter]) {
    if (node instanceof Element && node.hasAttribute("target")) node.setAttribute("target", "_self");
    if (node instanceof Element && node.hasAttribute("formtarget")) node.removeAttribute("formtarget");
  }
};
addEventListener("click", stay, true);
addEventListener("submit", stay, true);
`;

export interface GuardOptions {
  fetch: GuardedFetch;
  limits: BrowserLimits;
  signal: AbortSignal;
  /** The page's own frame; the visit is about its documents. */
  mainFrameId: string;
}

/**
 * Stands between a browser and the network: holds each request back and answers it through the guarded
 * fetch, one hop at a time, so that every redirect passes here again. The browser's own way out is a
 * dead end (see `open.ts`): requests that are not held back, such as WebSockets, fail.
 */
export class RequestGuard {
  /** The newest document of the page itself; null before the first. */
  main: MainDocument | null = null;
  /** Whether any document of the page itself has loaded. */
  opened = false;
  readonly notes = new Notes();
  /** Where a response that the page is made of was cut, or left out for its size; null if none was. */
  cutAt: string | null = null;
  readonly #options: GuardOptions;
  readonly #semaphore: Semaphore;
  #requests = 0;
  #bytes = 0;

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#semaphore = new Semaphore(options.limits.parallelRequests);
  }

  /** Guards a target, and its frames and workers before they start. */
  async attach(session: CDPSession, kind: string): Promise<void> {
    session.on("Fetch.requestPaused", (event) => {
      const paused = pausedRequest.parse(event);
      void this.#semaphore
        .run(() => this.#answer(session, paused))
        .catch(() => {
          // The target is gone or the visit has ended: nobody waits for the response.
        });
    });
    session.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
      const child = session.connection()?.session(sessionId);
      // A target that cannot be guarded never starts.
      if (child) this.attach(child, targetInfo.type).catch(() => {});
    });
    const hasDocuments = WITH_DOCUMENTS.has(kind);
    if (hasDocuments) {
      await session.send("Page.enable");
      await session.send("Page.addScriptToEvaluateOnNewDocument", {
        source: BEFORE_SCRIPTS,
        runImmediately: true,
      });
    }
    await session.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] }).catch((error) => {
      // A page's workers lack this domain: the page's session holds their requests back.
      if (hasDocuments) throw error;
    });
    await session.send("Target.setAutoAttach", {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
    });
    await session.send("Runtime.runIfWaitingForDebugger");
  }

  async #answer(session: CDPSession, paused: PausedRequest): Promise<void> {
    const { requestId } = paused;
    const isMain =
      paused.resourceType === "Document" && paused.frameId === this.#options.mainFrameId;
    try {
      const response = await this.#fetch(paused);
      if (isMain) this.#recordMain(response);
      await session.send("Fetch.fulfillRequest", {
        requestId,
        ...fulfilment(response, { isDocument: paused.resourceType === "Document" }),
      });
    } catch (error) {
      if (isMain && error instanceof OutboundError) this.main = { ok: false, error };
      // An aborted navigation leaves the page unchanged; any other error replaces it.
      const errorReason = isMain ? "Aborted" : "BlockedByClient";
      await session.send("Fetch.failRequest", { requestId, errorReason });
    }
  }

  /** Records the page's document. Throws an `OutboundError` if it is not a page. */
  #recordMain({ url, status, headers, cut }: OutboundResponse): void {
    if (headers.has("location") && status >= 300 && status < 400) return;
    const type = headers.get("content-type") ?? "text/html";
    const isFile = /^\s*attachment/i.test(headers.get("content-disposition") ?? "");
    if (isFile || !RENDERED.test(type)) {
      const what = isFile ? "a file to download" : (type.split(";", 1)[0] ?? type);
      const message = `${url} is ${what}, not a page; open it with render "never".`;
      this.notes.add(message);
      throw new OutboundError("unsupported_media_type", message);
    }
    this.cutAt = cut ? binarySize(this.#options.limits.responseBytes) : null;
    if (cut) this.notes.add(`${url} exceeds the size limit and is cut.`);
    this.main = { ok: true, url, status };
    this.opened = true;
  }

  async #fetch(paused: PausedRequest): Promise<OutboundResponse> {
    const { request, resourceType } = paused;
    const { limits, signal, fetch } = this.#options;
    const accept = request.headers.Accept ?? request.headers.accept;
    if (SKIPPED.has(resourceType) || accept === "text/event-stream") throw new Error("skipped");
    const body = sentBody(request);
    if (body === null) this.#refuse(request.url, "its body is not text");
    if (this.#requests >= limits.requests) {
      const reason = `the page made more than ${limits.requests} requests`;
      this.#leaveOut(paused, reason, `${limits.requests} requests`);
    }
    this.#requests += 1;
    const maxBytes = Math.min(limits.responseBytes, limits.totalBytes - this.#bytes);
    if (maxBytes <= 0) {
      this.#leaveOut(paused, "the page exceeded its size limit", binarySize(limits.totalBytes));
    }
    let response: OutboundResponse;
    try {
      response = await fetch({
        method: request.method,
        url: request.url,
        headers: sentHeaders(request.headers),
        ...(typeof body === "string" ? { body } : {}),
        maxBytes,
        timeoutMs: limits.requestMs,
        signal,
      });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      this.notes.refused(request.url, error.message);
      throw error;
    }
    this.#bytes += response.bytes.byteLength;
    if (response.cut && resourceType !== "Document") {
      this.#leaveOut(paused, "it is too large", binarySize(limits.responseBytes));
    }
    return response;
  }

  /** Refuses a request beyond a limit. Without it, a part of the page's content may be missing. */
  #leaveOut({ request, resourceType }: PausedRequest, reason: string, limit: string): never {
    if (CONTENT.has(resourceType)) this.cutAt ??= limit;
    this.#refuse(request.url, reason);
  }

  #refuse(url: string, reason: string): never {
    this.notes.refused(url, reason);
    throw new OutboundError("network", `${url} was not loaded: ${reason}.`);
  }
}

const MAX_NOTES = 10;

/** Collects a few notes on failures during a visit, one for each host and reason, to show with the page. */
class Notes {
  readonly #notes = new Set<string>();

  add(note: string): void {
    if (this.#notes.size < MAX_NOTES) this.#notes.add(note);
  }

  /** Adds a note on a failed request of the page, without its path, which can hold a secret. */
  refused(address: string, reason: string): void {
    const host = URL.parse(address)?.host ?? "";
    this.add(`A request of the page to ${host || "another scheme"} failed: ${reason}`);
  }

  all(): string[] {
    return [...this.#notes];
  }
}

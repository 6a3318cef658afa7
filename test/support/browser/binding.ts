import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserWorker } from "@cloudflare/puppeteer";
import { chromiumProgram } from "../../../scripts/local/chromium.ts";

/** A browser binding for code that runs in Node, with a real Chromium behind each session. */
export interface TestBinding extends BrowserWorker {
  /** How many browsers have been started. */
  readonly started: number;
  /** How many are running. */
  readonly running: number;
  /** Ends the browsers that rest, and resolves when no browser is running any more. */
  allEnded(): Promise<void>;
  /** Ends all browsers at once, as a crash would. */
  kill(): void;
}

interface Session {
  endpoint: string;
  child: ChildProcess;
  /** Resolves when nobody is connected. */
  disconnected(): Promise<void>;
}

const ENDPOINT = /DevTools listening on (ws:\S+)/;

/** Speaks what the real binding speaks: a session is started by POST, and taken by an upgrade. */
export function testBinding(): TestBinding {
  const running = new Set<ChildProcess>();
  const sessions: Session[] = [];
  let started = 0;

  async function start(): Promise<Session> {
    const profile = await mkdtemp(join(tmpdir(), "prompthook-profile-"));
    // A full Chrome gives the frames of other sites processes, and so targets, of their own.
    const isolation = "--site-per-process";
    const flags = [`--user-data-dir=${profile}`, "--remote-debugging-port=0", isolation];
    const child = spawn(await chromiumProgram(), ["--headless=new", "--mute-audio", ...flags], {
      stdio: ["ignore", "ignore", "pipe"],
      detached: true,
    });
    started += 1;
    running.add(child);
    void once(child, "exit").then(async () => {
      running.delete(child);
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    });
    let output = "";
    for await (const chunk of child.stderr
      .setEncoding("utf8")
      .iterator({ destroyOnReturn: false })) {
      output += chunk;
      const endpoint = ENDPOINT.exec(output)?.[1];
      if (endpoint === undefined) continue;
      child.stderr.resume();
      return { endpoint, child, disconnected: async () => {} };
    }
    throw new Error(`the browser did not start: ${output}`);
  }

  async function answer(request: Request): Promise<Response> {
    if (request.method === "POST") {
      sessions.push(await start());
      return Response.json({ sessionId: String(sessions.length - 1) });
    }
    const session = sessions[Number(new URL(request.url).pathname.split("/").at(-1))];
    if (session === undefined || !running.has(session.child)) {
      return new Response("gone", { status: 404 });
    }
    const socket = new WebSocket(session.endpoint);
    await once(socket, "open");
    const closed = once(socket, "close");
    session.disconnected = async () => {
      await closed;
    };
    const response = new Response(null);
    return Object.defineProperty(response, "webSocket", {
      value: Object.assign(socket, { accept: () => {} }),
    });
  }

  return {
    get started() {
      return started;
    },
    fetch: (input, init) => answer(new Request(input, init)),
    get running() {
      return running.size;
    },
    allEnded: async () => {
      const rest = sessions.filter(({ child }) => running.has(child));
      await Promise.all(
        rest.map(async ({ child, disconnected }) => {
          const exited = once(child, "exit");
          await Promise.race([disconnected(), exited]);
          if (running.has(child)) end(child);
          await exited;
        }),
      );
    },
    kill: () => {
      for (const child of running) end(child);
    },
  };
}

function end({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, "SIGKILL");
}

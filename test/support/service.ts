import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalService, startService } from "../../scripts/local/service.ts";

/** The real service, started as `npm start` starts it, on state and a port of its own. */
export interface TestService {
  url: string;
  adminToken: string;
  /** Ends all its processes at once, as a crash of the machine would. */
  kill9(): Promise<void>;
  /** Starts it again, on the same port and the same state. */
  restart(): Promise<void>;
  /** Ends it and removes its state. */
  close(): Promise<void>;
}

/** Starts the service with these variables and no others, and with a real browser where one is asked for. */
export async function startTestService(
  variables: Record<string, string> = {},
  { browser }: { browser: boolean } = { browser: false },
): Promise<TestService> {
  const stateDir = await mkdtemp(join(tmpdir(), "prompthook-test-"));
  const start = (port: number): Promise<LocalService> =>
    startService({ port, stateDir, fresh: false, browser, environment: variables });
  let running = await start(0);
  const { url } = running.server;
  return {
    url,
    adminToken: running.adminToken,
    kill9: () => running.server.kill(),
    restart: async () => {
      running = await start(Number(new URL(url).port));
    },
    close: async () => {
      await running.server.kill();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

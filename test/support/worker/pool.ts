import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";

declare const __vitest_mocker__: { moduleRunner: { import(path: string): Promise<unknown> } };

/**
 * The pool asks Vite for the Worker's module with each request, which costs a round trip and fails for
 * what objects still do when their test file has ended. It is asked once.
 */
function importWorkerOnce(): void {
  const { moduleRunner } = __vitest_mocker__;
  const load = moduleRunner.import.bind(moduleRunner);
  const loaded = new Map<string, unknown>();
  moduleRunner.import = async (path) => {
    if (!path.endsWith("/index.mjs")) return load(path);
    if (!loaded.has(path)) loaded.set(path, await load(path));
    return loaded.get(path);
  };
}

// All files share one module of this, and the databases.
importWorkerOnce();
for (const database of [env.DB, env.SPARE]) await applyD1Migrations(database, env.TEST_MIGRATIONS);

import { type Client, createAccount } from "../client.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { startTestRuntime, type TestRuntime } from "../runtime.ts";
import { type BuiltCli, buildCli } from "./built.ts";

/** A service, a server of models, and the program that asks it. */
export interface CliService {
  runtime: TestRuntime;
  model: ModelServer;
  cli: BuiltCli;
  account(settings?: { credits?: number }): Promise<Client>;
  close(): Promise<void>;
}

/** Starts all of them. */
export async function startCliService(): Promise<CliService> {
  const model = await startModelServer({ record: false });
  const runtime = await startTestRuntime({
    variables: { OPENAI_BASE_URL: model.baseUrl },
  });
  const cli = await buildCli(runtime.url);
  return {
    runtime,
    model,
    cli,
    account: (settings) => createAccount(runtime, settings),
    async close() {
      await cli.close();
      await runtime.close();
      await model.close();
    },
  };
}

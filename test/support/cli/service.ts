import { inject } from "vitest";
import { type Client, createAccount } from "../client.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { type BuiltCli, buildCli } from "./built.ts";

/** The service of all test files, its server of models, and the program that asks it. */
export interface CliService {
  url: string;
  model: ModelServer;
  cli: BuiltCli;
  account(settings?: { credits?: number }): Promise<Client>;
  close(): Promise<void>;
}

/** Starts the server of models, and builds the program. */
export async function startCliService(): Promise<CliService> {
  const service = inject("service");
  const model = await startModelServer({ record: false, port: service.modelPort });
  const cli = await buildCli(service.url);
  return {
    url: service.url,
    model,
    cli,
    account: (settings) => createAccount(service, settings),
    async close() {
      await cli.close();
      await model.close();
    },
  };
}

import { onTestFinished } from "vitest";
import { startServer } from "./server.ts";

/** Starts a server until the test ends that runs; returns its origin. */
export async function serverOfTest(handler: Parameters<typeof startServer>[0]): Promise<string> {
  const { origin, close } = await startServer(handler);
  onTestFinished(close);
  return origin;
}

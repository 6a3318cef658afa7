import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { app } from "../../../src/app.ts";
import { requestTo, type Send } from "./client.ts";

/** Sends a request to a service with other variables or bindings than the rest of the tests have. */
export async function sendWith(bindings: object, path: string, request: Send = {}) {
  const context = createExecutionContext();
  const response = await app.fetch(requestTo(path, request), { ...env, ...bindings }, context);
  await waitOnExecutionContext(context);
  return response;
}

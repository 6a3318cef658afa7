import type { Prompthook } from "../client/prompthook.ts";
import { UsageError } from "./exit.ts";

const ENDPOINT_ID = /^ep_[0-9a-f]{40}$/;

/** The id of the endpoint that somebody means, by its id, its name, its path or its address. */
export async function endpointIdOf(
  client: Prompthook,
  meant: string,
  signal: AbortSignal,
): Promise<string> {
  if (ENDPOINT_ID.test(meant)) return meant;
  const found: string[] = [];
  for await (const { endpointId, name, path, url } of client.webhooks.all({ signal })) {
    if ([name, path, url].includes(meant)) found.push(endpointId);
  }
  const [endpointId, ...others] = found;
  if (endpointId === undefined) {
    throw new UsageError(`There is no endpoint "${meant}". prompthook endpoints lists them.`);
  }
  if (others.length > 0) {
    throw new UsageError(`"${meant}" is the name of several endpoints: ${found.join(", ")}.`);
  }
  return endpointId;
}

import { exports } from "cloudflare:workers";
import { connectTo, type Era } from "../mcp/connect.ts";
import { ORIGIN } from "./client.ts";

/** The official client, connected to the Worker with this key, until the test ends. */
export function connectMcp(apiKey: string, era: Era = "current") {
  const fetch = (url: string | URL, init?: RequestInit) =>
    exports.default.fetch(new Request(url, init));
  return connectTo({ url: ORIGIN, apiKey, era, fetch });
}

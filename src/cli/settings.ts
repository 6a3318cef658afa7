import { UsageError } from "./exit.ts";
import type { Given } from "./options.ts";

/** Where the service is and who asks it: an option wins over the environment. */
export function settingsOf(
  given: Given,
  env: Record<string, string | undefined>,
): { baseUrl: string; apiKey: string } {
  const baseUrl = given.text("url") ?? env.PROMPTHOOK_URL ?? "";
  const apiKey = given.text("api-key") ?? env.PROMPTHOOK_API_KEY ?? "";
  if (baseUrl === "") {
    throw new UsageError("Where is the service? Set PROMPTHOOK_URL, or give --url.");
  }
  if (apiKey === "") {
    throw new UsageError("Who are you? Set PROMPTHOOK_API_KEY, or give --api-key.");
  }
  // Anything else cannot stand in a header.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new UsageError("This is not an API key.");
  return { baseUrl, apiKey };
}

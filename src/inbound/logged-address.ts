import type { ReceivedRequest } from "../contract/inbound/inbox.ts";

/** The address of a logged request as far as its payload lies in it. The log has no host. */
export function loggedAddress({ query }: Pick<ReceivedRequest, "query">): URL {
  const url = new URL("https://logged.invalid/");
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) url.searchParams.append(name, each);
  }
  return url;
}

/** Where the endpoints' pages are. */
export const WEBHOOKS = "/dashboard/webhooks";

/** Where an endpoint's pages are; `rest` begins with a slash. */
export function endpointPath(endpointId: string, rest = ""): string {
  return `${WEBHOOKS}/${encodeURIComponent(endpointId)}${rest}`;
}

/** Where an address leads, as it may be shown: without its query, in which keys are passed. */
export function place(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.protocol}//${url.host}${url.pathname}` : "an invalid address";
}

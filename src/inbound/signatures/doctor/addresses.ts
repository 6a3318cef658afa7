/** An address that may have been signed instead of the one that was called. */
export interface OtherAddress {
  url: URL;
  note: string;
}

/** What proxies and settings make different of an address; the port is not, it is never held against. */
export function otherAddresses(url: URL): OtherAddress[] {
  const other = new URL(url);
  const port = url.port === "" ? "" : `:${url.port}`;
  const protocol = url.protocol === "https:" ? "http" : "https";
  const path = url.pathname.endsWith("/") ? url.pathname.replace(/\/+$/, "") : `${url.pathname}/`;
  const candidates: [href: string, note: string][] = [
    [
      `${protocol}://${url.hostname}${port}${url.pathname}${url.search}`,
      `The sender signs the address with ${protocol}://: give it exactly the address that it calls.`,
    ],
    [
      `${url.origin}${path}${url.search}`,
      `The sender signs the address ${path.endsWith("/") ? "with" : "without"} a slash at its end: give it exactly the address that it calls.`,
    ],
    [
      `${url.origin}${url.pathname}`,
      "The sender signs the address without its query: leave the query out of the address that it calls.",
    ],
    [
      `${protocol}://${url.hostname}${port}${path}${url.search}`,
      `The sender signs the address with ${protocol}:// and ${path.endsWith("/") ? "with" : "without"} a slash at its end: give it exactly the address that it calls.`,
    ],
  ];
  return candidates.flatMap(([href, note]) =>
    URL.canParse(href) && href !== other.href ? { url: new URL(href), note } : [],
  );
}

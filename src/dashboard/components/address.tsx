/** An address as a link where it leads to a web page, else as plain text: data names no other schemes. */
export function Address({ url, id }: { url: string; id?: string }) {
  if (!isWebAddress(url)) return <code>{url}</code>;
  return (
    <a href={url} rel="noopener noreferrer" target="_blank" {...(id !== undefined && { id })}>
      {url}
    </a>
  );
}

/** Whether a browser that follows it asks a web server, and runs nothing here. */
export function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

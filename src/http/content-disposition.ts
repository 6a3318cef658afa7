/**
 * Content-Disposition of a download (RFC 6266): the name in ASCII for old clients, and in full in the
 * extended notation of RFC 8187, which the others prefer.
 */
export function attachment(filename: string): string {
  const name = filename.toWellFormed().replace(/[\p{Cc}/\\]/gu, "_");
  const ascii = name.replace(/[^\x20-\x7e]|["%]/g, "_");
  return `attachment; filename="${ascii}"; filename*=UTF-8''${extended(name)}`;
}

/** encodeURIComponent leaves five characters that RFC 8187's attr-char does not allow. */
function extended(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The type of a body without its parameters, in lower case; empty when there is none. */
export function mediaTypeOf(headers: Headers): string {
  const [first = ""] = (headers.get("content-type") ?? "").split(/[;,]/, 1);
  return first.trim().toLowerCase();
}

export function isHtml(mediaType: string): boolean {
  return mediaType === "text/html" || mediaType === "application/xhtml+xml";
}

export function isJson(mediaType: string): boolean {
  return /^(application|text)\/([\w.+-]+\+)?json$/.test(mediaType);
}

const TEXT_APPLICATIONS = new Set([
  "application/csv",
  "application/ecmascript",
  "application/graphql",
  "application/javascript",
  "application/json-seq",
  "application/ndjson",
  "application/sql",
  "application/toml",
  "application/x-javascript",
  "application/x-ndjson",
  "application/x-sh",
  "application/x-www-form-urlencoded",
  "application/x-yaml",
  "application/xml",
  "application/yaml",
]);

/** Whether a body of this type is text that can be read as it is. */
export function isText(mediaType: string): boolean {
  return (
    mediaType.startsWith("text/") ||
    isJson(mediaType) ||
    mediaType.endsWith("+xml") ||
    TEXT_APPLICATIONS.has(mediaType)
  );
}

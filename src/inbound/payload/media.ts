/** How a body is read. */
export type Media = "json" | "form" | "multipart" | "text";

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const TYPE = new RegExp(`^\\s*(${TOKEN}/${TOKEN})\\s*(?:;|$)`);
const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i;
/** US-ASCII is a part of UTF-8. */
const READABLE = /^(?:utf-?8|us-ascii)$/i;

/** How a body of this Content-Type is read; null for one that is not supported. None at all is JSON. */
export function mediaOf(contentType: string | null): Media | null {
  if (contentType === null || contentType.trim() === "") return "json";
  const type = TYPE.exec(contentType)?.[1]?.toLowerCase();
  const [, quoted, plain] = CHARSET.exec(contentType) ?? [];
  if (type === undefined || !READABLE.test(quoted ?? plain ?? "utf-8")) return null;
  if (type === "application/json" || /^application\/.+\+json$/.test(type)) return "json";
  if (type === "application/x-www-form-urlencoded") return "form";
  if (type === "multipart/form-data") return "multipart";
  return type.startsWith("text/") ? "text" : null;
}

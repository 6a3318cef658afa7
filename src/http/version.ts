import { HttpProblem, invalid } from "./problem.ts";

/** An execution's version as an entity tag. */
export function etag(version: number): string {
  return `"${version}"`;
}

/**
 * The version that If-Match asks for, or null when any will do. The comparison of RFC 9110 §13.1.1 is
 * the strong one, so a weak tag can never match and is refused.
 */
export function ifMatch(header: string | undefined): number | null {
  if (header === undefined || header.trim() === "*") return null;
  const version = /^\s*"(\d{1,15})"\s*$/.exec(header)?.[1];
  if (version === undefined) {
    throw invalid("If-Match", "header", 'must be one version in quotes, for instance "7", or *');
  }
  return Number(version);
}

/** Whether If-None-Match names this version (weak comparison, RFC 9110 §13.1.2). */
export function isUnchanged(header: string | undefined, version: number): boolean {
  const tags = (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(etag(version));
}

/** The client acted on a version that is no longer the current one. */
export function versionMismatch(version: number): HttpProblem {
  return new HttpProblem("version_mismatch", `The version is now ${version}.`, {
    headers: { ETag: etag(version) },
  });
}

export const KEYS = "/dashboard/keys";

/** Where a key is rotated or revoked. */
export function keyPath(keyId: string, act: "rotate" | "revoke"): string {
  return `${KEYS}/${encodeURIComponent(keyId)}/${act}`;
}

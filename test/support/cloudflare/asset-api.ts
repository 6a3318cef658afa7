import { randomUUID } from "node:crypto";
import type { Hono } from "hono";
import * as z from "zod";
import type { CloudflareAccount } from "./account.ts";
import { fault, ok } from "./answers.ts";

const session = z.object({
  manifest: z.record(z.string(), z.object({ hash: z.string(), size: z.int() })),
});

/**
 * Takes the static assets of Workers, as
 * https://developers.cloudflare.com/workers/static-assets/direct-upload/ documents: a session names all files,
 * those that the account lacks are uploaded, and the token of the completed session goes with the Worker.
 */
export function serveAssets(api: Hono, { assets }: CloudflareAccount) {
  api.post("/workers/scripts/:name/assets-upload-session", async (http) => {
    const { manifest } = session.parse(await http.req.json());
    const missing = Object.values(manifest).filter(({ hash }) => !assets.files.has(hash));
    const jwt = randomUUID();
    assets.sessions.set(
      jwt,
      new Map(Object.entries(manifest).map(([path, { hash }]) => [path, hash])),
    );
    const hashes = [...new Set(missing.map(({ hash }) => hash))];
    return ok(http, { jwt, buckets: hashes.length === 0 ? [] : [hashes] });
  });
  api.post("/workers/assets/upload", async (http) => {
    const jwt = http.req.header("Authorization")?.replace("Bearer ", "") ?? "";
    const manifest = assets.sessions.get(jwt);
    if (manifest === undefined) return fault(http, 403, 10_000, "Authentication error");
    for (const [hash, part] of await http.req.formData()) {
      if (typeof part === "string") continue;
      assets.files.set(hash, Buffer.from(await part.text(), "base64"));
    }
    const isComplete = [...manifest.values()].every((hash) => assets.files.has(hash));
    return ok(http, isComplete ? { jwt } : {});
  });
}

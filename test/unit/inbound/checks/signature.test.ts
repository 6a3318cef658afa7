import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import type { StoredAuth } from "../../../../src/contract/inbound/endpoint.ts";
import { signature } from "../../../../src/inbound/checks/authentication.ts";
import { presetOf } from "../../../../src/inbound/signatures/presets.ts";
import { authWith, endpointWith, KEPT, requestWith } from "../../../support/hook-request.ts";
import { verdictOf } from "./support.ts";

const SECRET = "a-secret-of-tests";
const HINT = "The preset github fixes these settings";
const { scheme } = presetOf("github");

/** What the log says of a GitHub signature of the body `{}` that was made like this. */
async function diagnosed(preset: "github" | null, sent: string): Promise<string[]> {
  const hmac: StoredAuth["hmac"] = { preset, scheme, secret: KEPT };
  const opened = { hmac: { current: SECRET, previous: null } };
  const endpoint = endpointWith({ auth: authWith({ hmac }) }, opened);
  const request = requestWith({ headers: { "X-Hub-Signature-256": sent } });
  const verdict = await verdictOf(signature, endpoint, request);
  if (verdict.kind !== "refused") throw new Error(`it was ${verdict.kind}`);
  return verdict.diagnosis ?? [];
}

it("tells who uses a preset where a setting could be changed", async () => {
  const base64 = `sha256=${createHmac("sha256", SECRET).update("{}").digest("base64")}`;
  expect((await diagnosed("github", base64)).join(" ")).toContain(HINT);
  expect((await diagnosed(null, base64)).join(" ")).not.toContain(HINT);
});

it("says nothing of settings where the secret is another", async () => {
  const other = `sha256=${createHmac("sha256", "other").update("{}").digest("hex")}`;
  expect((await diagnosed("github", other)).join(" ")).not.toContain(HINT);
});

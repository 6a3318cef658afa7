import type { StoredAuth } from "../../src/contract/webhooks/endpoint.ts";
import type { SenderName } from "../../src/contract/webhooks/signature.ts";
import { presetNamed } from "../../src/intake/signatures/presets.ts";
import { authWith, KEPT } from "./hook-request.ts";

interface KeySettings {
  publicKey?: string | undefined;
  audience?: string | undefined;
}

/** The authentication that a preset stands for, as it is stored; Meta's with its verify token. */
export function authOfPreset(name: SenderName | null, settings: KeySettings = {}): StoredAuth {
  if (name === null) return authWith({});
  const named = presetNamed(name);
  switch (named.method) {
    case "hmac": {
      const { preset, sender } = named;
      const token = preset === "meta" ? { header: null, secret: KEPT } : null;
      return authWith({ token, hmac: { preset, scheme: sender.scheme, secret: KEPT } });
    }
    case "signature": {
      const { publicKey = null, audience = null } = settings;
      const { preset, sender } = named;
      const { scheme } = sender;
      return authWith({ signature: { preset, scheme, publicKey, audience, secret: null } });
    }
    case "token": {
      const { token } = named.sender;
      const place =
        token.in === "header"
          ? { header: token.name }
          : { header: null, in: token.in, ...("name" in token && { name: token.name }) };
      return authWith({ token: { preset: named.preset, ...place, secret: KEPT } });
    }
  }
}

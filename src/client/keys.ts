import * as z from "zod";
import {
  apiKeyCreated,
  apiKeyRecord,
  type createKeyBody,
  type rotateKeyBody,
} from "../contract/account.ts";
import type { Transport } from "./transport.ts";
import type { Paging } from "./workflows.ts";

const page = z.object({ keys: z.array(apiKeyRecord), nextCursor: z.string().nullable() });

/** The account's API keys. The text of a key is in the answer that made it, and nowhere else. */
export class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: z.input<typeof createKeyBody>) {
    return this.#transport.json({ method: "POST", path: "/keys", body }, apiKeyCreated);
  }

  list(query: Paging = {}) {
    return this.#transport.json({ method: "GET", path: "/keys", query: { ...query } }, page);
  }

  revoke(keyId: string) {
    return this.#transport.none({ method: "DELETE", path: at(keyId) });
  }

  rotate(keyId: string, body: z.input<typeof rotateKeyBody> = {}) {
    const path = `${at(keyId)}/rotate`;
    return this.#transport.json({ method: "POST", path, body }, apiKeyCreated);
  }
}

function at(keyId: string): string {
  return `/keys/${encodeURIComponent(keyId)}`;
}

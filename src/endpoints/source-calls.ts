import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type { InboxApi } from "../contract/webhooks/inbox.ts";
import type { StoredSource } from "../contract/webhooks/source.ts";
import { signatureHeaders } from "../deliveries/signature.ts";
import { accountStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { acceptWebhook } from "../intake/accept.ts";
import { plainBody } from "../intake/payload/body.ts";
import { openEndpoint } from "../intake/secrets.ts";
import type { Endpoint } from "../intake/types.ts";
import { serviceFetch } from "../outbound/guarded-fetch.ts";
import { createServerDirectory } from "../outbound/mcp/directory.ts";
import { senderPort } from "../outbound/sender-port.ts";
import { type PolledEvent, SourceFault, type SourceFollower } from "./source.ts";

type Parts = ConstructorParameters<typeof SourceFollower>[0];

/** What following a source needs of its inbox. */
export interface SourceContext {
  env(): CloudflareEnv;
  inbox: Pick<InboxApi, "acceptBatch" | "configure">;
}

/** Returns the calls by which an endpoint follows its source. */
export function sourceCalls(
  config: () => EndpointConfig,
  { env, inbox }: SourceContext,
): Pick<Parts, "ask" | "address" | "secret" | "deliver"> {
  const settings = () => settingsOf(env());
  const opened = () => openEndpoint(config(), settings());

  return {
    async ask(source, method, params) {
      // The look-up and the request have deadlines of their own.
      const { signal } = new AbortController();
      const { accountId } = config();
      const keys = settings().ENCRYPTION_KEY;
      const directory = createServerDirectory(() => accountStub(env(), accountId), accountId, keys);
      const server = await directory(source.mcpServerId, signal);
      if (server.kind === "removed") throw new SourceFault("The MCP server was removed.", true);
      if (server.kind === "unavailable") throw new SourceFault(server.message);
      const hosts = [new URL(source.origin).host];
      const fetch = serviceFetch(settings(), hosts, { schemes: ["http", "https"] });
      const { mcpClient } = await import("../outbound/mcp/client.ts");
      const { url, headers } = server;
      const answer = await mcpClient.request({ url, headers, fetch, signal }, { method, params });
      if (!answer.ok) throw new SourceFault(answer.failure.message);
      return answer.result;
    },
    address: (source) => addressOf(source, config()),
    secret: async () => secretOf(await opened()),
    /** A polled event takes the walk of one that its server delivers. */
    async deliver(source, event, cursor) {
      const endpoint = await opened();
      const secret = secretOf(endpoint);
      const request = await requestOf({ source, event, cursor, secret, config: config() });
      const options = { minTlsVersion: settings().MIN_TLS_VERSION, sender: senderPort(settings()) };
      const taken = await acceptWebhook(endpoint, request, crypto.randomUUID(), options, {
        store: (arrivals) => inbox.acceptBatch(arrivals),
        configure: (newer) => inbox.configure(newer),
        open: (newer) => openEndpoint(newer, settings()),
        newRequestId: () => crypto.randomUUID(),
      });
      if (taken.kind !== "decided") return "The endpoint takes no requests now.";
      const { receipt } = taken.first;
      return receipt.kind === "rate_limited" || receipt.kind === "full"
        ? "The endpoint has too many requests now."
        : null;
    },
  };
}

function secretOf({ hmac }: Endpoint): string {
  if (hmac === null) throw new Error("An endpoint with a source has a secret.");
  return hmac.current;
}

const addressOf = ({ origin }: StoredSource, { endpointId }: EndpointConfig): string =>
  `${origin}/hooks/${endpointId}`;

interface PolledDelivery {
  source: StoredSource;
  event: PolledEvent;
  cursor: string;
  secret: string;
  config: EndpointConfig;
}

/** Returns the webhook by which a server would deliver a polled event. */
async function requestOf({ source, event, cursor, secret, config }: PolledDelivery) {
  const { eventId: webhookId, timestamp: at, data } = event;
  const receivedAt = Date.now();
  const name = source.event;
  const body = JSON.stringify({ eventId: webhookId, name, timestamp: at, data, cursor });
  const timestamp = Math.floor(receivedAt / 1_000);
  const signed = await signatureHeaders({ webhookId, timestamp, body, secret });
  return {
    method: "POST",
    url: new URL(addressOf(source, config)),
    headers: new Headers({ "content-type": "application/json", ...signed }),
    body: plainBody(new TextEncoder().encode(body)),
    sourceIp: null,
    tlsVersion: null,
    receivedAt,
  };
}

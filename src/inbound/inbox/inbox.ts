import { DurableObject } from "cloudflare:workers";

/** The object of one endpoint. */
export class EndpointInbox extends DurableObject<CloudflareEnv> {}

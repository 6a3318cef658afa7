import type { Stage } from "../../../contract/inbound/payload.ts";

/** What to do about an error, and on which page. */
export interface Remedy {
  what: string;
  where: "settings" | "rules" | "execution" | "sender";
}

/** By the step that found the error. */
export const REMEDIES: Record<Stage, Remedy> = {
  endpoint: { what: "Enable the endpoint.", where: "settings" },
  https: {
    what: "The sender has to call the https:// address, over a TLS version that is new enough.",
    where: "sender",
  },
  method: {
    what: "Let the endpoint take the method, or have the sender use another.",
    where: "settings",
  },
  rate: {
    what: "Raise the endpoint's requests per minute, or have the sender slow down.",
    where: "settings",
  },
  ip: { what: "Put the sender's address onto the IP allowlist.", where: "settings" },
  size: { what: "Raise the largest body, or have the sender send less.", where: "rules" },
  content_type: {
    what: "The sender has to send JSON, a form or text, and say so in its Content-Type.",
    where: "sender",
  },
  auth: {
    what: "Give the sender the endpoint's token and headers as they are set.",
    where: "settings",
  },
  signature: {
    what: "Set the signature scheme and the secret to those of the sender.",
    where: "settings",
  },
  parse: {
    what: "The sender has to send a body that is what its Content-Type says.",
    where: "sender",
  },
  freshness: {
    what: "Look at the sender's clock, the tolerance, and where the time is looked for.",
    where: "settings",
  },
  validation: {
    what: "Change what the endpoint asks for, or have the sender send it.",
    where: "rules",
  },
  mapping: { what: "Change the mapping or give the field a default, then replay.", where: "rules" },
  duplicate: { what: "Set what becomes of duplicates.", where: "settings" },
  start: { what: "Look at the workflow and the balance, then replay.", where: "settings" },
  execution: { what: "Replay once it is mended.", where: "execution" },
};

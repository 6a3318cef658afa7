import type { Fault, PayloadObject, PayloadValue } from "../../../contract/webhooks/payload.ts";
import { isObject } from "../../../lib/json-values.ts";
import type { SenderPort } from "../../../ports/webhooks.ts";
import { readPath } from "../../mapping/payload-path.ts";

/** How a sender checks that an address belongs to its customer, before it sends events. */
export interface Handshake {
  /** How the sender asks, and what it gets. */
  about: string;
  /** Whether the request has the token or the signature of an event. */
  isAuthenticated: boolean;
  /** Whether a sender that signs its events shows the token here only. */
  hasToken?: true;
  /** Whether method, address and headers ask for it; if left out, the payload of a POST tells. */
  asks?(head: Head): boolean;
  /** Returns the answer; null for a request that is no handshake. */
  answer(asked: Asked): Answer | null | Promise<Answer | null>;
}

/** The parts of a request that precede its body. */
export interface Head {
  method: string;
  /** The address that the sender requested. */
  url: URL;
  headers: Headers;
}

/** A request that may be a handshake, with what an answer can depend on. */
export interface Asked extends Head, Pick<SenderPort, "confirm"> {
  /** Undefined if the body is not parsed. */
  payload: PayloadValue | undefined;
  requestsPerMinute: number;
  /** Whether the sender may still choose the secret. */
  awaitsSecret: boolean;
  /** What proves its senders to the endpoint; `none` also once the request has passed all checks. */
  proof: "token" | "signature" | "none";
  isToken(text: string): Promise<boolean>;
  /** Returns the HMAC-SHA-256 of a text in hex, with the secret that signed the request; null without one. */
  sign(text: string): Promise<string | null>;
}

/** An answer to a handshake. */
export interface HandshakeAnswer {
  status: number;
  contentType: string;
  body: string;
  headers?: Record<string, string>;
  /** The signing secret that the sender has chosen; it must be stored before the answer is sent. */
  adopt?: string;
  /** Whether the sender gets the answer to an accepted request in place of this one. */
  isUsual?: true;
}

/** An answer, or why a handshake is refused. */
type Answer = HandshakeAnswer | Fault;

export const handshakeFlaw = (path: string, message: string): Fault => ({
  path,
  rule: "handshake",
  message,
});

export const EMPTY: HandshakeAnswer = { status: 200, contentType: "text/plain", body: "" };

/** Visible ASCII, so that no browser renders it as a page, and at most as long as senders' own. */
const ECHO = /^[\x20-\x7e]{1,1000}$/;

/** Whether a text may be sent back to the sender. */
export function isEcho(text: unknown): text is string {
  return typeof text === "string" && ECHO.test(text);
}

/** Returns an answer that repeats a text; null if it may not be sent back. */
export function repeated(text: unknown): HandshakeAnswer | null {
  return isEcho(text)
    ? { status: 200, contentType: "text/plain; charset=utf-8", body: text }
    : null;
}

/** A request whose query has a text to repeat. */
export const repeating = (method: "GET" | "POST", name: string): Handshake => ({
  about: `${method} with ${name}: repeated`,
  isAuthenticated: false,
  asks: (head) => head.method === method && head.url.searchParams.has(name),
  answer: ({ url }) => repeated(url.searchParams.get(name)),
});

/** Returns an answer in JSON. */
export function jsonAnswer(value: object): HandshakeAnswer {
  return { status: 200, contentType: "application/json", body: JSON.stringify(value) };
}

/** Returns an own property of a payload: the sender chooses the names. */
export function field(payload: PayloadValue | undefined, name: string): PayloadValue | undefined {
  return isObject(payload) && Object.hasOwn(payload, name) ? payload[name] : undefined;
}

/** Whether a payload has these texts and nothing else. An event has further members. */
export function hasOnly(
  payload: PayloadValue | undefined,
  ...names: string[]
): payload is PayloadObject {
  return (
    isObject(payload) &&
    Object.keys(payload).length === names.length &&
    names.every((name) => isEcho(readPath(payload, name)))
  );
}

/** A POST of one text and nothing else, which any 200 answers. */
export const posting = (about: string, name: string): Handshake => ({
  about,
  isAuthenticated: false,
  answer: ({ payload }) => (hasOnly(payload, name) ? EMPTY : null),
});

/** A HEAD that any 200 answers. */
export const HEAD: Handshake = {
  about: "HEAD: 200",
  isAuthenticated: false,
  asks: ({ method }) => method === "HEAD",
  answer: () => EMPTY,
};

const ORIGIN = "WebHook-Request-Origin";

// https://github.com/cloudevents/spec/blob/main/cloudevents/http-webhook.md#4-abuse-protection
export const CLOUDEVENTS: Handshake = {
  about: "OPTIONS with WebHook-Request-Origin: permitted",
  isAuthenticated: false,
  asks: ({ method, headers }) => method === "OPTIONS" && headers.has(ORIGIN),
  answer({ headers, requestsPerMinute }) {
    const origin = headers.get(ORIGIN);
    if (!isEcho(origin)) return null;
    return {
      ...EMPTY,
      headers: {
        Allow: "POST",
        "WebHook-Allowed-Origin": origin,
        "WebHook-Allowed-Rate": String(requestsPerMinute),
      },
    };
  },
};

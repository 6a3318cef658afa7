import type { ProblemCode } from "../contract/problem.ts";

/** What an error code means, and what helps. */
export interface ProblemText {
  meaning: string;
  remedy: string;
}

/** Every code, as a reader meets it: with an answer in front of them. */
export const PROBLEM_TEXTS: Record<ProblemCode, ProblemText> = {
  invalid_request: {
    meaning:
      "A field, a parameter or a header is missing, is unknown, or is not of its type. `errors` names each of them by its path.",
    remedy:
      "Mend what `errors` names. A misspelt field is refused and not ignored; the message lists the ones that are allowed.",
  },
  malformed_json: {
    meaning: "The body cannot be read as JSON. Two members of one name in an object count as well.",
    remedy: "Build the body with a JSON library, and send it as UTF-8.",
  },
  unauthorized: {
    meaning:
      "No API key came, or one that is unknown, has expired or was revoked. At the address of a webhook: the request does not carry what the endpoint asks for, its signature does not match, or it is too old.",
    remedy:
      "Send `Authorization: Bearer` with a key. For a webhook, the endpoint's request log says which check refused it and, for a signature, what would have matched.",
  },
  insufficient_credits: {
    meaning: "The balance is lower than what the execution would hold. Nothing was started.",
    remedy:
      "Name a lower `maxCredits`, wait until executions under way have given back what they hold, or have credits granted.",
  },
  insufficient_scope: {
    meaning: "The key is good, and lacks the scope that the operation names.",
    remedy: "Use a key with that scope. Scopes are chosen when a key is made.",
  },
  https_required: {
    meaning: "The request came over plain HTTP, or over too old a version of TLS.",
    remedy:
      "Use https. If a key has crossed the network in the clear, revoke it: it is not redirected, so that this is noticed.",
  },
  ip_not_allowed: {
    meaning: "The endpoint's `auth.ipAllowlist` does not have the address of the sender.",
    remedy: "Add the sender's address or range to the list. The request log shows the address.",
  },
  not_found: {
    meaning:
      "There is nothing at this address. What belongs to another account looks the same, and so does an endpoint that is disabled.",
    remedy: "Check the id, and that the key is of the account which it belongs to.",
  },
  method_not_allowed: {
    meaning: "The address is right, and the method is not.",
    remedy:
      "Use one of the methods that the header `Allow` names. For an endpoint, `methods` sets them.",
  },
  execution_not_active: {
    meaning: "The execution has ended, so that it takes no more messages.",
    remedy: "Read its result, and trigger another one.",
  },
  result_not_ready: {
    meaning: "The execution goes on, or waits for you.",
    remedy:
      "Wait as long as `Retry-After` says; better, wait at its status with `sinceVersion` and `waitSeconds`, follow its events, or give a `callbackUrl`.",
  },
  conflict: {
    meaning:
      "The name or the path is taken, the account has as many of these as it may, or somebody else was changing the same thing at this moment.",
    remedy:
      "Choose another name or path, remove one first, or read the thing again and repeat the change.",
  },
  gone: {
    meaning: "The endpoint was deleted.",
    remedy: "Remove its address from the sender. Nothing is taken in here any more.",
  },
  version_mismatch: {
    meaning: "`If-Match` named a version, and the execution has moved on since.",
    remedy: "Read the status, decide again, and send the version that you saw.",
  },
  payload_too_large: {
    meaning:
      "The body is longer than is taken: 256 KiB for the API, and what `validation.maxBytes` says for a webhook.",
    remedy: "Send less. Large data is better left at an address which the agent opens.",
  },
  unsupported_media_type: {
    meaning:
      "The body's `Content-Type` or `Content-Encoding` is not one that is taken. The API takes `application/json` without an encoding.",
    remedy: "Set `Content-Type: application/json`, and do not compress the body.",
  },
  validation_failed: {
    meaning: "A webhook's payload breaks the rules of the endpoint's `validation`.",
    remedy:
      "`errors` names every place. Try other rules on what came in before, without storing anything, with the what-if operation.",
  },
  mapping_failed: {
    meaning:
      "A webhook's payload does not give the workflow's inputs: one is missing, is of another type, or could not be transformed.",
    remedy:
      "`errors` names the input and the reason. Change the endpoint's `mapping`, try it with a sample, then replay the request.",
  },
  idempotency_key_reused: {
    meaning: "This `Idempotency-Key` came before with another request.",
    remedy: "Use a new key for a new request, and the same key only to repeat the same one.",
  },
  rate_limited: {
    meaning: "Too many requests within a minute, or an endpoint holds as many requests as it can.",
    remedy: "Wait as long as `Retry-After` says. `RateLimit` shows what is left before it happens.",
  },
  internal_error: {
    meaning: "Something failed on our side. What went wrong is in our log under the `requestId`.",
    remedy:
      "Try again, with the same `Idempotency-Key` where there is one. If it stays, tell the operators the `requestId`.",
  },
  unavailable: {
    meaning: "A part of the service does not answer at this moment. Nothing was accepted.",
    remedy: "Send it again after as many seconds as `Retry-After` says.",
  },
};

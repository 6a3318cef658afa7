import { PROBLEMS, type ProblemCode, problem } from "../../contract/problem.ts";
import { Example, Words } from "./text.tsx";

/** The meaning of an error code and its remedy. */
interface ProblemText {
  meaning: string;
  remedy: string;
}

/** Every code, for a reader who has just received it. */
export const PROBLEM_TEXTS: Record<ProblemCode, ProblemText> = {
  invalid_request: {
    meaning:
      "A field, a parameter or a header is missing, unknown or of the wrong type. `errors` lists each of them by its path.",
    remedy:
      "Fix the fields that `errors` lists. The message for an unknown field lists the allowed ones.",
  },
  malformed_json: {
    meaning: "The body is not valid JSON, an object in it repeats a field, or the body broke off.",
    remedy: "Encode the body with a JSON library, and send it as UTF-8.",
  },
  unauthorized: {
    meaning:
      "The API key is missing, unknown, expired or revoked. For a webhook: the request lacks a credential that the endpoint requires, or its signature does not match.",
    remedy:
      "Send `Authorization: Bearer` with a valid key. For a webhook, the endpoint's request log names the check that failed and, for a signature, what would have matched.",
  },
  stale_request: {
    meaning:
      "The webhook's timestamp is missing, unreadable, too old or too far ahead. Its sender passed authentication.",
    remedy:
      "Correct the sender's clock, or send the event again with a new timestamp. `replayProtection` sets the place of the timestamp and the time window.",
  },
  insufficient_credits: {
    meaning: "The balance is lower than the credits that the execution reserves. Nothing started.",
    remedy:
      "Lower `maxCredits`, wait until active executions return their credits, or ask for more credits.",
  },
  insufficient_scope: {
    meaning: "The key is valid but lacks the scope of the operation.",
    remedy: "Use a key with that scope. The scopes of a key are set when it is created.",
  },
  https_required: {
    meaning: "The request used plain HTTP or an old version of TLS.",
    remedy:
      "Use https. Revoke a key that was sent unencrypted. Plain HTTP is rejected instead of redirected, so that you notice.",
  },
  ip_not_allowed: {
    meaning: "The sender's IP address is not in the endpoint's `auth.ipAllowlist`.",
    remedy: "Add the address or its range to the list. The request log shows the address.",
  },
  not_found: {
    meaning:
      "No resource was found at this address. Resources of other accounts and disabled endpoints look the same.",
    remedy: "Check the id, and that the key belongs to the same account as the resource.",
  },
  method_not_allowed: {
    meaning: "The address does not take this method.",
    remedy:
      "Use a method that the `Allow` header lists. `methods` sets the methods of an endpoint.",
  },
  request_timeout: {
    meaning: "The body did not arrive within 30 seconds. Nothing was accepted.",
    remedy: "Send the request again, over a faster connection or with a smaller body.",
  },
  execution_not_active: {
    meaning: "The execution has ended and takes no more messages.",
    remedy: "Get its result, and start another execution.",
  },
  result_not_ready: {
    meaning: "The execution has not ended.",
    remedy:
      "Wait as long as `Retry-After` says. Better: wait for a status change with `sinceVersion` and `waitSeconds`, follow the events, or set a `callbackUrl`.",
  },
  conflict: {
    meaning:
      "The name or path is taken, the account has reached a limit, or someone else changed the resource at the same time.",
    remedy:
      "Choose another name or path, remove a resource, or read the resource again and repeat the change.",
  },
  gone: {
    meaning: "The endpoint was deleted.",
    remedy: "Remove the address from the sender.",
  },
  version_mismatch: {
    meaning: "The execution has changed since the version in `If-Match`.",
    remedy: "Get the status, decide again, and send the current version.",
  },
  payload_too_large: {
    meaning:
      "The body exceeds the limit: 256 KiB for the API, `validation.maxBytes` for a webhook.",
    remedy: "Send less. Put large data at an address that the agent can open.",
  },
  unsupported_media_type: {
    meaning:
      "The `Content-Type` or `Content-Encoding` of the body is not supported. The API takes `application/json` without an encoding.",
    remedy: "Set `Content-Type: application/json`, and do not compress the body.",
  },
  validation_failed: {
    meaning: "The payload of a webhook does not pass the endpoint's `validation`.",
    remedy:
      "`errors` lists every violation. Use the what-if operation to try other rules on past requests.",
  },
  mapping_failed: {
    meaning:
      "The payload of a webhook cannot be mapped to the inputs of the workflow: an input is missing, has the wrong type or could not be transformed.",
    remedy:
      "`errors` lists the inputs and the reasons. Change the endpoint's `mapping`, test it with a sample, then replay the request.",
  },
  idempotency_key_reused: {
    meaning: "The `Idempotency-Key` was used for a different request.",
    remedy: "Use a new key for every new request, and the same key only to repeat a request.",
  },
  rate_limited: {
    meaning:
      "You exceeded the requests per minute, the endpoint holds too many requests, or too many requests from your address failed to authenticate.",
    remedy:
      "Wait as long as `Retry-After` says. The `RateLimit` header shows what remains. Check the key if there is no such header: a valid one is accepted at once.",
  },
  internal_error: {
    meaning: "Something failed on the server. Its log has the details under the `requestId`.",
    remedy:
      "Try again, with the same `Idempotency-Key` if there is one. If it keeps failing, send the `requestId` to the operators.",
  },
  unavailable: {
    meaning: "Part of the service is temporarily unavailable. Nothing was accepted.",
    remedy: "Try again after the number of seconds in `Retry-After`.",
  },
};

const EXAMPLE_MESSAGE = "must have at least 1 character";

/** The reference of error codes, to which the `type` of each error links. */
export function ProblemsSection() {
  const { title, status } = PROBLEMS.invalid_request;
  return (
    <section id="problems">
      <h2>Errors</h2>
      <div class="operation">
        <div class="operation-text">
          <p>
            Every error is an <code>application/problem+json</code> document (RFC 9457), a{" "}
            <a href="#schema-Problem">Problem</a>. Programs should act on <code>code</code>;{" "}
            <code>detail</code> tells people what is wrong with the request; <code>type</code> links
            to the code's explanation below. A resource of another account is always 404.
          </p>
        </div>
        <div class="operation-code">
          <Example
            label="An error"
            value={{
              type: "/docs#problem-invalid_request",
              title,
              status,
              detail: `\`prompt\` ${EXAMPLE_MESSAGE}.`,
              code: "invalid_request",
              requestId: "0b7c4f0e-5d1a-4c39-9a55-5a1d7a9a1f42",
              errors: [{ path: "prompt", rule: "too_small", message: EXAMPLE_MESSAGE }],
            }}
          />
        </div>
      </div>
      <div class="problems">
        {problem.shape.code.options.map((code) => (
          <Explanation code={code} />
        ))}
      </div>
    </section>
  );
}

function Explanation({ code }: { code: ProblemCode }) {
  const { status, title } = PROBLEMS[code];
  const { meaning, remedy } = PROBLEM_TEXTS[code];
  return (
    <article class="problem" id={`problem-${code}`} data-filter={`${status} ${code} ${title}`}>
      <h3>
        <a href={`#problem-${code}`}>
          <span class="status">{status}</span> {code}
        </a>
      </h3>
      <p>
        <strong>{title}.</strong> <Words text={meaning} />
      </p>
      <p>
        <Words text={remedy} />
      </p>
    </article>
  );
}

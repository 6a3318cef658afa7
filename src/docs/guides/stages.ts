import type { ProblemCode } from "../../contract/problem.ts";

/** One of the checks that a webhook goes through, in their order. */
interface Stage {
  check: string;
  /** What a request that fails it is answered. */
  codes: ProblemCode[];
}

export const STAGES: Stage[] = [
  {
    check: "There is such an endpoint; it is enabled and not deleted.",
    codes: ["not_found", "gone"],
  },
  {
    check: "It came over HTTPS, by TLS 1.3 unless the operators take older ones.",
    codes: ["https_required"],
  },
  { check: "The endpoint takes the method.", codes: ["method_not_allowed"] },
  { check: "The endpoint takes more requests in this minute.", codes: ["rate_limited"] },
  { check: "It came from an address that is allowed.", codes: ["ip_not_allowed"] },
  { check: "The body is not too long.", codes: ["payload_too_large"] },
  { check: "The body is of a kind that can be read.", codes: ["unsupported_media_type"] },
  { check: "It carries the headers and the token that are asked for.", codes: ["unauthorized"] },
  { check: "The signature over the raw body matches.", codes: ["unauthorized"] },
  { check: "The body can be read.", codes: ["malformed_json"] },
  { check: "Its timestamp, where it has one, is fresh.", codes: ["unauthorized"] },
  { check: "The payload keeps to the endpoint's validation.", codes: ["validation_failed"] },
  { check: "The payload gives the inputs of the workflow.", codes: ["mapping_failed"] },
];

import { mediaOf } from "../payload/media.ts";
import { type Check, PASSED, refused, skipped } from "./check.ts";

/** The body is of a kind that can be read, under an encoding that could be undone. */
export const contentType: Check = {
  stage: "content_type",
  judge({ request: { method, headers, body } }) {
    if (method === "GET") return skipped("A GET has its payload in the query.");
    if (body.kind === "unsupported") {
      return refused("unsupported_media_type", "content_encoding", body.detail);
    }
    const isEmpty = body.kind === "whole" && body.raw.length === 0;
    if (isEmpty || mediaOf(headers.get("Content-Type")) !== null) return PASSED;
    const message = "The Content-Type is none of JSON, a form or text in UTF-8.";
    return refused("unsupported_media_type", "content_type", message);
  },
};

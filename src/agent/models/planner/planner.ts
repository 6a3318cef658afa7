import { type Model, ModelError } from "../../../contract/conversation.ts";
import { storedBytes } from "../../tools/text.ts";
import { bind } from "./parse/bind.ts";
import { understand } from "./parse/understand.ts";
import { respond } from "./run/respond.ts";

/** A stored row holds 2 MB, and inputs are passed on as received. */
const MAX_REPLY_BYTES = 1024 * 1024;

/** The embedded model: a semantic parser with a lexicon, offline and without a key. */
export const planner: Model = {
  name: "builtin/planner",
  async respond(request) {
    const reply = respond(request, { understand, bind });
    if (storedBytes(reply) <= MAX_REPLY_BYTES) return reply;
    const message =
      "The data of this task is too large for the built-in planner, which passes on up to 1 MiB at once.";
    throw new ModelError(message, { retryable: false });
  },
};

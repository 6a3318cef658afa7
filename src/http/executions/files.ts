import * as z from "zod";
import type { AnswerRule } from "../answer.ts";
import { noBody } from "../body.ts";
import { attachment } from "../content-disposition.ts";
import { keyWith } from "../guard.ts";
import { noQuery } from "../query.ts";
import { route } from "../route.ts";
import { AGENT, executionParams } from "./ids.ts";
import { askSession } from "./session-of.ts";

interface File {
  mediaType: string;
  filename: string;
  bytes: Uint8Array;
}

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/;

const fileAnswer: AnswerRule<File> = {
  status: 200,
  description: "The file, with its own media type.",
  content: {
    "application/octet-stream": {
      schema: z.string().meta({ override: { format: "binary" } }),
      example: "name,price\nTea,3.20\n",
    },
  },
  respond: ({ mediaType, filename, bytes }) =>
    new Response(bytes, {
      headers: {
        "Content-Type": MEDIA_TYPE.test(mediaType) ? mediaType : "application/octet-stream",
        "Content-Disposition": attachment(filename),
        // An agent wrote this file: were it a page, it must not run as one of ours.
        "Content-Security-Policy": "sandbox; default-src 'none'",
      },
    }),
};

export const file = route({
  method: "GET",
  path: `${AGENT}/trigger/:executionId/files/:outputId`,
  operationId: "downloadFile",
  tag: "Executions",
  summary: "Download a file that an execution made",
  description:
    "The bytes, with the file's own media type and name. An output of the type `file` has this address in its `url`.",
  guard: keyWith("executions:read"),
  params: executionParams.extend({
    outputId: z.string().min(1).max(128).describe("The output of the execution."),
  }),
  query: noQuery,
  body: noBody,
  answer: fileAnswer,
  errors: ["not_found"],
  responseHeaders: ["Content-Disposition"],
  async handler({ http, caller, params: { executionId, outputId } }) {
    const found = await askSession({
      env: http.env,
      caller,
      executionId,
      idempotent: true,
      ask: (session) => session.file(caller.accountId, outputId),
    });
    return { value: found };
  },
});

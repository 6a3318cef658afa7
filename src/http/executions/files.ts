import * as z from "zod";
import { apiKey } from "../authentication.ts";
import { attachment } from "../headers.ts";
import { type ResponseRule, route } from "../route.ts";
import { AGENT, readForCaller } from "./session.ts";

interface File {
  mediaType: string;
  filename: string;
  bytes: Uint8Array;
}

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/;

const fileResponse: ResponseRule<File> = {
  status: 200,
  description: "The file, with its own media type.",
  content: {
    "application/octet-stream": {
      schema: z.string().meta({ override: { format: "binary" } }),
      example: "name,price\nTea,3.20\n",
    },
  },
  render: ({ mediaType, filename, bytes }) =>
    new Response(bytes, {
      headers: {
        "Content-Type": MEDIA_TYPE.test(mediaType) ? mediaType : "application/octet-stream",
        "Content-Disposition": attachment(filename),
        // An agent wrote this file: if it is a page, it must not run with the dashboard's origin.
        "Content-Security-Policy": "sandbox; default-src 'none'",
      },
    }),
};

export const file = route("GET", `${AGENT}/trigger/:executionId/files/:outputId`, {
  operationId: "downloadFile",
  summary: "Download a file",
  description:
    "Returns the bytes of an output of type `file`, whose `url` is this address, with its media type and filename.",
  auth: apiKey("executions:read"),
  response: fileResponse,
  responseHeaders: ["Content-Disposition"],
  async handler(asked) {
    const { outputId } = asked.params;
    return { value: await readForCaller(asked, (host, id) => host.file(id, outputId)) };
  },
});

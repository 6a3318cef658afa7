import { inject } from "vitest";
import * as z from "zod";
import type { SinkOptions } from "../smtp/sink.ts";

const seen = z.object({
  mails: z.array(
    z.object({
      from: z.string(),
      to: z.array(z.string()),
      raw: z.string(),
      secure: z.boolean(),
      user: z.string().nullable(),
    }),
  ),
  written: z.string(),
});

/** A mail server of its own for a test; see `mail-servers.ts`. */
export async function mailServer(options: SinkOptions = {}) {
  const base = inject("mailServersUrl");
  const body = JSON.stringify(options);
  const port = z.int().parse(await (await fetch(base, { method: "POST", body })).json());
  return { port, ...lookInto(port) };
}

/** The mail server that the Worker is set to use. */
export function ownMailServer() {
  return lookInto(Number(new URL(inject("smtpUrl")).port));
}

function lookInto(port: number) {
  const look = async (query: string) =>
    seen.parse(await (await fetch(`${inject("mailServersUrl")}/${port}${query}`)).json());
  return {
    /** What it took, and what clients wrote as far as it was not encrypted. */
    seen: () => look(""),
    /** The same, once its client has gone. */
    left: () => look("?left"),
  };
}

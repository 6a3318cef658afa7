import * as z from "zod";
import { hostPattern } from "../lib/http.ts";
import { closed, listOf, matching, open, timestamp } from "./fields.ts";

/** Connections that one account may have. */
export const MAX_CONNECTIONS = 100;

/** The name of a connection. */
export const connectionName = matching(
  /^[A-Za-z0-9][\w.-]{0,63}$/,
  "must be 1 to 64 letters, digits, _, . or -",
).describe("The name by which executions use the connection.");

/** Hosts, in their canonical form. */
export const hostPatterns = listOf(
  z
    .string()
    .max(255)
    .transform((text, context) => {
      const pattern = hostPattern(text);
      if (pattern !== null) return pattern;
      context.addIssue({
        code: "custom",
        message: "must be a host such as example.com or *.example.com, without a scheme or a path",
      });
      return z.NEVER;
    }),
);

const hosts = hostPatterns.min(1).max(20).describe("The hosts, exact or as `*.example.com`.");
const pathPrefix = z
  .string()
  .max(500)
  .regex(/^\/[\w./~-]*$/, "must begin with / and have letters, digits, _, ., -, ~ and / only")
  .refine((path) => !/\/\.{1,2}(?:\/|$)/.test(path), "must not have the segments . and ..")
  .describe(
    "Restricts the connection to paths that begin with this one, by whole segments. A path gets no credential if, decoded, it has a segment that begins with `..`, more slashes, `;`, `\\` or a control character, or if an escape in it is malformed.",
  );
const header = matching(
  /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/,
  "must be the name of a header",
).describe("The header that carries the credential, such as Authorization.");

/** The body of POST /connections. The header rules of outbound requests apply as well. */
export const createConnectionBody = closed({
  name: connectionName,
  hosts,
  pathPrefix: pathPrefix.optional(),
  header,
  value: z.string().min(8).max(8_192).describe("The header's value. It is never shown again."),
}).meta({ id: "CreateConnection" });

/** Where a connection's credential goes. */
export const connectionRule = open({
  hosts: listOf(z.string()),
  pathPrefix: z.string().nullable(),
  header: z.string(),
});
export type ConnectionRule = z.infer<typeof connectionRule>;

/** A connection as the API shows it, without any of its value. */
export const connectionRecord = open({
  connectionId: z.string().describe("The id of the connection."),
  name: connectionName,
  hosts: listOf(z.string()).describe(hosts.description ?? ""),
  pathPrefix: pathPrefix.nullable().describe("The prefix of the paths; null for all paths."),
  header,
  createdAt: timestamp.describe("When it was created."),
}).meta({ id: "Connection" });
export type ConnectionRecord = z.infer<typeof connectionRecord>;

/** A connection as the account stores it. */
export interface NewConnection {
  connectionId: string;
  name: string;
  rule: ConnectionRule;
  /** The value, sealed for `connectionContext`. */
  sealedValue: string;
}

/** What adding a named resource to an account comes to. */
export type AddReply<Added> =
  | { kind: "added"; record: Added }
  | { kind: "name_taken" }
  | { kind: "full"; limit: number };

/** Returns the context under which a value is sealed; no other connection or account can open it. */
export function connectionContext(accountId: string, connectionId: string): string {
  return `connection:${accountId}:${connectionId}`;
}

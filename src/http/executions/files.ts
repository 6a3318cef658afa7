import { type GivenFiles, MAX_FILES_BYTES, type StoredFile } from "../../contract/files.ts";
import type { ExecutionSeed } from "../../contract/session.ts";
import { settingsOf } from "../../env.ts";
import { fromBase64, toBase64 } from "../../lib/encoding.ts";
import { serviceFetch } from "../../outbound/guarded-fetch.ts";
import { readFileAt } from "../../outbound/read-file.ts";
import { serviceHosts } from "../agent-settings.ts";
import { authorize, type KeyHolder } from "../authentication.ts";
import type { Http } from "../context.ts";
import { HttpProblem, invalid } from "../problem.ts";

/** How long all files of an execution may take to be read from their addresses. */
const READING_MS = 30_000;

type WithFiles = Pick<ExecutionSeed, "v"> & Required<Pick<ExecutionSeed, "files">>;

/** Reads files, and returns what a draft has of them: nothing without any. */
export type FileReader = (files: GivenFiles | undefined) => Promise<WithFiles | null>;

/**
 * Returns a reader of the files of one request, in all of its executions together at most 10 MiB. It throws a
 * 400 for a file that cannot be read, and a 413 for more bytes than fit.
 */
export function fileReader(http: Http, caller: KeyHolder): FileReader {
  let left = MAX_FILES_BYTES;

  async function fetched(at: number, url: string, timeoutMs: number): Promise<Uint8Array> {
    // A caller that the account has not admitted makes the service call nobody.
    if (http.get("rate") === undefined) await authorize(http, caller);
    const settings = settingsOf(http.env);
    const fetch = serviceFetch(settings, serviceHosts(http.req.url, settings));
    const read = await readFileAt(url, { fetch, maxBytes: left, timeoutMs });
    if (!read.ok) throw invalid(`files[${at}].url`, read.code, read.message);
    if (read.cut) throw tooMany();
    return read.bytes;
  }

  return async (files = []) => {
    const until = Date.now() + READING_MS;
    const read: StoredFile[] = [];
    for (const [at, { name, mediaType, data: given, url }] of files.entries()) {
      const bytes =
        given === undefined
          ? await fetched(at, url ?? "", Math.max(1, until - Date.now()))
          : decoded(at, given);
      left -= bytes.length;
      if (left < 0) throw tooMany();
      read.push({ name, mediaType, sizeBytes: bytes.length, data: given ?? toBase64(bytes) });
    }
    // Code that does not know files must not start an execution without them.
    return read.length === 0 ? null : { v: 2, files: read };
  };
}

function decoded(at: number, data: string): Uint8Array {
  const bytes = fromBase64(data);
  if (bytes === null) throw invalid(`files[${at}].data`, "base64", "must be base64");
  return bytes;
}

function tooMany(): HttpProblem {
  return new HttpProblem(
    "payload_too_large",
    `The files exceed the limit of ${MAX_FILES_BYTES} bytes in all.`,
  );
}

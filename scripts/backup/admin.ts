import type * as z from "zod";
import { problem } from "../../src/contract/problem.ts";
import { UserError } from "../local/project.ts";
import { fetchWithin } from "../smoke/http.ts";

/** How often a request that the service could not serve is repeated: all of them may be. */
const TRIES = 5;
const PAUSE_MS = 1_000;

/** The operators' side of a service. */
export interface Service {
  /** Its origin. */
  url: string;
  adminToken: string;
}

/** The service has refused a request: a repeat does not help. */
export class RefusedError extends UserError {
  override name = "RefusedError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Sends a request to the operators' routes. Returns the body of the response, null if it has none. */
export async function send(
  { url, adminToken }: Service,
  method: "GET" | "POST",
  path: string,
  body?: object,
): Promise<unknown> {
  for (let tries = 1; ; tries += 1) {
    const request = new Request(`${url}/api/v1/admin${path}`, {
      method,
      headers: { Authorization: `Bearer ${adminToken}`, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const response = await fetchWithin(request).catch((error: unknown) => {
      if (tries === TRIES) throw new UserError(`${url} does not answer: ${error}`);
      return null;
    });
    const text = (await response?.text()) ?? "";
    if (response?.ok) return text === "" ? null : JSON.parse(text);
    const isFinal = response !== null && response.status < 500;
    if (isFinal || (response !== null && tries === TRIES)) {
      throw new RefusedError(response.status, `${method} ${path}: ${detailOf(text)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, tries * PAUSE_MS));
  }
}

/** Reads what the operators' routes answer to a GET. */
export async function read<Schema extends z.ZodType>(
  service: Service,
  path: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  return schema.parse(await send(service, "GET", path));
}

function detailOf(text: string): string {
  try {
    return problem.parse(JSON.parse(text)).detail;
  } catch {
    return text.slice(0, 500);
  }
}

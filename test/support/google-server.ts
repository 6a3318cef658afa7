import { generateKeyPairSync, verify } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import * as z from "zod";
import { readText, startServer } from "./server.ts";

/** Rows that arrived, as they were asked to be appended. */
interface Append {
  spreadsheetId: string;
  range: string;
  query: Record<string, string>;
  values: unknown[][];
}

/** How to answer: with a status and a body, never, or by closing the connection. */
type Answer = { status: number; body?: unknown; location?: string } | "hang" | "close";

/** Google's token server and its Sheets API, on loopback. */
export type GoogleServer = Awaited<ReturnType<typeof startGoogleServer>>;

const SCOPE = "https://www.googleapis.com/auth/spreadsheets";
const CLOCK_SKEW_SECONDS = 60;

const header = z.object({ alg: z.literal("RS256"), typ: z.literal("JWT") });
const claims = z.object({
  iss: z.string(),
  aud: z.string(),
  scope: z.literal(SCOPE),
  iat: z.int(),
  exp: z.int(),
});
const appendBody = z.object({
  majorDimension: z.literal("ROWS").optional(),
  values: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
});

/** Made once: a pair takes longer than most tests. */
const keys = generateKeyPairSync("rsa", { modulusLength: 2_048 });

/** Starts a server that knows one service account. */
export async function startGoogleServer() {
  const tokens = new Set<string>();
  let tokenAnswer: Answer | null = null;
  let appendAnswer: Answer | null = null;
  const server = await startServer((request, response) => void handle(request, response));
  const google = {
    /** The base of the Sheets API. */
    url: server.origin,
    /** The account that it knows. */
    account: {
      client_email: "agent@project.iam.gserviceaccount.example",
      private_key: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      token_uri: `${server.origin}/token`,
    },
    /** The claims of every assertion that it was shown, right or wrong. */
    assertions: [] as unknown[],
    /** Everything that was appended, in order. */
    appends: [] as Append[],
    /** Requests that reached the Sheets API. */
    requests: 0,
    /** Seconds that the tokens handed out from now on are good for. */
    tokenLifetime: 3_600,
    /** Answers token requests, and appends, in another way from now on; null ends it. */
    answerTokensWith: (next: Answer | null) => {
      tokenAnswer = next;
    },
    answerAppendsWith: (next: Answer | null) => {
      appendAnswer = next;
    },
    /** Makes every token that was handed out worthless. */
    withdrawTokens: () => tokens.clear(),
    close: server.close,
  };

  /** What is wrong with an assertion, as Google would say it; null when nothing is. */
  function fault(assertion: string): string | null {
    const [head = "", body = "", signature = ""] = assertion.split(".");
    const shown: unknown = JSON.parse(Buffer.from(body, "base64url").toString());
    google.assertions.push(shown);
    const signed = Buffer.from(`${head}.${body}`);
    if (!verify("RSA-SHA256", signed, keys.publicKey, Buffer.from(signature, "base64url"))) {
      return "Invalid JWT Signature.";
    }
    const parsed = claims.safeParse(shown);
    const isHeader = header.safeParse(JSON.parse(Buffer.from(head, "base64url").toString()));
    if (!parsed.success || !isHeader.success) return "Invalid JWT.";
    const { iss, aud, iat, exp } = parsed.data;
    if (iss !== google.account.client_email) return "Invalid issuer.";
    if (aud !== google.account.token_uri) return "Invalid audience.";
    const now = Date.now() / 1_000;
    const isInTime = iat <= now + CLOCK_SKEW_SECONDS && exp > now && exp > iat;
    return isInTime && exp - iat <= 3_600 ? null : "Token must be a short-lived token.";
  }

  function grant(form: URLSearchParams): Answer {
    const isGrant = form.get("grant_type") === "urn:ietf:params:oauth:grant-type:jwt-bearer";
    const wrong = isGrant ? fault(form.get("assertion") ?? "") : "Invalid grant_type.";
    if (tokenAnswer) return tokenAnswer;
    if (wrong !== null) {
      return { status: 400, body: { error: "invalid_grant", error_description: wrong } };
    }
    const token = `ya29.${crypto.randomUUID()}`;
    tokens.add(token);
    const body = { access_token: token, expires_in: google.tokenLifetime, token_type: "Bearer" };
    return { status: 200, body };
  }

  function append(request: IncomingMessage, url: URL, text: string): Answer {
    google.requests++;
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    if (!tokens.has(token))
      return { status: 401, body: { error: { message: "Unauthenticated." } } };
    if (appendAnswer) return appendAnswer;
    const parts = /^\/v4\/spreadsheets\/([^/]+)\/values\/([^/]+):append$/.exec(url.pathname);
    const body = appendBody.safeParse(JSON.parse(text));
    if (!parts || !body.success) return { status: 400, body: { error: { message: "Bad." } } };
    const [spreadsheetId = "", range = ""] = parts.slice(1).map(decodeURIComponent);
    const { values } = body.data;
    google.appends.push({
      spreadsheetId,
      range,
      query: Object.fromEntries(url.searchParams),
      values,
    });
    const updates = { updatedRange: `${range}!A2:A${values.length + 1}` };
    return { status: 200, body: { spreadsheetId, updates } };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(request);
    const url = new URL(request.url ?? "/", server.origin);
    const isToken = url.pathname === "/token";
    answer(response, isToken ? grant(new URLSearchParams(text)) : append(request, url, text));
  }

  return google;
}

function answer(response: ServerResponse, choice: Answer): void {
  if (choice === "hang") return;
  if (choice === "close") {
    response.destroy();
    return;
  }
  const { status, body = {}, location } = choice;
  response
    .writeHead(status, {
      "content-type": "application/json",
      ...(location === undefined ? {} : { location }),
    })
    .end(JSON.stringify(body));
}

import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { PrompthookError } from "../client/error.ts";
import { logError } from "../lib/log.ts";
import { Document, Layout } from "./components/layout.tsx";
import { type Page, sendElsewhere } from "./context.ts";
import { endSession, readSession } from "./session.ts";

/** Turns what the API refused into a page; a session whose key is no longer good ends. */
export function failurePage(error: unknown, http: Page): Response | Promise<Response> {
  if (error instanceof HTTPException) {
    return failed(http, error.status, "Refused", "This did not come from one of our own pages.");
  }
  if (!(error instanceof PrompthookError)) {
    logError("page failed", { requestId: http.get("requestId") }, error);
    return failed(http, 500, "Something went wrong on our side", "Try again in a moment.");
  }
  if (error.status === 401) {
    endSession(http);
    return sendElsewhere(http, "/dashboard/sign-in?ended=1");
  }
  if (error.status === 404) return nothingHere(http);
  if (error.code === "insufficient_scope") {
    return failed(http, 403, "This key may not do that", LACKS_SCOPE);
  }
  return failed(http, error.status, "That did not work", error.message);
}

const LACKS_SCOPE =
  "The key that you signed in with lacks the scope for it. Sign out and sign in with a key that has it.";

/** The page that stands where there is none, or none that this account may see. */
export function nothingHere(http: Page): Response | Promise<Response> {
  return failed(http, 404, "There is nothing here", "It was deleted, or never was.");
}

/** Whoever is signed in keeps the sections at the side, to go on from here. */
async function failed(http: Page, status: number, title: string, detail: string) {
  const said = (
    <>
      <p>{detail}</p>
      <p class="muted">{`Request ${http.get("requestId")}`}</p>
      <a class="button" href="/dashboard">
        To the dashboard
      </a>
    </>
  );
  const isSignedIn = (await readSession(http, Date.now())) !== null;
  const page = isSignedIn ? (
    <Layout title={title} section={null}>
      {said}
    </Layout>
  ) : (
    <Document title={title}>
      <main class="alone" id="main">
        <h1>{title}</h1>
        {said}
      </main>
    </Document>
  );
  return http.html(page, contentful(status));
}

function contentful(status: number): ContentfulStatusCode {
  const known: ContentfulStatusCode[] = [
    400, 402, 403, 404, 409, 410, 412, 413, 415, 422, 429, 503,
  ];
  return known.find((one) => one === status) ?? 500;
}

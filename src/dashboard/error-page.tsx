import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { PrompthookError } from "../client/error.ts";
import { hasFailedTooOften } from "../http/authentication.ts";
import { logError } from "../lib/log.ts";
import { LinkButton, Notice, Submit } from "./components/elements.tsx";
import { Alone, Layout, show } from "./components/layout.tsx";
import { asClientError, type Page, redirectTo } from "./context.ts";
import { postedForm } from "./forms/posted.ts";
import { choiceOf, endSession, keepChoice, readSession } from "./session.ts";

/** Shows an error as a page; a session whose key is no longer valid ends. */
export function errorPage(thrown: unknown, http: Page): Response | Promise<Response> {
  const error = asClientError(thrown, http.get("requestId"));
  if (error instanceof HTTPException) {
    const detail = "The request did not come from a page of this dashboard.";
    return shown(http, error.status, "Request rejected", detail);
  }
  if (!(error instanceof PrompthookError)) {
    logError("page failed", { requestId: http.get("requestId") }, error);
    return shown(http, 500, "Internal error", "Try again in a moment.");
  }
  if (error.status === 401) {
    endSession(http);
    return signInAgain(http, "/dashboard/sign-in?ended=1");
  }
  if (error.status === 404) return pageNotFound(http);
  if (error.code === "insufficient_scope") return shown(http, 403, "Not allowed", error.message);
  // A page that loads itself again keeps what it shows, and waits as long.
  if (error.retryAfterSeconds !== null) http.header("Retry-After", `${error.retryAfterSeconds}`);
  return shown(http, error.status, "Request failed", error.message);
}

/** Sends a reader to sign in. A form that was sent meanwhile is kept, to be sent again afterwards. */
export async function signInAgain(http: Page, path: string): Promise<Response> {
  const isForm = http.req.header("Content-Type")?.startsWith("application/x-www-form-urlencoded");
  const { pathname, search } = new URL(http.req.url);
  if (!isForm) {
    const isPage = http.req.header("Accept")?.includes("text/html") === true;
    if (isPage) keepChoice(http, WANTED, `${pathname}${search}`, WANTED_SECONDS);
    return redirectTo(http, path);
  }
  const { texts } = http.get("posted") ?? (await postedForm(http));
  return show(
    http,
    <Alone title="Session ended">
      <Notice tone="bad">Your session has ended, and nothing was changed.</Notice>
      <p>
        <a href="/dashboard/sign-in" target="_blank" rel="noopener">
          Sign in again
        </a>
        {" in another tab, then send what you have typed."}
      </p>
      <form method="post" action={`${pathname}${search}`}>
        {texts.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <Submit>Send again</Submit>
      </form>
    </Alone>,
    401,
  );
}

/** The page that a reader without a session asked for, kept as long as a link to sign in works. */
const WANTED = "prompthook-wanted";
const WANTED_SECONDS = 900;

/** Redirects a reader who has signed in to the page that was asked for, else to the overview. */
export function enterDashboard(http: Page): Response {
  const wanted = choiceOf(http, WANTED) ?? "";
  keepChoice(http, WANTED, "", 0);
  return http.redirect(wanted.startsWith("/dashboard/") ? wanted : "/dashboard", 303);
}

/** Answers for pages that do not exist, and for those that this account may not see. */
export function pageNotFound(http: Page): Response | Promise<Response> {
  return shown(http, 404, "Page not found", "The address is wrong, or the resource was deleted.");
}

/** Readers who are signed in keep the navigation. */
async function shown(http: Page, status: number, title: string, detail: string) {
  const content = (
    <>
      <p>{detail}</p>
      <p class="muted">{`Request ${http.get("requestId")}`}</p>
      <LinkButton href="/dashboard">Go to dashboard</LinkButton>
    </>
  );
  const isSignedIn = (await readSession(http)) !== null;
  const page = isSignedIn ? (
    <Layout title={title} section={null}>
      {content}
    </Layout>
  ) : (
    <Alone title={title}>
      <h2>{title}</h2>
      {content}
    </Alone>
  );
  return show(http, page, PAGE_STATUSES.find((one) => one === status) ?? 500);
}

/** Shows a reader without a session one sentence. */
export function plain(http: Page, title: string, text: string, status: ContentfulStatusCode = 200) {
  return show(
    http,
    <Alone title={title}>
      <Notice tone="bad">{text}</Notice>
    </Alone>,
    status,
  );
}

/** Refuses a link that is not valid; an address that tries too many of them has to wait. */
export async function invalidLink(http: Page, why: string) {
  const isTooMany = await hasFailedTooOften(http);
  const text = isTooMany ? "Too many invalid links. Try again in a minute." : why;
  return plain(http, "Link not valid", text, isTooMany ? 429 : 404);
}

const PAGE_STATUSES: readonly ContentfulStatusCode[] = [
  400, 402, 403, 404, 409, 410, 412, 413, 415, 422, 429, 503,
];

import { type Child, createContext, useContext } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Scope } from "../../contract/keys.ts";
import type { Page, Reader } from "../context.ts";

const ReaderContext = createContext<Reader | null>(null);

/** Answers with a page for the reader who is signed in. */
export function show(http: Page, content: Child, status: ContentfulStatusCode = 200) {
  const reader = http.get("reader") ?? null;
  return http.html(
    <ReaderContext.Provider value={reader}>{content}</ReaderContext.Provider>,
    status,
  );
}

/** Returns the reader of this page; null on a page outside of a session, and in sessions of earlier versions. */
export const useReader = (): Reader | null => useContext(ReaderContext);

/** Tells whether the reader's key has a scope; sessions of earlier versions do not say. */
export const useMay = (scope: Scope): boolean => (useReader()?.scopes ?? [scope]).includes(scope);

/** Shows what needs a scope only to readers whose key has it. */
export function IfMay({ scope, children }: { scope: Scope; children: Child }) {
  return <>{useMay(scope) && children}</>;
}

/** The main action of a page, a link to a form, for readers whose key may send it. */
export function Action({ scope, href, children }: { scope: Scope; href: string; children: Child }) {
  return (
    <IfMay scope={scope}>
      <a class="button primary" href={href}>
        {children}
      </a>
    </IfMay>
  );
}

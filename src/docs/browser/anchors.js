// Runs before the reference loads: sends the anchors of errors, guides and conventions, which `type` of errors
// and older links have, to the pages of today.
const GUIDES = {
  problems: "errors",
  "guide-start": "quickstart",
  "guide-webhooks": "webhooks",
  "guide-callbacks": "callbacks",
  "guide-mcp": "mcp",
  conventions: "conventions",
  authentication: "conventions#authentication-and-scopes",
  bodies: "conventions#bodies-and-times",
  statuses: "conventions#statuses",
  "rate-limits": "conventions#rate-limits",
  idempotency: "conventions#idempotent-requests",
  versions: "conventions#versions",
  lists: "conventions#lists",
  "event-stream": "conventions#event-streams",
  "request-ids": "conventions#request-ids",
  "webhook-checks": "webhooks#checks",
  "webhook-signatures": "webhooks#signatures",
  "webhook-duplicates": "webhooks#duplicates",
  "webhook-batches": "webhooks#batches",
  "webhook-responses": "webhooks#responses",
  "callback-attempts": "callbacks#attempts",
};

/** Returns the page of an anchor that has one of its own. */
function pageOf(anchor) {
  if (anchor.startsWith("problem-")) return `errors#${anchor.slice("problem-".length)}`;
  return Object.hasOwn(GUIDES, anchor) ? GUIDES[anchor] : null;
}

function leave() {
  const page = pageOf(location.hash.slice(1));
  if (page !== null) location.replace(`/docs/${page}`);
}

leave();
addEventListener("hashchange", leave);

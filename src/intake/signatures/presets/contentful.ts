import { header, hmacPreset, shownFirst } from "./preset.ts";

// https://www.contentful.com/developers/docs/webhooks/request-verification/ and signRequest() of
// @contentful/node-apps-toolkit: method, path, the headers that the request lists, and the body.
export const contentful = hmacPreset({
  name: "Contentful",
  docs: "https://www.contentful.com/developers/docs/webhooks/",
  scheme: {
    header: "X-Contentful-Signature",
    template: "{method}\n{path}\n{headers}\n{body}",
    timestampHeader: "X-Contentful-Timestamp",
    signedHeaders: {
      header: "X-Contentful-Signed-Headers",
      item: "{name}:{value}",
      separator: ";",
    },
  },
  secret: shownFirst("Signing secret", "Of the space, under Settings, Webhooks, Settings."),
  place: "Open Settings, Webhooks of the space and switch on request verification",
  note: "Leave out a query of the URL, since the path is signed too.",
  eventId: [header("X-Contentful-Idempotency-Key")],
  eventType: [header("X-Contentful-Topic")],
  sample: {
    headers: {
      "X-Contentful-Topic": "ContentManagement.Entry.publish",
      "X-Contentful-Idempotency-Key": "{{id}}",
    },
    body: { sys: { id: "e1", type: "Entry" }, fields: { title: { "en-US": "Hello" } } },
  },
});

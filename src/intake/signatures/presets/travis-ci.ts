import { body, type KeyPreset, NO_TIME, SIGNED, shownLater } from "./preset.ts";

// https://docs.travis-ci.com/user/notifications/#verifying-webhook-requests: RSA with SHA-1 over the field
// payload of the form. The key is at the address of the API that the documentation names.
export const travisCi: KeyPreset = {
  name: "Travis CI",
  about: "Builds that start, pass and fail.",
  docs: "https://docs.travis-ci.com/user/notifications/#configuring-webhook-notifications",
  scheme: {
    ...SIGNED,
    algorithm: "rsa-sha1",
    header: "Signature",
    encoding: "base64",
    template: "{body.payload}",
  },
  keyPlace: "no part of itself: it is the one of api.travis-ci.com",
  keyOrder: () => ({
    url: "https://api.travis-ci.com/config",
    member: "config.notifications.webhook.public_key",
  }),
  secret: shownLater("Public key", "Fetched from Travis CI’s API."),
  steps: [
    "Add the URL to notifications.webhooks in .travis.yml.",
    "Choose the builds with on_success, on_failure and on_start.",
  ],
  eventType: [body("state")],
  replay: NO_TIME,
  limits:
    "Requests have no id, and any repository of Travis CI can send them: check repository.owner_name by validation. The hash is SHA-1.",
  sample: {
    body: {
      payload:
        '{"id":1,"number":"7","state":"passed","status_message":"Passed","branch":"main","repository":{"owner_name":"acme","name":"shop"}}',
    },
    isForm: true,
  },
};

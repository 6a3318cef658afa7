import { body, keyPreset, shownFirst } from "./preset.ts";

// https://docs.travis-ci.com/user/notifications/#verifying-webhook-requests: RSA with SHA-1 over the field
// payload of the form. The key is at the address of the API that the documentation names.
export const travisCi = keyPreset({
  name: "Travis CI",
  docs: "https://docs.travis-ci.com/user/notifications/#configuring-webhook-notifications",
  scheme: {
    algorithm: "rsa-sha1",
    header: "Signature",
    encoding: "base64",
    template: "{body.payload}",
  },
  keyOrder: () => ({
    url: "https://api.travis-ci.com/config",
    member: "config.notifications.webhook.public_key",
  }),
  audience: {
    name: "owner of the repositories",
    paths: ["repository.owner_name"],
    isRequired: true,
  },
  secret: shownFirst("Owner", "Of the repositories on GitHub. Set auth.signature.audience to it."),
  place: "Add the URL to notifications.webhooks in .travis.yml",
  note: "Set auth.signature.audience to the owner: anyone can have Travis CI send requests.",
  eventType: [body("state")],
  limits: "Requests have no id. The hash of the signature is SHA-1.",
  sample: {
    body: { payload: '{"id":1,"number":"7","state":"passed","branch":"main"}' },
    isForm: true,
  },
});

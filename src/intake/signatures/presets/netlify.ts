import { type HmacPreset, header, NO_TIME, OURS, PLAIN } from "./preset.ts";

// https://docs.netlify.com/deploy/deploy-notifications/#payload-signature: a JSON Web Token, HS256,
// whose claim sha256 is the hash of the body.
export const netlify: HmacPreset = {
  name: "Netlify",
  about: "Deploys that start, succeed or fail; submitted forms.",
  docs: "https://docs.netlify.com/deploy/deploy-notifications/",
  scheme: { ...PLAIN, header: "X-Webhook-Signature", form: "jwt", bodyClaim: "sha256" },
  secret: OURS,
  place: "Open Project configuration, Notifications and add an HTTP POST request",
  note: "The secret is the JWS secret token.",
  eventType: [header("X-Netlify-Event")],
  replay: NO_TIME,
  limits: "Events have no id: the id in the body is the deploy’s.",
  sample: {
    headers: { "X-Netlify-Event": "deploy_created" },
    body: { id: "5d5ad24a", state: "ready", name: "shop", url: "https://shop.netlify.app" },
  },
};

import type { StoredAuth } from "../../contract/webhooks/endpoint.ts";
import {
  type KeyPresetName,
  PRESETS,
  type PresetName,
  type SenderName,
  type TokenPresetName,
} from "../../contract/webhooks/signature.ts";
import { adyen } from "./presets/adyen.ts";
import { appStore } from "./presets/app-store.ts";
import { asana } from "./presets/asana.ts";
import { auth0 } from "./presets/auth0.ts";
import { awsSns } from "./presets/aws-sns.ts";
import { bitbucket } from "./presets/bitbucket.ts";
import { box } from "./presets/box.ts";
import { braintree } from "./presets/braintree.ts";
import { calendly } from "./presets/calendly.ts";
import { circleci } from "./presets/circleci.ts";
import { clerk } from "./presets/clerk.ts";
import { cloudevents } from "./presets/cloudevents.ts";
import { coinbase } from "./presets/coinbase.ts";
import { coinbaseCommerce } from "./presets/coinbase-commerce.ts";
import { contentful } from "./presets/contentful.ts";
import { discord } from "./presets/discord.ts";
import { docusign } from "./presets/docusign.ts";
import { dropbox } from "./presets/dropbox.ts";
import { eventGrid } from "./presets/event-grid.ts";
import { figma } from "./presets/figma.ts";
import { github } from "./presets/github.ts";
import { gitlab } from "./presets/gitlab.ts";
import { hubspot } from "./presets/hubspot.ts";
import { intercom } from "./presets/intercom.ts";
import { jira } from "./presets/jira.ts";
import { line } from "./presets/line.ts";
import { linear } from "./presets/linear.ts";
import { mailgun } from "./presets/mailgun.ts";
import { mandrill } from "./presets/mandrill.ts";
import { mcp } from "./presets/mcp.ts";
import { meta } from "./presets/meta.ts";
import { microsoftGraph } from "./presets/microsoft-graph.ts";
import { monday } from "./presets/monday.ts";
import { netlify } from "./presets/netlify.ts";
import { notion } from "./presets/notion.ts";
import { okta } from "./presets/okta.ts";
import { paddle } from "./presets/paddle.ts";
import { pagerduty } from "./presets/pagerduty.ts";
import { paypal } from "./presets/paypal.ts";
import { pipedrive } from "./presets/pipedrive.ts";
import { plaid } from "./presets/plaid.ts";
import { plivo } from "./presets/plivo.ts";
import { postmark } from "./presets/postmark.ts";
import type { HmacPreset, KeyPreset, TokenPreset } from "./presets/preset.ts";
import { razorpay } from "./presets/razorpay.ts";
import { recurly } from "./presets/recurly.ts";
import { resend } from "./presets/resend.ts";
import { salesforce } from "./presets/salesforce.ts";
import { sendgrid } from "./presets/sendgrid.ts";
import { sentry } from "./presets/sentry.ts";
import { shopify } from "./presets/shopify.ts";
import { slack } from "./presets/slack.ts";
import { square } from "./presets/square.ts";
import { standardWebhooks } from "./presets/standard-webhooks.ts";
import { standardWebhooksV1a } from "./presets/standard-webhooks-v1a.ts";
import { stripe } from "./presets/stripe.ts";
import { svix } from "./presets/svix.ts";
import { telegram } from "./presets/telegram.ts";
import { travisCi } from "./presets/travis-ci.ts";
import { trello } from "./presets/trello.ts";
import { twilio } from "./presets/twilio.ts";
import { twitch } from "./presets/twitch.ts";
import { typeform } from "./presets/typeform.ts";
import { vercel } from "./presets/vercel.ts";
import { woocommerce } from "./presets/woocommerce.ts";
import { zendesk } from "./presets/zendesk.ts";
import { zoom } from "./presets/zoom.ts";

const HMAC: Record<PresetName, HmacPreset> = {
  github,
  stripe,
  shopify,
  slack,
  "standard-webhooks": standardWebhooks,
  zoom,
  twitch,
  square,
  twilio,
  adyen,
  asana,
  bitbucket,
  box,
  braintree,
  calendly,
  circleci,
  clerk,
  coinbase,
  "coinbase-commerce": coinbaseCommerce,
  contentful,
  docusign,
  dropbox,
  hubspot,
  intercom,
  jira,
  line,
  linear,
  mailgun,
  mandrill,
  mcp,
  meta,
  monday,
  netlify,
  notion,
  paddle,
  pagerduty,
  plivo,
  razorpay,
  recurly,
  resend,
  salesforce,
  sentry,
  svix,
  trello,
  typeform,
  vercel,
  woocommerce,
  zendesk,
};

const KEY: Record<KeyPresetName, KeyPreset> = {
  "app-store": appStore,
  "aws-sns": awsSns,
  discord,
  paypal,
  plaid,
  sendgrid,
  "standard-webhooks-v1a": standardWebhooksV1a,
  "travis-ci": travisCi,
};

const TOKEN: Record<TokenPresetName, TokenPreset> = {
  auth0,
  cloudevents,
  "event-grid": eventGrid,
  figma,
  gitlab,
  "microsoft-graph": microsoftGraph,
  okta,
  pipedrive,
  postmark,
  telegram,
};

/** The preset of a sender that signs with a shared secret. */
export function presetOf(name: PresetName): HmacPreset {
  return HMAC[name];
}

/** Header names that many senders share. */
const SHARED = ["Authorization", "X-Hub-Signature"];

/** The presets that a signature can be recognized by: the header is their own and holds a digest. */
export const RECOGNIZED: readonly PresetName[] = PRESETS.filter((name) => {
  const { scheme } = HMAC[name];
  return scheme.in !== "body" && scheme.form !== "jwt" && !SHARED.includes(scheme.header);
});

/** The preset of a sender that signs with a private key. */
export function presetOfKey(name: KeyPresetName): KeyPreset {
  return KEY[name];
}

/** The preset of a sender that does not sign. */
export function presetOfToken(name: TokenPresetName): TokenPreset {
  return TOKEN[name];
}

/** A preset with its name and the method that it sets. */
export type NamedPreset =
  | { method: "hmac"; preset: PresetName; sender: HmacPreset }
  | { method: "signature"; preset: KeyPresetName; sender: KeyPreset }
  | { method: "token"; preset: TokenPresetName; sender: TokenPreset };

/** Returns the preset of this name, whatever it verifies. */
export function presetNamed(name: SenderName): NamedPreset {
  if (isIn(KEY, name)) return { method: "signature", preset: name, sender: KEY[name] };
  if (isIn(TOKEN, name)) return { method: "token", preset: name, sender: TOKEN[name] };
  return { method: "hmac", preset: name, sender: HMAC[name] };
}

function isIn<Name extends SenderName>(
  presets: Record<Name, unknown>,
  name: SenderName,
): name is Name {
  return Object.hasOwn(presets, name);
}

/** Returns the authentication with the current schemes of its presets: a stored copy may be older. */
export function withPresets(auth: StoredAuth): StoredAuth {
  const { hmac, signature } = auth;
  return {
    ...auth,
    hmac: hmac?.preset ? { ...hmac, scheme: presetOf(hmac.preset).scheme } : hmac,
    ...(signature?.preset && {
      signature: { ...signature, scheme: presetOfKey(signature.preset).scheme },
    }),
  };
}

/** Returns the sender that an endpoint's authentication names, or null. */
export function senderOf({
  hmac,
  signature,
  token,
}: Pick<StoredAuth, "hmac" | "signature" | "token">): HmacPreset | KeyPreset | TokenPreset | null {
  if (hmac?.preset) return presetOf(hmac.preset);
  if (signature?.preset) return presetOfKey(signature.preset);
  return token?.preset ? presetOfToken(token.preset) : null;
}

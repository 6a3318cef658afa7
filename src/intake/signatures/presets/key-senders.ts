// Senders that sign with a private key, under the names of their presets.
export { appStore as "app-store" } from "./app-store.ts";
export { awsSns as "aws-sns" } from "./aws-sns.ts";
export { discord } from "./discord.ts";
export { paypal } from "./paypal.ts";
export { plaid } from "./plaid.ts";
export { sendgrid } from "./sendgrid.ts";
export { standardWebhooksV1a as "standard-webhooks-v1a" } from "./standard-webhooks-v1a.ts";
export { travisCi as "travis-ci" } from "./travis-ci.ts";

import { header, hmacPreset, shownLater } from "./preset.ts";

// https://docs.cdp.coinbase.com/webhooks/verify-signatures: v1 covers the headers that h lists.
export const coinbase = hmacPreset({
  name: "Coinbase Developer Platform",
  docs: "https://docs.cdp.coinbase.com/webhooks/overview",
  scheme: {
    header: "X-Hook0-Signature",
    form: "pairs",
    prefix: "v1",
    timestampPair: "t",
    template: "{timestamp}.{headerNames}.{headers}.{body}",
    signedHeaders: { pair: "h", item: "{value}", separator: "." },
  },
  secret: shownLater("Secret", "metadata.secret of the response to its creation."),
  place: "Create a webhook subscription by Coinbase’s API, with the URL as its target",
  eventId: [header("X-Event-Id")],
  eventType: [header("X-Event-Type")],
  sample: {
    headers: { "X-Event-Id": "{{id}}", "X-Event-Type": "onchain.activity.detected" },
    body: { network: "base-mainnet", eventName: "Transfer", value: "1000000" },
  },
});

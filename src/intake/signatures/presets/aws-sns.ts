import { readPath } from "../../mapping/payload-path.ts";
import { field, type Handshake } from "./handshake.ts";
import { body, HOUR, keyPreset, shownFirst } from "./preset.ts";

/** The certificates of Amazon SNS, in any region. */
const CERTIFICATE =
  /^https:\/\/sns\.[a-z]{2}[a-z0-9-]{3,30}\.amazonaws\.com(?:\.cn)?\/SimpleNotificationService-[0-9a-f]{32}\.pem$/;

const text = (...names: string[]): string =>
  names
    .map((name) => `${name}\n{${name === "Timestamp" ? "timestamp" : `body.${name}`}}\n`)
    .join("");

const CONFIRMATION =
  /^https:\/\/sns\.[a-z]{2}[a-z0-9-]{3,30}\.amazonaws\.com(?:\.cn)?\/\?Action=ConfirmSubscription&/;

// https://docs.aws.amazon.com/sns/latest/dg/SendMessageToHttp.prepare.html: the message is signed.
const confirmation: Handshake = {
  about: "signed SubscriptionConfirmation: confirmed at Amazon’s address",
  isAuthenticated: true,
  async answer({ payload, confirm }) {
    const type = field(payload, "Type");
    const answer = { contentType: "text/plain", body: "" };
    if (type === "UnsubscribeConfirmation") return { status: 200, ...answer };
    if (type !== "SubscriptionConfirmation") return null;
    const url = field(payload, "SubscribeURL");
    const isConfirmed = typeof url === "string" && CONFIRMATION.test(url) && (await confirm(url));
    return { status: isConfirmed ? 200 : 503, ...answer };
  },
};

// https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html: fields of the message,
// each with its name, without the subject where there is none. Signature version 1 uses SHA-1. The time
// is the one of publishing: retries, by default for minutes and at most for an hour, repeat it.
export const awsSns = keyPreset({
  name: "Amazon SNS",
  docs: "https://docs.aws.amazon.com/sns/latest/dg/sns-http-https-endpoint-as-subscriber.html",
  scheme: {
    in: "body",
    algorithm: "rsa-sha256",
    orSha1: true,
    header: "Signature",
    encoding: "base64",
    timestampHeader: "Timestamp",
    template: text("Message", "MessageId", "Timestamp", "TopicArn", "Type"),
    alternatives: [
      text("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"),
      text("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"),
    ],
  },
  audience: { name: "ARN of the topic", paths: ["TopicArn"], isRequired: false },
  keyOrder({ payload }) {
    const url = payload === undefined ? undefined : readPath(payload, "SigningCertURL");
    return typeof url === "string" && CERTIFICATE.test(url) ? { url } : null;
  },
  secret: shownFirst("ARN of the topic", "Set auth.signature.audience to it."),
  place: "Open the topic in the SNS console, Create subscription, and choose HTTPS",
  note: "Prompthook confirms the subscription.",
  eventId: [body("MessageId")],
  eventType: [body("Type")],
  replay: { time: "signed", toleranceSeconds: 24 * HOUR },
  handshakes: [confirmation],
  limits:
    "Without the topic’s ARN as audience, messages of any topic of any AWS account pass. Raw message delivery is not signed. The message is text; map it with the transform json.",
  sample: {
    headers: { "x-amz-sns-message-type": "Notification" },
    body: {
      Type: "Notification",
      MessageId: "{{id}}",
      TopicArn: "arn:aws:sns:us-east-1:123456789012:alarms",
      Message: '{"AlarmName":"high-cpu"}',
    },
  },
});

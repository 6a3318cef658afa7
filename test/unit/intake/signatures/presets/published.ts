import type { Published } from "./sent.ts";

const BOX: Published = {
  preset: "box",
  source: "https://github.com/box/box-node-sdk/blob/main/docs/webhooks.md",
  secret: "SamplePrimaryKey",
  at: Date.parse("2020-01-01T00:00:00-07:00") / 1_000,
  headers: {
    "box-delivery-id": "f96bb54b-ee16-4fc5-aa65-8c2d9e5b546f",
    "box-delivery-timestamp": "2020-01-01T00:00:00-07:00",
    "box-signature-algorithm": "HmacSHA256",
    "box-signature-primary": "6TfeAW3A1PASkgboxxA5yqHNKOwFyMWuEXny/FPD5hI=",
    "box-signature-secondary": "v+1CD1Jdo3muIcbpv5lxxgPglOqMfsNHPV899xWYydo=",
    "box-signature-version": "1",
  },
  body: '{"type":"webhook_event","webhook":{"id":"1234567890"},"trigger":"FILE.UPLOADED","source":{"id":"1234567890","type":"file","name":"Test.txt"}}',
  event: [null, "FILE.UPLOADED"],
};

/**
 * Requests with signatures that senders publish in their documentation or in the tests of their own
 * libraries, with the source of each.
 */
export const PUBLISHED: Published[] = [
  {
    preset: "square",
    source: "https://github.com/square/square-nodejs-sdk, tests of WebhooksHelper",
    secret: "Ibxx_5AKakO-3qeNVR61Dw",
    url: "https://webhook.site/679a4f3a-dcfa-49ee-bac5-9d0edad886b9",
    headers: { "x-square-hmacsha256-signature": "GF4YkrJgGBDZ9NIYbNXBnMzqb2HoL4RW/S6vkZ9/2N4=" },
    body: '{"merchant_id":"MLEFBHHSJGVHD","type":"webhooks.test_notification","event_id":"ac3ac95b-f97d-458c-a6e6-18981597e05f","created_at":"2022-07-13T20:30:59.037339943Z","data":{"type":"webhooks","id":"bc368e64-01aa-407e-b46e-3231809b1129"}}',
    event: ["ac3ac95b-f97d-458c-a6e6-18981597e05f", "webhooks.test_notification"],
  },
  ...(["bitbucket", "jira"] as const).map(
    (preset): Published => ({
      preset,
      source: "https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/",
      secret: "It's a Secret to Everybody",
      headers: {
        "content-type": "text/plain",
        "x-hub-signature":
          "sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9",
        "x-request-uuid": "r1",
        "x-event-key": "repo:push",
        "x-atlassian-webhook-identifier": "r1",
      },
      body: "Hello World!",
      event: ["r1", preset === "jira" ? null : "repo:push"],
    }),
  ),
  BOX,
  {
    ...BOX,
    source: `${BOX.source}, the secondary key alone`,
    secret: "SampleSecondaryKey",
  },
  {
    preset: "adyen",
    source: "https://github.com/Adyen/adyen-node-api-library, tests of HmacValidator",
    secret: "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056",
    headers: {},
    body: JSON.stringify({
      live: "false",
      notificationItems: [
        {
          NotificationRequestItem: {
            additionalData: { hmacSignature: "coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=" },
            amount: { currency: "EUR", value: 1130 },
            eventCode: "AUTHORISATION",
            merchantAccountCode: "TestMerchant",
            merchantReference: "TestPayment-1407325143704",
            originalReference: null,
            pspReference: "7914073381342284",
            success: "true",
          },
        },
      ],
    }),
    tampered: (body) => body.replace("1130", "1131"),
    event: [null, "AUTHORISATION"],
  },
  {
    preset: "razorpay",
    source: "https://github.com/razorpay/razorpay-node, tests of validateWebhookSignature",
    secret: "123456",
    headers: {
      "x-razorpay-signature": "2fe04e22977002e6c7cb553adab8b460cb9e2a4970d5953cb27a8472752e3bbc",
      "x-razorpay-event-id": "e1",
    },
    body: '{"a":1,"b":2,"c":{"d":3}}',
    event: ["e1", null],
  },
  {
    preset: "paddle",
    source: "https://github.com/PaddleHQ/paddle-node-sdk, tests of WebhooksValidator",
    secret: "VALID_SECRET",
    at: 1_698_796_800,
    headers: {
      "paddle-signature":
        "ts=1698796800;h1=28981e941fae76e53db32f3d2a83cb69db41476595e84e1970a1b5d98f62b261;h1=28981e941fae76e53db32f3d2a83cb69db41476595e84e1970a1b5d98f62b261;h2=RANDOM_HASH",
    },
    body: '{"data": "value"}',
  },
  {
    preset: "line",
    source:
      "https://github.com/line/line-bot-sdk-nodejs/blob/master/test/validate-signature.spec.ts",
    secret: "test_secret",
    headers: { "x-line-signature": "t7Hn4ZDHqs6e+wdvI5TyQIvzie0DmMUmuXEBqyyE/tM=" },
    body: '{"hello":"world"}',
  },
  {
    preset: "sendgrid",
    source: "https://github.com/sendgrid/sendgrid-nodejs, tests of eventwebhook",
    publicKey:
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==",
    otherKey:
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqTxd43gyp8IOEto2LdIfjRQrIbsd4SXZkLW6jDutdhXSJCWHw8REntlo7aNDthvj+y7GjUuFDb/R1NGe1OPzpA==",
    at: 1_600_112_502,
    headers: {
      "x-twilio-email-event-webhook-signature":
        "MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM=",
      "x-twilio-email-event-webhook-timestamp": "1600112502",
    },
    body: '[{"email":"hello@world.com","event":"dropped","reason":"Bounced Address","sg_event_id":"ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA","sg_message_id":"LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0","smtp-id":"<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>","timestamp":1600112492}]\r\n',
    event: ["ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA", "dropped"],
  },
  {
    preset: "braintree",
    source: "https://www.npmjs.com/package/braintree 3.40.0, webhookTesting.sampleNotification()",
    secret: "integration_private_key",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      bt_signature: `other_key|${"0".repeat(40)}&integration_public_key|63478101681f9e88f55db960c1d1c88b016c00f7`,
      bt_payload:
        "PG5vdGlmaWNhdGlvbj4KICAgIDx0aW1lc3RhbXAgdHlwZT0iZGF0ZXRpbWUiPjIwMjYtMTEtMjNUMjM6NDg6NTVaPC90aW1lc3RhbXA+CiAgICA8a2luZD5jaGVjazwva2luZD4KICAgIAogICAgPHN1YmplY3Q+PGNoZWNrIHR5cGU9ImJvb2xlYW4iPnRydWU8L2NoZWNrPjwvc3ViamVjdD4KPC9ub3RpZmljYXRpb24+\n",
    }).toString(),
    tampered: (body) => body.replace("PG5v", "PG5w"),
  },
  {
    preset: "contentful",
    source: "https://www.npmjs.com/package/@contentful/node-apps-toolkit 3.16.1, signRequest()",
    secret: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    headers: {
      "content-type": "application/vnd.contentful.management.v1+json",
      "x-contentful-topic": "ContentManagement.Entry.publish",
      "x-contentful-idempotency-key": "k1",
      "x-contentful-signature": "8eeca65f7396cb54b417ab53bcd29e6d09334c7b8c0d80776ea4679c1cdd7d96",
      "x-contentful-signed-headers":
        "content-type,x-contentful-signed-headers,x-contentful-timestamp,x-contentful-topic",
      "x-contentful-timestamp": "1795000000000",
    },
    body: '{"sys":{"id":"e1"}}',
    event: ["k1", "ContentManagement.Entry.publish"],
  },
  ...(
    [
      [
        "",
        "To=15550101&From=15550100&Event=Hangup",
        "vrBRke2jTD+isVr4bJ9X6GPjJUPuNPufRpZLr8H3uEg=",
      ],
      ["?b=2&a=x%20y", "To=1&From=2", "y+6wKcNodgl18gXwU8JptQmrPlM67nCgqqbFaUxutFw="],
    ] as const
  ).map(
    ([query, body, signature]): Published => ({
      preset: "plivo",
      source: `https://www.npmjs.com/package/plivo 4.79.0, validateV3Signature(), with ${query || "no query"}`,
      secret: "plivo-auth-token-of-tests",
      url: `https://hooks.example/hooks/ep_1${query}`,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-plivo-signature-v3": `${"A".repeat(43)}=,${signature}`,
        "x-plivo-signature-v3-nonce": "12345678901234567890",
      },
      body,
      tampered: (sent) => sent.replace("From=", "From=9"),
      event: [null, query === "" ? "Hangup" : null],
    }),
  ),
];

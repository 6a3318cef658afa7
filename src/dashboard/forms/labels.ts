/** What the controls are called to their readers, by the paths that the API names them by. */
const LABELS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "": "Form",
    approvals: "Tools that wait for a yes",
    "auth.hmac.header": "Header of the signature",
    "auth.hmac.idHeader": "Header of the id",
    "auth.hmac.prefix": "Prefix",
    "auth.hmac.secret": "Secret of the signature",
    "auth.hmac.template": "Signed text",
    "auth.hmac.timestampHeader": "Header of the timestamp",
    "auth.hmac.timestampPair": "Pair of the timestamp",
    "auth.ipAllowlist": "IP allowlist",
    "auth.token.header": "Header of the token",
    "auth.token.secret": "Token",
    answer: "Your answer",
    body: "Body",
    callbackSecret: "Callback secret",
    callbackUrl: "Callback URL",
    createdAfter: "Created after",
    createdBefore: "Created before",
    eventId: "Event id",
    expiresIn: "It expires",
    headerName: "Header",
    headerValue: "Value of the header",
    headers: "Headers",
    inputs: "Inputs",
    mapping: "Mapping",
    maxCredits: "Credits at most",
    maxSteps: "Steps at most",
    metadata: "Notes of your own",
    methods: "Methods",
    model: "Model",
    name: "Name",
    outputSchema: "Schema of the result",
    path: "Custom path",
    payload: "Payload",
    prompt: "Prompt",
    receivedAfter: "Received after",
    receivedBefore: "Received before",
    "replayProtection.timestamp": "Time of sending",
    "replayProtection.toleranceSeconds": "Seconds either way",
    requestsPerMinute: "Requests a minute at most",
    retentionDays: "Days that the log is kept",
    secret: "New secret",
    sourceIp: "Sender's address",
    timeoutSeconds: "Seconds at most",
    tools: "Tools",
    url: "Address",
    validation: "Validation",
    workflowId: "Workflow",
  }),
);

/** What a list that has rows calls one of them. */
const ROWS: ReadonlyMap<string, string> = new Map([
  ["inputs", "Input"],
  ["auth.headers", "Header"],
]);

/** What a reader knows the control of this path by; the path itself where it has none. */
export function labelOf(path: string, labels: Readonly<Record<string, string>> = {}): string {
  const label = Object.hasOwn(labels, path) ? labels[path] : LABELS.get(path);
  if (label !== undefined) return label;
  const [, list = "", at, field] = /^(.+)\[(\d+)\]\.(\w+)$/.exec(path) ?? [];
  const row = ROWS.get(list);
  return row === undefined ? path : `${row} ${Number(at) + 1}, ${field}`;
}

/** A figure, as the table shows it. Its name is stable: programs read it from the file of `--json`. */
interface Row {
  /** The name of the figure. */
  name: string;
  label: string;
  unit: "/s" | "ms" | "KB" | "$" | "";
  /** The figure to divide by. */
  of?: string;
  /** The highest or lowest value of the figure, or of the ratio where it is of another. */
  target?: { atMost: number } | { atLeast: number };
}

/** All figures by section. Sizes are in bytes; the table shows kilobytes. */
export const SECTIONS = [
  {
    title: "The bare platform",
    rows: [
      { name: "bareRoutePerSecond", label: "route", unit: "/s" },
      { name: "bareWritePerSecond", label: "write of a living object", unit: "/s" },
      { name: "bareWriteP50Ms", label: "write of a living object, p50", unit: "ms" },
      { name: "bareNewObjectPerSecond1", label: "new object, 1 client", unit: "/s" },
      { name: "bareNewObjectPerSecond32", label: "new object, 32 clients", unit: "/s" },
      { name: "bareNewObjectP50Ms", label: "new object, 1 client, p50", unit: "ms" },
      { name: "bareRunPerSecond32", label: "durable run, 32 clients", unit: "/s" },
      { name: "bareRunP50Ms", label: "durable run, 1 client, p50", unit: "ms" },
      { name: "bareRunP99Ms", label: "durable run, 1 client, p99", unit: "ms" },
    ],
  },
  {
    title: "Executions of one step",
    rows: [
      {
        name: "finishedPerSecond",
        label: "finished, 32 clients",
        unit: "/s",
        of: "bareRunPerSecond32",
        target: { atLeast: 0.8 },
      },
      {
        name: "sustainedPerSecond",
        label: "finished while accepting",
        unit: "/s",
        of: "bareRunPerSecond32",
        target: { atLeast: 0.95 },
      },
      { name: "sustainedAcceptedPerSecond", label: "accepted meanwhile", unit: "/s" },
      { name: "openAtEnd", label: "open at the end", unit: "" },
      {
        name: "endToEndP50Ms",
        label: "trigger to end, 1 client, p50",
        unit: "ms",
        of: "bareRunP50Ms",
        target: { atMost: 2 },
      },
      { name: "endToEndP99Ms", label: "trigger to end, 1 client, p99", unit: "ms" },
      {
        name: "acceptedPerSecond",
        label: "triggers accepted",
        unit: "/s",
        of: "bareWritePerSecond",
        target: { atLeast: 0.5 },
      },
      { name: "cpuMsPerExecution", label: "CPU", unit: "ms" },
    ],
  },
  {
    title: "Signed webhooks",
    rows: [
      { name: "webhooksPerSecond1", label: "accepted, 1 connection", unit: "/s" },
      {
        name: "webhooksPerSecond16",
        label: "accepted, 16 connections",
        unit: "/s",
        of: "bareWritePerSecond",
        target: { atLeast: 0.5 },
      },
      {
        name: "routedWebhooksPerSecond16",
        label: "accepted with routes, of those without",
        unit: "/s",
        of: "webhooksPerSecond16",
        target: { atLeast: 0.9 },
      },
      {
        name: "unroutedWebhooksPerSecond16",
        label: "accepted, nothing to start",
        unit: "/s",
        of: "bareWritePerSecond",
        target: { atLeast: 0.5 },
      },
      { name: "webhooksPerSecond64", label: "accepted, 64 connections", unit: "/s" },
      { name: "webhookToStartP50Ms", label: "receipt to start, p50", unit: "ms" },
      { name: "webhookToStartP99Ms", label: "receipt to start, p99", unit: "ms" },
    ],
  },
  {
    title: "Steps of one long execution",
    rows: [
      { name: "stepMs10", label: "step 10", unit: "ms" },
      {
        name: "stepCostRatio300",
        label: "step 300, of step 10",
        unit: "",
        target: { atMost: 1.2 },
      },
      {
        name: "stepCostRatio1000",
        label: "step 1,000, of step 10",
        unit: "",
        target: { atMost: 1.2 },
      },
    ],
  },
  {
    title: "Sessions that wait",
    rows: [
      { name: "waitingSessions", label: "sessions", unit: "" },
      {
        name: "bytesPerWaitingSession",
        label: "memory of one, for a slow model",
        unit: "KB",
        target: { atMost: 61_440 },
      },
      { name: "bareBytesPerWaitingFetch", label: "memory of a bare request", unit: "KB" },
      {
        name: "bytesPerSessionWaitingForInput",
        label: "memory of one, for input",
        unit: "KB",
        target: { atMost: 61_440 },
      },
      {
        name: "statusP50Ms",
        label: "status meanwhile, p50",
        unit: "ms",
        target: { atMost: 20 },
      },
      { name: "statusP99Ms", label: "status meanwhile, p99", unit: "ms" },
    ],
  },
  {
    title: "Costs of one execution",
    rows: [
      {
        name: "flushesPerExecution",
        label: "flushes on the path",
        unit: "",
        target: { atMost: 3 },
      },
      { name: "flushesInAllPerExecution", label: "flushes in all", unit: "" },
      {
        name: "objectRowsPerExecution",
        label: "object rows written",
        unit: "",
        target: { atMost: 15 },
      },
      { name: "d1RowsPerExecution", label: "D1 rows written", unit: "", target: { atMost: 2 } },
      { name: "objectRequestsPerExecution", label: "object requests", unit: "" },
      { name: "alarmsPerExecution", label: "alarms", unit: "" },
      { name: "objectRowsPerWebhook", label: "object rows written, by webhook", unit: "" },
      { name: "d1RowsPerWebhook", label: "D1 rows written, by webhook", unit: "" },
      { name: "objectRequestsPerWebhook", label: "object requests, by webhook", unit: "" },
      { name: "alarmsPerWebhook", label: "alarms, by webhook", unit: "" },
      { name: "queueMessagesPerWebhook", label: "queue messages, by webhook", unit: "" },
      {
        name: "objectRowsPerWebhookTogether",
        label: "object rows written, by webhooks together",
        unit: "",
        target: { atMost: 14 },
      },
      {
        name: "objectRequestsPerWebhookTogether",
        label: "object requests, by webhooks together",
        unit: "",
        target: { atMost: 4 },
      },
      {
        name: "diskBytesPerExecution",
        label: "disk after the end",
        unit: "KB",
        target: { atMost: 12_288 },
      },
    ],
  },
  {
    title: "A burst of 5,000 over 64 connections",
    rows: [
      { name: "burstUnroutedPerSecond", label: "webhooks that start nothing", unit: "/s" },
      {
        name: "burstWebhooksPerSecond",
        label: "webhooks that start executions",
        unit: "/s",
        of: "burstUnroutedPerSecond",
        target: { atLeast: 0.5 },
      },
      { name: "burstWebhookP50Ms", label: "webhook, p50", unit: "ms" },
      { name: "burstWebhookP99Ms", label: "webhook, p99", unit: "ms", target: { atMost: 400 } },
      { name: "burstWebhookExecutions", label: "executions by webhook", unit: "" },
      { name: "slowWebhookSeconds", label: "all ended, sent slowly (s)", unit: "" },
      {
        name: "burstWebhookSeconds",
        label: "all ended, sent at once (s)",
        unit: "",
        of: "slowWebhookSeconds",
        target: { atMost: 1.2 },
      },
      { name: "burstTriggersPerSecond", label: "triggers", unit: "/s" },
      { name: "burstTriggerP99Ms", label: "trigger, p99", unit: "ms", target: { atMost: 400 } },
      { name: "burstTriggerExecutions", label: "executions by trigger", unit: "" },
      { name: "slowTriggerSeconds", label: "all ended, sent slowly (s)", unit: "" },
      {
        name: "burstTriggerSeconds",
        label: "all ended, sent at once (s)",
        unit: "",
        of: "slowTriggerSeconds",
        target: { atMost: 1.2 },
      },
    ],
  },
  {
    title: "Executions whose end destinations take",
    rows: [
      { name: "finishedWithoutDestination", label: "finished, none", unit: "/s" },
      {
        name: "finishedWithOneDestination",
        label: "finished, one",
        unit: "/s",
        of: "finishedWithoutDestination",
      },
      {
        name: "finishedWithFiveDestinations",
        label: "finished, five",
        unit: "/s",
        of: "finishedWithoutDestination",
      },
      { name: "usdWithoutDestination", label: "price of a million, none", unit: "$" },
      { name: "usdWithOneDestination", label: "price of a million, one", unit: "$" },
      { name: "usdWithFiveDestinations", label: "price of a million, five", unit: "$" },
    ],
  },
  {
    title: "Price of a million",
    rows: [
      { name: "usdPerMillion", label: "one step", unit: "$", target: { atMost: 20 } },
      {
        name: "usdPerMillionWebhook",
        label: "one step, by webhook",
        unit: "$",
        target: { atMost: 30 },
      },
      {
        name: "usdPerMillionWebhookTogether",
        label: "one step, by webhooks together",
        unit: "$",
        target: { atMost: 18 },
      },
      { name: "usdPerMillionCallback", label: "one step, with callback", unit: "$" },
      { name: "usdPerMillionPage", label: "that opens a page", unit: "$" },
      {
        name: "usdPerMillionWaiting",
        label: "60 s for a model, many at once",
        unit: "$",
        target: { atMost: 8 },
      },
      {
        name: "usdPerMillionWaitingAlone",
        label: "60 s for a model, alone",
        unit: "$",
        target: { atMost: 30 },
      },
      { name: "usdPerMillionLogs", label: "log lines of one step", unit: "$" },
      { name: "usdPerMillionDeletion", label: "deletion of one step", unit: "$" },
    ],
  },
] as const satisfies readonly { title: string; rows: readonly Row[] }[];

/** The name of a figure. */
type FigureName =
  | (typeof SECTIONS)[number]["rows"][number]["name"]
  | "stepMs300"
  | "stepMs1000"
  | "sustainedCpuMsPerExecution"
  /** Requests of all loads whose connection was closed, or whose response was a 5xx. */
  | "lostRequests";

/** What was measured. */
export type Figures = Partial<Record<FigureName, number>>;

/** Joins the figures of the parts; what both counted as lost is added up. */
export function joinFigures(parts: readonly Figures[]): Figures {
  const lostRequests = parts.reduce((sum, part) => sum + (part.lostRequests ?? 0), 0);
  return { ...Object.assign({}, ...parts), lostRequests };
}

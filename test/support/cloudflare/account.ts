import { randomUUID } from "node:crypto";
import * as z from "zod";

/** A Worker as wrangler uploads it: what the part `metadata` of the form says of it. */
export const metadata = z.object({
  main_module: z.string(),
  bindings: z.array(
    z.discriminatedUnion("type", [
      z.object({ type: z.literal("plain_text"), name: z.string(), text: z.string() }),
      z.object({ type: z.literal("secret_text"), name: z.string(), text: z.string() }),
      z.object({ type: z.literal("inherit"), name: z.string() }),
      z.object({ type: z.literal("d1"), name: z.string(), id: z.string() }),
      z.object({ type: z.literal("queue"), name: z.string(), queue_name: z.string() }),
      z.object({
        type: z.literal("durable_object_namespace"),
        name: z.string(),
        class_name: z.string(),
      }),
      z.object({
        type: z.literal("ratelimit"),
        name: z.string(),
        namespace_id: z.string(),
        simple: z.object({ limit: z.int(), period: z.union([z.literal(10), z.literal(60)]) }),
      }),
      z.object({ type: z.enum(["ai", "browser", "send_email"]), name: z.string() }),
    ]),
  ),
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()),
  observability: z.object({ enabled: z.boolean() }),
});
export type Binding = z.infer<typeof metadata>["bindings"][number];

/** A deployed version of the Worker. */
export interface Version {
  metadata: z.infer<typeof metadata>;
  /** The main one is among them; `type` is the media type that it was uploaded as. */
  modules: { name: string; type: string; bytes: Uint8Array }[];
  /** The secrets that it runs with. */
  secrets: Record<string, string>;
}

export const consumer = z.object({
  script_name: z.string(),
  dead_letter_queue: z.string().optional(),
  settings: z.object({
    batch_size: z.int(),
    max_retries: z.int().optional(),
    max_wait_time_ms: z.int(),
  }),
});
export type Consumer = z.infer<typeof consumer>;

/** What an account at Cloudflare has. */
export class CloudflareAccount {
  readonly id = randomUUID().replaceAll("-", "");
  readonly databases: { uuid: string; name: string }[] = [];
  readonly queues: { queue_id: string; queue_name: string; consumer: Consumer | null }[] = [];
  /** The Worker's versions, the newest last; none before it is created. */
  readonly versions: Version[] = [];
  tags: string[] = [];
  onWorkersDev = false;

  /** Throws for an inherited secret or binding that the version before does not have. */
  addVersion({ metadata, modules }: Omit<Version, "secrets">): void {
    const before = this.versions.at(-1);
    const secrets = { ...before?.secrets };
    const bindings = metadata.bindings.map((binding) => {
      if (binding.type === "secret_text") secrets[binding.name] = binding.text;
      if (binding.type !== "inherit" || secrets[binding.name] !== undefined) return binding;
      const inherited = before?.metadata.bindings.find(({ name }) => name === binding.name);
      if (inherited === undefined) throw new Error(`inherit binding '${binding.name}' is invalid`);
      return inherited;
    });
    this.versions.push({ metadata: { ...metadata, bindings }, modules, secrets });
  }
}

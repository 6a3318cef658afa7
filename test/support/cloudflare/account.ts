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
      z.object({ type: z.enum(["ai", "assets", "browser", "send_email"]), name: z.string() }),
    ]),
  ),
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()),
  observability: z.looseObject({ enabled: z.boolean() }),
  limits: z.object({ cpu_ms: z.int() }).optional(),
  assets: z.object({ jwt: z.string() }),
  migrations: z.object({ new_tag: z.string() }).optional(),
  code_update_strategy: z.object({ mode: z.string() }).optional(),
});
export type Binding = z.infer<typeof metadata>["bindings"][number];

/** An uploaded version of a Worker. */
export interface Version {
  id: string;
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

/** A version that was put to work; `updateMode` says how objects change to its code. */
interface Deployment {
  id: string;
  versionId: string;
  updateMode: string;
  createdAt: number;
}

/** A Worker of an account. */
export class DeployedWorker {
  readonly name: string;
  /** Its versions, the newest last. */
  readonly versions: Version[] = [];
  /** Its deployments, the newest last. */
  readonly deployments: Deployment[] = [];
  tags: string[] = [];
  onWorkersDev = false;
  previewUrls = false;
  migrationTag: string | undefined;

  constructor(name: string) {
    this.name = name;
  }

  /** Throws for an inherited secret or binding that the version before does not have. */
  addVersion({ metadata, modules }: Pick<Version, "metadata" | "modules">): Version {
    const before = this.versions.at(-1);
    const secrets = { ...before?.secrets };
    const bindings = metadata.bindings.map((binding) => {
      if (binding.type === "secret_text") secrets[binding.name] = binding.text;
      if (binding.type !== "inherit" || secrets[binding.name] !== undefined) return binding;
      const inherited = before?.metadata.bindings.find(({ name }) => name === binding.name);
      if (inherited === undefined) throw new Error(`inherit binding '${binding.name}' is invalid`);
      return inherited;
    });
    const version = { id: randomUUID(), metadata: { ...metadata, bindings }, modules, secrets };
    this.versions.push(version);
    this.migrationTag = metadata.migrations?.new_tag ?? this.migrationTag;
    return version;
  }

  deploy(versionId: string, updateMode = "deferred"): Deployment {
    const deployment = { id: randomUUID(), versionId, updateMode, createdAt: Date.now() };
    this.deployments.push(deployment);
    return deployment;
  }

  /** The version that runs; undefined before the first deployment. */
  get deployed(): Version | undefined {
    const versionId = this.deployments.at(-1)?.versionId;
    return this.versions.find(({ id }) => id === versionId);
  }
}

interface Database {
  uuid: string;
  name: string;
  /** The region that it was created near. */
  location: string | null;
  replication: string;
}

/** What an account at Cloudflare has, and what its owner has done to get it. */
export class CloudflareAccount {
  readonly id = randomUUID().replaceAll("-", "");
  plan: "free" | "paid" = "paid";
  hasQueues = true;
  isEmailVerified = true;
  /** Its name on workers.dev; null before one is registered. */
  subdomain: string | null = "harbour-lane";
  readonly databases: Database[] = [];
  readonly queues: { queue_id: string; queue_name: string; consumer: Consumer | null }[] = [];
  readonly workers = new Map<string, DeployedWorker>();
  /** Static files by their hash, and what each upload names: hashes by path. */
  readonly assets = {
    files: new Map<string, Uint8Array>(),
    sessions: new Map<string, ReadonlyMap<string, string>>(),
  };
  /** The names in its zones that have DNS records of their own. */
  readonly dnsRecords = new Set<string>();
  /** The names of its zones that lead to Workers. */
  readonly domains = new Map<string, string>();

  /** Returns a Worker that exists. */
  worker(name: string): DeployedWorker {
    const found = this.workers.get(name);
    if (found === undefined) throw new Error(`there is no Worker ${name}`);
    return found;
  }
}

import { NAMED_MODELS } from "../../../src/agent/models/catalogue.ts";
import type { ModelTrial } from "../../../src/contract/models.ts";
import { parseSettings } from "../../../src/env.ts";
import {
  type Environment,
  joinVariables,
  KEYED_PROVIDERS,
  type KeyedProvider,
  serviceVariables,
  type Variables,
  variableOf,
} from "../environment.ts";
import type { LocalServer } from "./servers.ts";

/** The model that needs nothing. */
export const BUILT_IN = "builtin/demo";

/** The answers to the question about a key of the shell, by the key's variable. */
type KeyAnswers = Readonly<Record<string, boolean>>;

export interface ModelSearch {
  environment: Environment;
  /** What `--model` names: a provider or `provider/name`; null for nothing. */
  chosen: string | null;
  /** How keys of the shell become usable: by a yes, or never. */
  shellKeys:
    | { answers: KeyAnswers; ask: ((question: string) => Promise<boolean>) | null }
    | "never";
  servers: readonly LocalServer[];
  /** Sends one call to a model under these variables. */
  tryModel: (model: string, variables: Variables) => Promise<ModelTrial>;
  /** Receives a line before anything is sent, and one for what came. */
  say: (line: string) => void;
}

export interface FoundModel {
  model: string;
  /** Where it comes from, such as a variable's name. */
  reason: string;
  /** The service's variables, with the model as the default one. */
  variables: Variables;
  /** Providers whose keys lie in the shell and are not used. */
  unused: readonly KeyedProvider[];
  /** What was tried before it and did not work. */
  failed: readonly FailedTrial[];
  /** With the answers that were given now. */
  answers: KeyAnswers;
}

/** A model that was tried, why it was, and what came of it in words. */
interface FailedTrial {
  model: string;
  reason: string;
  message: string;
}

/** A model to try. */
interface Candidate {
  model: string;
  reason: string;
  /** What its provider needs beside the variables that are set. */
  extra?: Variables;
}

/** Finds the first model that works, in the order that docs/configuration.md states. */
export async function findModel(search: ModelSearch): Promise<FoundModel> {
  const run = new Run(search);
  const found = (await run.named()) ?? (await run.keys()) ?? (await run.local());
  return run.result(found ?? { model: BUILT_IN, reason: "no other model was found" });
}

/** One search. */
class Run {
  private readonly search: ModelSearch;
  private answers: KeyAnswers;
  private readonly tried = new Set<string>();
  private readonly failed: FailedTrial[] = [];

  constructor(search: ModelSearch) {
    this.search = search;
    this.answers = search.shellKeys === "never" ? {} : search.shellKeys.answers;
  }

  /** Tries the model that `--model` or DEFAULT_MODEL names. */
  async named(): Promise<Candidate | null> {
    const { chosen, environment } = this.search;
    const byOption = await this.chosenByOption(chosen);
    if (byOption !== null) return byOption;
    const model = variableOf("DEFAULT_MODEL", environment);
    if (model === undefined) return null;
    const place = environment.shell.DEFAULT_MODEL ? "the shell" : ".env";
    return await this.attempt({ model, reason: `DEFAULT_MODEL of ${place}` });
  }

  private async chosenByOption(chosen: string | null): Promise<Candidate | null> {
    if (chosen === null) return null;
    const option = `--model ${chosen}`;
    if (chosen.includes("/")) return await this.attempt({ model: chosen, reason: option });
    const keyed = KEYED_PROVIDERS.find(({ name }) => name === chosen);
    if (keyed === undefined) return await this.local((server) => server.name === chosen);
    const place = this.search.environment.project[keyed.variable] ? ".env" : "the shell";
    const reason = `${keyed.variable} of ${place}, ${option}`;
    return await this.attempt({ model: NAMED_MODELS[keyed.name].name, reason });
  }

  /** Tries the providers with a key: first those of the project, then those of the shell after a yes. */
  async keys(): Promise<Candidate | null> {
    const { environment } = this.search;
    const { project } = environment;
    const inProject = KEYED_PROVIDERS.filter(({ variable }) => project[variable]);
    const fromProject = await this.firstOf(inProject, ".env");
    if (fromProject !== null) return fromProject;
    await this.ask();
    const allowed = this.allowed();
    const inShell = this.shellOnly().filter(({ variable }) => allowed.has(variable));
    return await this.firstOf(inShell, "the shell");
  }

  private async firstOf(providers: readonly KeyedProvider[], place: string) {
    for (const { name, variable } of providers) {
      const reason = `${variable} of ${place}`;
      const found = await this.attempt({ model: NAMED_MODELS[name].name, reason });
      if (found !== null) return found;
    }
    return null;
  }

  /** Asks once about the keys of the shell that nobody has decided on. */
  private async ask(): Promise<void> {
    const { shellKeys, environment } = this.search;
    if (shellKeys === "never" || shellKeys.ask === null) return;
    if (variableOf("USE_SHELL_KEYS", environment) !== undefined) return;
    const allowed = this.allowed();
    const open = this.shellOnly()
      .map(({ variable }) => variable)
      .filter((variable) => !allowed.has(variable) && this.answers[variable] === undefined);
    if (open.length === 0) return;
    const [them, calls] = open.length === 1 ? ["it", "Its calls"] : ["them", "Their calls"];
    const yes = await shellKeys.ask(
      `Found ${open.join(" and ")} in your shell. Use ${them} for the agents of this service? ${calls} cost money. [y/N] `,
    );
    this.answers = { ...this.answers, ...Object.fromEntries(open.map((each) => [each, yes])) };
  }

  /** Tries the servers on this machine. */
  async local(wanted: (server: LocalServer) => boolean = () => true): Promise<Candidate | null> {
    const servers = this.search.servers.filter(wanted);
    if (servers.length === 0) return null;
    const places = servers.map(({ title, origin }) => `${title} (${new URL(origin).host})`);
    this.search.say(`Looking for models on this machine: ${places.join(", ")} ...`);
    for (const server of servers) {
      const found = await this.onServer(server);
      if (found !== null) return found;
    }
    return null;
  }

  private async onServer({ name, title, origin, list }: LocalServer): Promise<Candidate | null> {
    const models = await list();
    if (models === null) return null;
    const without = models.filter(({ callsTools }) => callsTools === false);
    if (without.length > 0) {
      const names = without.map((model) => model.name).join(", ");
      this.search.say(`  ${title}: passed over, without tools: ${names}`);
    }
    // Those that say nothing of tools come last: only the trial shows it.
    const usable = models
      .filter(({ callsTools }) => callsTools !== false)
      .sort((a, b) => Number(b.callsTools === true) - Number(a.callsTools === true));
    if (usable.length === 0) {
      this.search.say(`  ${title} has no model that calls tools.`);
      return null;
    }
    const known = variableOf("MODEL_SERVERS", this.search.environment);
    const isKnown = known?.split(",").some((part) => part.split("=")[0]?.trim() === name);
    const server = `${name}=${origin}/v1`;
    const servers = isKnown ? known : [known ?? [], server].flat().join();
    for (const model of usable.slice(0, MOST_TRIALS)) {
      const found = await this.attempt({
        model: `${name}/${model.name}`,
        reason: `${title} at ${new URL(origin).host}`,
        extra: { MODEL_SERVERS: servers },
      });
      if (found !== null) return found;
    }
    return null;
  }

  /** Tries one model after a line that names it, unless it was tried before. */
  private async attempt(candidate: Candidate): Promise<Candidate | null> {
    const { model, reason } = candidate;
    if (model === BUILT_IN) return candidate;
    if (this.tried.has(model)) return null;
    this.tried.add(model);
    const variables = this.variables(candidate);
    this.search.say(
      `Trying ${model} (${reason}) with one call${destinationOf(model, variables)} ...`,
    );
    const { ok, message, durationMs } = await this.search.tryModel(model, variables);
    this.search.say(ok ? `  It works (${(durationMs / 1_000).toFixed(1)} s).` : `  ${message}`);
    if (ok) return candidate;
    this.failed.push({ model, reason, message });
    return null;
  }

  private variables({ model, extra = {} }: Candidate): Variables {
    const all = { ...joinVariables(this.search.environment, this.allowed()), ...extra };
    return { ...all, DEFAULT_MODEL: model };
  }

  /** Returns the providers that have a key in the shell and none in the project. */
  private shellOnly(): KeyedProvider[] {
    const { project, shell } = this.search.environment;
    return KEYED_PROVIDERS.filter(({ variable }) => shell[variable] && !project[variable]);
  }

  /** Returns the variables of the shell's keys that may be used. */
  private allowed(): Set<string> {
    const { shellKeys, environment, chosen } = this.search;
    if (shellKeys === "never") return new Set();
    const all = variableOf("USE_SHELL_KEYS", environment);
    const named = [chosen, variableOf("DEFAULT_MODEL", environment)].map(
      (name) => name?.split("/")[0],
    );
    const isAllowed = ({ name, variable }: KeyedProvider) =>
      named.includes(name) ||
      (all === undefined ? this.answers[variable] === true : all === "true");
    return new Set(KEYED_PROVIDERS.filter(isAllowed).map(({ variable }) => variable));
  }

  result(found: Candidate): FoundModel {
    const allowed = this.allowed();
    return {
      model: found.model,
      reason: found.reason,
      variables: this.variables(found),
      unused: this.shellOnly().filter(({ variable }) => !allowed.has(variable)),
      failed: this.failed,
      answers: this.answers,
    };
  }
}

/** Models of one server that are tried at most: each may take a minute to load. */
const MOST_TRIALS = 3;

/** Names the host that a model's requests go to, as the end of a line. */
function destinationOf(model: string, variables: Variables): string {
  const settings = parseSettings(serviceVariables(variables));
  const [provider = ""] = model.split("/");
  const urls: Record<string, string> = {
    ...settings.MODEL_SERVERS,
    anthropic: settings.ANTHROPIC_BASE_URL,
    openai: settings.OPENAI_BASE_URL,
    google: settings.GEMINI_BASE_URL,
  };
  const url = urls[provider];
  return url === undefined ? "" : ` to ${new URL(url).host}`;
}

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Prompthook } from "../../client/prompthook.ts";
import type { JsonObject } from "../../contract/json.ts";
import { mapConcurrently } from "../../lib/async.ts";
import { differencesBetween } from "../../lib/differences.ts";
import { isObject } from "../../lib/json-values.ts";
import { counted } from "../../lib/text.ts";
import { type Call, type Command, FOLDER, type Options } from "../command.ts";
import { EXIT, type Exit, UsageError } from "../errors.ts";
import { idOf, KINDS, type Kind, type Shown, settingsOf, withSecrets } from "../folder/kinds.ts";
import {
  CONCURRENCY,
  differenceLines,
  leftOver,
  planLines,
  planMarkdown,
  planOf,
  readAccount,
  rehearseChanges,
  type Step,
  useOf,
} from "../folder/plan.ts";
import { bodyOf, filesOf, readFolder, saySame, variablesIn } from "../folder/read.ts";
import { EXAMPLE, textOf, writeIn, writeSchemas } from "../folder/write.ts";
import { plain } from "../terminal.ts";

const ANSWERED: Options = {
  commit: { value: "SHA", help: "the commit of the files, which the dashboard shows" },
  yes: { short: "y", help: "ask nothing" },
};

/** Returns whether the user agrees. Throws a `UsageError` where nobody can be asked. */
async function agrees({ values, output }: Call, question: string): Promise<boolean> {
  if (values.flag("yes")) return true;
  if (output.terminal.stdout.isTTY !== true)
    throw new UsageError("Nobody can be asked here. Pass --yes.");
  return /^y(?:es)?$/i.test(await output.ask(`${question} [y/N]`));
}

const apply: Command = {
  name: "apply",
  summary: "Make the account what the files of a folder say",
  args: ["folder?"],
  options: {
    ...ANSWERED,
    "dry-run": { help: "only print the plan; exits 3 if something would change" },
    rehearse: {
      value: "N",
      help: "rehearse changed workflows on their last N inputs; exits 1 where one fails",
    },
    overwrite: { help: "also replace what was changed by hand" },
    prune: { help: "delete what files made and no file has, unless it is in use" },
    "prune-live": { help: "delete what is in use, too" },
  },
  notes: `Prints a plan first: each endpoint that changes is tried on its last 200 requests. With CI set, the
plan is Markdown. A step changes nothing twice, so a second run completes one that was interrupted.`,
  async run(call) {
    const { output, values, args, signal } = call;
    const folder = args[0] || FOLDER;
    const items = await readFolder(folder, output.terminal.env);
    const client = call.clientIn(folder);
    const account = await readAccount(client, signal);
    const steps = await planOf(client, items, account, signal);
    const last = values.wholeNumber("rehearse", 1);
    const failed = last === undefined ? 0 : await rehearseChanges(client, steps, last, signal);
    const left = leftOver(account, items);
    const isPruned = values.flag("prune") || values.flag("prune-live");
    const planned = isPruned ? [...steps, ...(await unused(call, client, left))] : steps;
    const shown = output.terminal.env.CI ? planMarkdown(planned) : planLines(planned);
    const summary = planned.map(({ kind, item: _, before: __, ...step }) => ({
      kind: kind.name,
      ...step,
    }));
    output.print(summary, () => shown.join("\n"));
    if (!isPruned && left.length > 0)
      output.note(`${counted(left.length, "resource")} of files in no file: --prune deletes.`);
    if (failed > 0) {
      output.note("A rehearsal failed. Nothing was changed.");
      return EXIT.executionFailed;
    }
    const todo = planned.filter(({ action }) => action !== "unchanged");
    const drifted = todo.filter(({ action }) => action === "drifted");
    if (values.flag("dry-run")) return todo.length === 0 ? EXIT.done : EXIT.refused;
    if (drifted.length > 0 && !values.flag("overwrite")) {
      output.note("Changed by hand: pull to keep that, or pass --overwrite. Nothing was changed.");
      return EXIT.refused;
    }
    if (todo.length === 0) return EXIT.done;
    if (!(await agrees(call, "Apply this?"))) return EXIT.refused;
    await applySteps(call, client, todo, account.workflows);
    output.note(`Applied ${counted(todo.length, "change")}.`);
  },
};

/** Returns what is stored of a resource that files keep. */
const managedByFiles = ({ values }: Call) => ({
  kind: "files" as const,
  commit: values.text("commit"),
});

/** Returns the steps that delete what is not in use; with --prune-live all of them. */
async function unused(call: Call, client: Prompthook, left: Step[]): Promise<Step[]> {
  const used = await mapConcurrently(CONCURRENCY, left, async (step) => {
    const use = await useOf(client, step, call.signal);
    return { ...step, notes: use === null ? [] : [use] };
  });
  if (call.values.flag("prune-live")) return used;
  for (const { kind, externalId, notes } of used.filter((step) => step.notes.length > 0))
    call.output.note(
      `${kind.folder}/${externalId} stays: it ${notes[0]}; --prune-live deletes it.`,
    );
  return used.filter(({ notes }) => notes.length === 0);
}

/** Does the steps, kind after kind, so that what is referred to is there. */
async function applySteps(
  call: Call,
  client: Prompthook,
  todo: Step[],
  workflows: Map<string, string>,
): Promise<void> {
  const { output, signal } = call;
  const managedBy = managedByFiles(call);
  const ids = new Map([...workflows].map(([id, name]) => [name, id]));
  async function done({ kind, externalId, item, before }: Step): Promise<void> {
    const options = { revision: before?.revision ?? 0, signal };
    const resource = kind.of(client);
    if (item === null) return resource.deleteNamed(externalId, options);
    const saved = await resource.put(externalId, { ...bodyOf(item, ids), managedBy }, options);
    if (kind.name === "workflow") ids.set(externalId, idOf(kind, saved));
    if ("secrets" in saved && saved.secrets !== undefined)
      output.note(
        `${item.file}: a secret was generated. Name one by {"env": ...}, or rotate it to see it.`,
      );
  }
  for (const kind of KINDS) {
    const some = todo.filter((step) => step.kind === kind && step.item !== null);
    await mapConcurrently(CONCURRENCY, some, done);
  }
  for (const step of todo.filter(({ item }) => item === null)) await done(step);
}

const pull: Command = {
  name: "pull",
  summary: "Write what the account has into the files of a folder",
  args: ["folder?"],
  options: ANSWERED,
  notes: "Gives a name to what has none, after a yes. A secret becomes the name of a variable.",
  async run(call) {
    const { output, args, signal } = call;
    const folder = args[0] || FOLDER;
    const client = call.clientIn(folder);
    const managedBy = managedByFiles(call);
    const named = namesOf((await readAccount(client, signal)).shown);
    if (named.length > 0) {
      for (const { kind, before, externalId } of named)
        output.note(`${plain(before.name ?? idOf(kind, before))} → ${kind.folder}/${externalId}`);
      if (!(await agrees(call, `Keep ${counted(named.length, "resource")} in files?`)))
        return EXIT.refused;
      for (const { kind, before, externalId } of named)
        await kind.of(client).update(idOf(kind, before), { externalId, managedBy });
    }
    const { shown, workflows } = await readAccount(client, signal);
    const variables = new Map<string, string>();
    let written = 0;
    for (const kind of KINDS) {
      const others = new Set(
        existsSync(join(folder, kind.folder)) ? await filesOf(folder, kind) : [],
      );
      for (const record of shown.get(kind) ?? []) {
        const file = fileFor(folder, kind, record.externalId ?? "");
        others.delete(file);
        const text = await readFile(join(folder, file), "utf8").catch(() => "");
        const kept = variablesIn(kind, text);
        const settings = withVariables(settingsOf(kind, record, workflows), kept);
        for (const [, name = ""] of JSON.stringify(settings).matchAll(/\{"env":"(\w+)"\}/g)) {
          const twin = variables.get(name);
          // Two files of a person's own may have one secret.
          if (twin !== undefined && ![...kept.values()].includes(name))
            throw new UsageError(
              `${file} and ${twin} would share the variable ${name}. Rename one of them.`,
            );
          variables.set(name, file);
        }
        const wanted = textOf(kind, file, settings);
        if (saySame(kind, file, [text, wanted])) continue;
        if (await writeIn(folder, file, wanted)) written += 1;
      }
      for (const file of others)
        output.note(
          `${file}: the account has no such ${kind.name}. Delete it, or apply creates it.`,
        );
    }
    await writeSchemas(folder);
    output.note(`Wrote ${counted(written, "file")} in ${folder}.`);
    const missing = [...variables.keys()].filter((name) => output.terminal.env[name] === undefined);
    if (missing.length > 0) output.note(`Set for apply: ${missing.join(", ")}.`);
  },
};

/** Returns settings in which secrets have the variables that their file named before. */
const withVariables = (settings: JsonObject, kept: Map<string, string>): JsonObject =>
  withSecrets(settings, (value, path) => {
    const name = kept.get(path.join("."));
    return name === undefined || !isObject(value) ? value : { env: name };
  });

/** Returns the names of what is not kept in files yet, or was changed by hand since. */
function namesOf(shown: Map<Kind, Shown[]>) {
  return [...shown].flatMap(([kind, all]) => {
    const taken = new Set(all.map(({ externalId }) => externalId));
    // The oldest first: it gets the name as it is.
    return all.toReversed().flatMap((before) => {
      if (before.externalId !== null) {
        const { externalId, managedBy, revision } = before;
        return managedBy?.revision === revision ? [] : [{ kind, before, externalId }];
      }
      const slug = (before.name ?? kind.name).toLowerCase().replace(/[^a-z0-9._]+/g, "-");
      const base = slug.replace(/^[-.]+|-+$/g, "").slice(0, 90) || kind.name;
      let externalId = base;
      for (let n = 2; taken.has(externalId); n += 1) externalId = `${base}-${n}`;
      taken.add(externalId);
      return [{ kind, before, externalId }];
    });
  });
}

/** Returns the file of a name: the one that is there, whatever its form. */
function fileFor(folder: string, kind: Kind, externalId: string): string {
  const forms = kind.name === "workflow" ? [".md"] : [".yaml", ".yml", ".json"];
  const name = `${kind.folder}/${externalId}`;
  const known = forms.find((form) => existsSync(join(folder, `${name}${form}`)));
  return `${name}${known ?? forms[0]}`;
}

const diff: Command = {
  name: "diff",
  summary: "Compare what the accounts of two profiles have",
  args: ["one", "other", "folder?"],
  notes: "Exits 3 if they differ. Secrets are not compared.",
  async run(call): Promise<Exit> {
    const { output, args, signal } = call;
    const [one = "", other = "", folder = ""] = args;
    const sides = [one, other].map(async (profile) => {
      const client = call.clientIn(folder || FOLDER, profile);
      const { shown, workflows } = await readAccount(client, signal);
      const settings = new Map<string, JsonObject>();
      for (const [kind, all] of shown) {
        for (const record of all) {
          const name = `${kind.folder}/${record.externalId}`;
          if (record.externalId !== null) settings.set(name, settingsOf(kind, record, workflows));
        }
      }
      return settings;
    });
    const [first = new Map(), second = new Map()] = await Promise.all(sides);
    const names = [...new Set([...first.keys(), ...second.keys()])].sort();
    const lines = names.flatMap((name) => {
      if (!second.has(name)) return [`- ${name}  only in ${one}`];
      if (!first.has(name)) return [`+ ${name}  only in ${other}`];
      const found = [...differencesBetween(first.get(name), second.get(name))];
      return found.length === 0 ? [] : [`~ ${name}`, ...found.flatMap(differenceLines)];
    });
    output.print(lines, () => lines.join("\n") || `${one} and ${other} have the same.`);
    return lines.length === 0 ? EXIT.done : EXIT.refused;
  },
};

const init: Command = {
  name: "init",
  summary: "Make a folder with a workflow, an endpoint, a schedule and a CI example",
  args: ["folder?"],
  async run({ output, args }) {
    const folder = args[0] || FOLDER;
    const taken = Object.keys(EXAMPLE).find((file) => existsSync(join(folder, file)));
    if (taken !== undefined) throw new UsageError(`${join(folder, taken)} is there already.`);
    for (const [file, text] of Object.entries(EXAMPLE)) await writeIn(folder, file, text);
    await writeSchemas(folder);
    output.note(`Wrote ${folder}. Next: prompthook apply ${folder}`);
  },
};

export const files = [init, apply, pull, diff];

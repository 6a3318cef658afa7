import { COMMON, type Command, calling } from "./command.ts";
import { UsageError } from "./errors.ts";

/** Each shell asks the program what can follow the words before the cursor. */
const SCRIPTS: Record<string, string> = {
  bash: `_prompthook() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(prompthook complete "\${COMP_WORDS[@]:1:COMP_CWORD-1}")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _prompthook prompthook`,
  zsh: `#compdef prompthook
_prompthook() {
  local -a found
  found=(\${(f)"$(prompthook complete "\${(@)words[2,CURRENT-1]}")"})
  compadd -a found || _files
}
compdef _prompthook prompthook`,
  fish: `complete -c prompthook -a '(prompthook complete (commandline -opc)[2..])'`,
};

/** Returns what can follow these words of a command line: names of commands, and options. */
export function candidates(commands: readonly Command[], given: readonly string[]): string[] {
  const names = commands.map(({ name }) => name.split(" "));
  const next = names.flatMap((words) => {
    const isBegun = given.length < words.length && given.every((word, at) => word === words[at]);
    return isBegun ? [words[given.length] ?? ""] : [];
  });
  const command = commands.find(({ name }) => {
    return name.split(" ").every((word, at) => word === given[at]);
  });
  const options = command === undefined ? {} : { ...command.options, ...COMMON };
  return [...new Set(next), ...Object.keys(options).map((name) => `--${name}`)];
}

export const completion = calling({
  name: "completion",
  summary: "Print the completion of commands and options for a shell",
  args: ["shell"],
  notes: `For bash: source <(prompthook completion bash)
For zsh:  source <(prompthook completion zsh)
For fish: prompthook completion fish | source`,
  async ask(_, shell) {
    const script = SCRIPTS[shell];
    if (script !== undefined) return { shell, script };
    throw new UsageError(`Choose a shell: ${Object.keys(SCRIPTS).join(", ")}.`);
  },
  text: ({ script }) => script,
});

import { serverReference } from "../../contract/tools/names.ts";

/** Models take names of so many letters, digits, `_` and `-`. */
const MAX_NAME_LENGTH = 64;

/**
 * What the agent calls the tools of a server, in their order. Other characters become `_`, long names
 * are cut, and names that would then be the same are numbered. A name that needs no change is never
 * taken by another: an allow-list or an approval that names it means this very tool.
 */
export function toolNames(server: string, remoteNames: readonly string[]): string[] {
  const prefix = `${serverReference(server)}__`;
  const room = MAX_NAME_LENGTH - prefix.length;
  const plain = remoteNames.map((name) => name.replace(/[^\w-]/g, "_").slice(0, room) || "tool");
  const taken = new Set(remoteNames.filter((name, index) => name === plain[index]));
  const used = new Set<string>();
  return remoteNames.map((name, index) => {
    const wanted = plain[index] ?? "tool";
    const own = name === wanted && !used.has(wanted);
    const chosen = own
      ? wanted
      : freeName(wanted, room, (text) => taken.has(text) || used.has(text));
    used.add(chosen);
    return prefix + chosen;
  });
}

function freeName(wanted: string, room: number, isTaken: (name: string) => boolean): string {
  for (let n = 1; ; n += 1) {
    const suffix = n === 1 ? "" : `_${n}`;
    const name = wanted.slice(0, room - suffix.length) + suffix;
    if (!isTaken(name)) return name;
  }
}

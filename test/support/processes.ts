import { readdir, readFile, readlink } from "node:fs/promises";

/**
 * What a program of the tests has of this one's environment: the way to programs, and how memory is managed
 * (see `scripts/test.ts`), but no key of a model.
 */
export const BARE = { PATH: process.env.PATH, GLIBC_TUNABLES: process.env.GLIBC_TUNABLES };

/** The ports of this machine's loopback on which a process or any of its descendants listens. Linux only. */
export async function listeningPorts(root: number): Promise<number[]> {
  const sockets = new Set<string>();
  for (const pid of await treeOf(root)) {
    const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
    for (const file of files) {
      const target = await readlink(`/proc/${pid}/fd/${file}`).catch(() => "");
      const [, inode] = /^socket:\[(\d+)\]$/.exec(target) ?? [];
      if (inode !== undefined) sockets.add(inode);
    }
  }
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "utf8")),
  );
  const ports = tables
    .flatMap((table) => table.split("\n").slice(1))
    .flatMap((line) => {
      const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
      const isListening = state === LISTEN && sockets.has(inode);
      return isListening ? [Number.parseInt(local.split(":")[1] ?? "", 16)] : [];
    });
  return [...new Set(ports)];
}

const LISTEN = "0A";

/** The memory, in bytes, that the workerd processes below this one have resident. Linux only. */
export async function workerdMemory(root: number): Promise<number> {
  let bytes = 0;
  for (const pid of await treeOf(root)) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
    if (/^Name:\tworkerd$/m.test(status)) bytes += Number(kibibytes ?? 0) * 1_024;
  }
  return bytes;
}

/** The process and its descendants. */
async function treeOf(root: number): Promise<number[]> {
  const pids = (await readdir("/proc")).map(Number).filter((pid) => pid > 0);
  const parents = new Map<number, number>();
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    // The name of the program, in parentheses, may contain anything.
    const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    parents.set(pid, Number(parent));
  }
  const isBelow = (pid: number): boolean =>
    pid === root || (parents.has(pid) && isBelow(parents.get(pid) ?? 0));
  return pids.filter(isBelow);
}

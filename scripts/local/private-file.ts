import { mkdir, open, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Replaces a file that only its owner may read. After a crash at any moment the file is either the
 * old one or the new one, whole.
 */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  const file = await open(draft, "w", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await syncDirectory(dirname(path));
}

/** Makes a directory that only its owner may read, and that no git repository around it takes in. */
export async function makePrivateDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writePrivateFile(join(directory, ".gitignore"), "*\n");
}

/** The file's text, or null when there is no such file. */
export async function readFileIfAny(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** A rename survives a power cut only when its directory was synced too. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

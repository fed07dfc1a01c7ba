/** Creates links to container logs in one directory of the machine, for log collectors. */
import { mkdir, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';

/** A failure is ignored. */
export async function linkLog(logFile: string, place: string): Promise<void> {
  try {
    await mkdir(path.dirname(place), { recursive: true, mode: 0o755 });
    await unlink(place).catch(() => undefined);
    await symlink(logFile, place);
  } catch {
    // An unwritable directory must not prevent a container from running.
  }
}

/** Links to logs in one folder of the machine, for programs that collect them. */
import { mkdir, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';

/** Nothing depends on it. */
export async function linkLog(logFile: string, place: string): Promise<void> {
  try {
    await mkdir(path.dirname(place), { recursive: true, mode: 0o755 });
    await unlink(place).catch(() => undefined);
    await symlink(logFile, place);
  } catch {
    // A folder that can't be written to is no reason to stop a container.
  }
}

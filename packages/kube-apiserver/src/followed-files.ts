/** Files that are reloaded when they change, such as renewed certificates. */
import { watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import type { Clock, Timer } from '@coxswain/apimachinery';

/** Upstream's polling interval, in case no file event arrives. */
const lookEveryMs = 60_000;
/** A certificate and its key are rarely written at the same moment. */
const settleMs = 100;

/**
 * Calls `look` soon after a change in the files' directories (a mounted secret replaces a symlink there), and
 * periodically in any case. Returns a function to stop.
 */
export function followFiles(files: readonly string[], clock: Clock, look: () => void): () => void {
  let settling: Timer | undefined;
  const changed = () => {
    settling?.cancel();
    settling = clock.after(settleMs, look);
  };
  const watchers = [...new Set(files.map((file) => path.dirname(file)))].flatMap((directory) =>
    watching(directory, changed),
  );
  let timer = clock.after(lookEveryMs, again, { idle: true });
  function again(): void {
    look();
    timer = clock.after(lookEveryMs, again, { idle: true });
  }
  return () => {
    settling?.cancel();
    timer.cancel();
    for (const watcher of watchers) watcher.close();
  };
}

/** Not every file system reports changes; polling remains then. */
function watching(directory: string, changed: () => void): FSWatcher[] {
  try {
    const watcher = watch(directory, { persistent: false }, changed);
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}

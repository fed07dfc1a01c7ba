/** `coxswain up --detach`: runs the cluster in a background process, which notifies this one when it is ready. */

import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { privateFileMode } from '@coxswain/storage/directory/private-files.ts';
import { CommandFailure } from '../program/command-failure.ts';
import { ownCommand } from '../program/own-command.ts';

/** Set in the environment of that process. */
export const detachedVariable = 'COXSWAIN_DETACHED_LOG';

/** A larger log is rotated at the next start. */
const logBytesMax = 16 * 1024 * 1024;

/**
 * Runs this command line again with its output in the log. Resolves with its banner when it is ready.
 * @throws CommandFailure with its output if it ends earlier
 */
export async function startDetached(logFile: string, signal: AbortSignal): Promise<string> {
  putAside(logFile);
  const log = openSync(logFile, 'a', privateFileMode);
  const before = statSync(logFile).size;
  const [program, ...args] = ownCommand();
  const child = spawn(program, [...args, ...process.argv.slice(2)], {
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
    env: { ...process.env, [detachedVariable]: logFile },
  });
  closeSync(log);
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  try {
    const said = () => readFileSync(logFile).subarray(before).toString('utf8');
    return await bannerFrom(
      child,
      () => said() || `the cluster stopped before it was ready, without a word in ${logFile}`,
    );
  } finally {
    signal.removeEventListener('abort', stop);
    if (child.connected) child.disconnect();
    child.unref();
  }
}

const bannerFrom = (child: ChildProcess, said: () => string): Promise<string> =>
  new Promise((resolve, reject) => {
    child.once('message', (banner) => resolve(String(banner)));
    child.once('error', reject);
    child.once('exit', (code) => {
      const text = said()
        .trimEnd()
        .replace(/^coxswain: /, '');
      reject(new CommandFailure(text, code ?? 1));
    });
  });

/** Sends the banner to the process that started this one, if it runs in the background. */
export function notifyStarter(banner: string): void {
  process.send?.(banner, () => process.disconnect?.());
}

function putAside(logFile: string): void {
  const { size = 0 } = statSync(logFile, { throwIfNoEntry: false }) ?? {};
  if (size > logBytesMax) renameSync(logFile, `${logFile}.1`);
}

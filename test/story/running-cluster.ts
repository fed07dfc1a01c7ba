/** Starts `coxswain up` as a user does, on a free port, and waits until it says that it is ready. */

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

export interface RunningCluster {
  readonly kubeconfig: string;
  readonly address: string;
  /** All that it has printed so far. */
  readonly output: () => string;
  /** Asks it to stop as Ctrl-C does, and resolves with its exit status. */
  readonly stop: () => Promise<number | null>;
}

const entry = path.join(import.meta.dirname, '../../packages/coxswain/bin/coxswain.mjs');
const startTimeoutMs = 60_000;

/** `command` runs coxswain; that of this checkout when absent. */
export async function startUp(
  flags: readonly string[],
  [program = process.execPath, ...args]: readonly string[] = [process.execPath, entry],
): Promise<RunningCluster> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'coxswain-story-'));
  const child = spawn(program, [...args, 'up', '--port=0', `--data-dir=${home}`, ...flags], {
    env: { ...process.env, HOME: home },
  });
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready in time:\n${output}`)), startTimeoutMs);
    const look = (text: Buffer) => {
      output += text.toString();
      if (!output.includes('Ready in')) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    void exited.then((exit) => reject(new Error(`ended with ${exit}:\n${output}`)));
  });
  await ready;
  return {
    kubeconfig: matched(output, /kubeconfig\s+(\S+)/),
    address: matched(output, /(https:\/\/127\.0\.0\.1:\d+)/),
    output: () => output,
    async stop() {
      child.kill('SIGINT');
      const exit = await exited;
      await rm(home, { recursive: true, force: true });
      if (output.includes('MaxListenersExceededWarning')) throw new Error(`listeners pile up:\n${output}`);
      return exit;
    },
  };
}

function matched(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`no ${pattern.source} in:\n${text}`);
  return found;
}

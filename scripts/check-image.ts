/**
 * Runs `dist/image/coxswain.tar` (`npm run build-image` makes it) in a containerd of its own, and uses the cluster in it.
 * Linux, as root. Throws, or ends with a line that says that all is well.
 */

import path from 'node:path';
import { coxswainVersion } from 'coxswain/program/version.ts';
import { expectMatch } from './installed/run.ts';
import { startContainerd, whyNoContainers } from '../test/nodes/containerd.ts';

const archive = path.join(import.meta.dirname, '../dist/image/coxswain.tar');
const image = `docker.io/library/coxswain:${coxswainVersion}`;
const attempts = 100;

const reason = whyNoContainers();
if (reason !== undefined) throw new Error(`no containers can run here: ${reason}`);
const { ctr, directory, stop } = await startContainerd({ hasNoNetwork: true });
// Unlike names in containerd, the names of runc are shared by the whole machine.
const id = path.basename(directory);
try {
  ctr('images', 'import', archive);
  ctr('run', '--detach', image, id);
  let count = 0;
  const exec = (...command: string[]): string =>
    ctr('tasks', 'exec', '--exec-id', `exec-${++count}`, id, ...command);
  const kubectl = (...args: string[]): string => exec('kubectl', ...args);
  await ready(() => kubectl('get', 'nodes', '-o', 'name'));
  kubectl('create', 'deployment', 'web', '--image=nginx', '--replicas=2');
  expectMatch(kubectl('rollout', 'status', 'deployment/web', '--timeout=60s'), /successfully rolled out/);
  expectMatch(exec('coxswain', 'status'), /\(ready\)/);
  console.log(`the image ${image} runs`);
} finally {
  ctr('tasks', 'delete', '--force', id);
  await stop();
}

async function ready(ask: () => string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      ask();
      return;
    } catch (failure) {
      if (attempt === attempts) throw failure;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { containerExit, type CriContainerStatus } from './container-exit.ts';
import { terminationMessagePathAnnotation } from './labels.ts';

const at = '/dev/termination-log';
const messageAt = async (hostPath: string): Promise<string | undefined> => {
  const status = {
    exitCode: 1,
    reason: '',
    message: '',
    finishedAt: 1,
    annotations: [{ key: terminationMessagePathAnnotation, value: at }],
    mounts: [{ containerPath: at, hostPath }],
  };
  return (await containerExit(status as unknown as CriContainerStatus, 0)).message;
};

test('whatever a pod mounts in place of its termination message, the kubelet goes on', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'exit-'));
  const [file, pipe] = [path.join(directory, 'file'), path.join(directory, 'pipe')];
  writeFileSync(file, 'why');
  execFileSync('mkfifo', [pipe]);
  const messages = await Promise.all([pipe, directory, `${file}-none`, file].map(messageAt));
  expect(messages).toEqual([undefined, undefined, undefined, 'why']);
  rmSync(directory, { recursive: true });
});

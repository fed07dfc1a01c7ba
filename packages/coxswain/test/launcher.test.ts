import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

const launcher = path.join(import.meta.dirname, '../../../scripts/node26.mjs');

test('a process ends with the launcher that started it, even if that is killed', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'launcher-'));
  const script = path.join(directory, 'script.mjs');
  writeFileSync(
    script,
    "process.once('SIGTERM', () => process.exit());\nsetInterval(() => console.log('runs'), 10);\n",
  );
  const launched = spawn(process.execPath, [launcher, script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(launched.stdout, 'data');
  launched.kill('SIGKILL');
  // Its last holder is the process.
  await once(launched.stdout.resume(), 'close');
  expect(launched.signalCode).toBe('SIGKILL');
  rmSync(directory, { recursive: true });
});

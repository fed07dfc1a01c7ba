import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { startApplication } from './embedded.mjs';

test('settings are there after a restart', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'embedded-'));
  const first = await startApplication(directory);
  await first.set('colours', { background: 'blue' });
  await first.stop();

  const second = await startApplication(directory);
  assert.deepEqual(await second.get('colours'), { background: 'blue' });
  await second.stop();
  await rm(directory, { recursive: true });
});

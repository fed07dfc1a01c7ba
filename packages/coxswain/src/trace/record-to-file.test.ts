import { ManualClock, runStep, scopeOf } from '@coxswain/apimachinery';
import { RecordingSwitch } from '@coxswain/trace/recording-switch.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeRecorder } from './node-recorder.ts';
import { recordToFile } from './record-to-file.ts';
import { savedRecording } from './saved-recording.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'record-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('a recording is saved meanwhile, so that a killed process leaves one that can be read', async () => {
  const clock = new ManualClock(0);
  const file = path.join(directory, 'recording.json');
  const recordings = new RecordingSwitch(() => nodeRecorder());
  const recording = recordToFile(recordings, file, clock);
  const work = (name: string) =>
    runStep(
      scopeOf(recordings.observer, () => ({ kind: 'reconcile', component: 'test', name })),
      'work',
      () => undefined,
    );
  const names = async () => (await savedRecording(file)).undertakings.map(({ name }) => name);

  work('first');
  await clock.advance(10_000);
  expect(await names()).toEqual(['first']);

  work('second');
  recording.write();
  expect(await names()).toEqual(['first', 'second']);
});

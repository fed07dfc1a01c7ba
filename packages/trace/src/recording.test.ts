import { expect, test } from 'vitest';
import { sample } from './recording.fixture.ts';
import { parseRecording } from './recording.ts';

test.each([
  ['{', 'not a recording: invalid JSON'],
  ['null', 'not a recording of version trace.coxswain.io/v1: apiVersion is missing'],
  [
    '{"apiVersion":"trace.coxswain.io/v9","undertakings":[]}',
    'not a recording of version trace.coxswain.io/v1: apiVersion is "trace.coxswain.io/v9"',
  ],
  ['{"apiVersion":"trace.coxswain.io/v1"}', 'not a recording: undertakings is not a list'],
  ['{"apiVersion":"trace.coxswain.io/v1","undertakings":[null]}', 'not a recording: undertaking without id'],
  [
    JSON.stringify({ ...sample, undertakings: [{ ...sample.undertakings[0], causes: undefined }] }),
    'not a recording: undertaking without causes',
  ],
  [
    JSON.stringify({ ...sample, undertakings: [{ ...sample.undertakings[0], steps: [{ name: 'run' }] }] }),
    'not a recording: step without file',
  ],
])('%s is refused with one line', (text, message) => {
  expect(() => parseRecording(text)).toThrow(message);
});

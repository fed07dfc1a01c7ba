import { expect, test } from 'vitest';
import { parseRecording } from './recording.ts';

test.each([
  ['{', 'not a recording: invalid JSON'],
  ['null', 'not a recording of version trace.coxswain.io/v1: apiVersion is missing'],
  [
    '{"apiVersion":"trace.coxswain.io/v9","undertakings":[]}',
    'not a recording of version trace.coxswain.io/v1: apiVersion is "trace.coxswain.io/v9"',
  ],
  ['{"apiVersion":"trace.coxswain.io/v1"}', 'not a recording: undertakings is not a list'],
])('%s is refused with one line', (text, message) => {
  expect(() => parseRecording(text)).toThrow(message);
});

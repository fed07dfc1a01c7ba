import type { ApiRequest } from '@coxswain/apiserver';
import { expect, test } from 'vitest';
import { logOptions } from './log-stream.ts';

const request = { signal: new AbortController().signal, receivedAtMs: 100_000 } as ApiRequest;
const read = (query: string) => logOptions(request, new URLSearchParams(query));

test.each([
  'tailLines=x',
  'tailLines=',
  'tailLines=1e9',
  'limitBytes=0x10',
  'sinceSeconds=NaN',
  'sinceTime=now',
])('%s cannot be decoded', (query) => {
  expect(() => read(query)).toThrow(
    expect.objectContaining({ code: 400, message: '{"message": "Unable to decode query."}' }),
  );
});

test.each([
  'tailLines=-1',
  'limitBytes=0',
  'sinceSeconds=0',
  'sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z',
  'stream=../x',
  'stream=Stdout&tailLines=1',
])('%s is invalid', (query) => {
  expect(() => read(query)).toThrow(
    expect.objectContaining({ code: 422, message: '{"message": "Invalid request."}' }),
  );
});

test('valid parameters are parsed', () => {
  expect(read('tailLines=3&limitBytes=10&sinceSeconds=5&stream=All&follow=true')).toMatchObject({
    tailLines: 3,
    limitBytes: 10,
    sinceMs: 95_000,
    stream: 'All',
    follow: true,
    previous: false,
  });
});

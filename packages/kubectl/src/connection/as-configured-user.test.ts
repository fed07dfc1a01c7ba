import type { Transport, TransportRequest } from '@coxswain/client/transport.ts';
import { expect, test } from 'vitest';
import { runKubectl } from '../run.ts';
import { recordedIo } from '../testing/recorded-io.ts';

test('options determine the user of a given transport', async () => {
  const asked: TransportRequest[] = [];
  const transport: Transport = {
    structured: false,
    address: 'in-process:',
    send: async (request) => {
      asked.push(request);
      return { status: 200, headers: {}, bytes: async () => new Uint8Array(), stream: async function* () {} };
    },
    close: async () => {},
  };

  const words = ['get', '--raw=/version', '--as=alice', '--as-group=dev', '--token=secret'];
  expect(await runKubectl(words, recordedIo({ transport }))).toBe(0);
  expect(asked.map(({ headers }) => headers)).toEqual([
    expect.objectContaining({
      authorization: 'Bearer secret',
      'impersonate-user': 'alice',
      'impersonate-group': ['dev'],
    }),
  ]);
});

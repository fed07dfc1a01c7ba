import { expect, test } from 'vitest';
import type { Transport } from '@coxswain/client/transport.ts';
import { bootstrap, ensure, type BootstrapParts } from './bootstrap.ts';
import { namespaceObjects } from './namespaces.ts';

/** A server without objects that answers every write with this status. */
function answering(code: number): { readonly parts: BootstrapParts; readonly log: string[] } {
  const log: string[] = [];
  const bytes = new TextEncoder().encode(JSON.stringify({ message: 'no space left on device', code }));
  const transport = {
    send: async () => ({ status: code, bytes: async () => bytes }),
  } as unknown as Transport;
  const objects = { get: () => undefined } as unknown as BootstrapParts['objects'];
  return { parts: { objects, transport, log: (line) => void log.push(line) }, log };
}

test('a start fails where the store takes no writes', async () => {
  await expect(bootstrap(answering(500).parts, [], [])).rejects.toThrow(
    'cannot store the objects of every cluster: no space left on device',
  );
});

test('an object that others do not need may fail, for example at a webhook that does not respond', async () => {
  const { parts, log } = answering(500);
  await ensure(parts, namespaceObjects()[0]!);
  expect(log).toHaveLength(1);
});

test('an object that is refused is reported, and one that another server made is not', async () => {
  const [refused, made] = [answering(422), answering(409)];
  await bootstrap(refused.parts, [], []);
  await bootstrap(made.parts, [], []);
  expect(refused.log[0]).toContain('bootstrap: POST /api/v1/namespaces: 422 ');
  expect(made.log).toEqual([]);
});

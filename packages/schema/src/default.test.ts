import fc from 'fast-check';
import { expect, test } from 'vitest';
import { App, valueOf } from '../test/sample-types.ts';
import { applyDefaults, decode, decodeValue } from './index.ts';

test('a field without a value gets its default, in lists too', () => {
  const { object } = decode(
    App.type,
    '{"spec":{"containers":[{"name":"a","ports":[{"port":80},{"port":81,"protocol":"UDP"}]}]}}',
  );
  applyDefaults(App.type, object);

  expect(object.spec.replicas).toBe(1);
  expect(object.spec.containers[0]).toMatchObject({
    policy: 'File',
    ports: [
      { port: 80, protocol: 'TCP' },
      { port: 81, protocol: 'UDP' },
    ],
  });
});

test('a pointer to zero is a value', () => {
  const { object } = decode(App.type, '{"spec":{"replicas":0}}');
  applyDefaults(App.type, object);

  expect(object.spec.replicas).toBe(0);
});

test('defaulting twice is defaulting once', () => {
  fc.assert(
    fc.property(valueOf(App.type), (value) => {
      const { object } = decodeValue(App.type, value);
      applyDefaults(App.type, object);
      const once = structuredClone(object);
      applyDefaults(App.type, object);

      expect(object).toEqual(once);
    }),
  );
});

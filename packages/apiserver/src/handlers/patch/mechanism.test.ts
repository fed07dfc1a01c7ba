import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { Secret } from '@coxswain/api/core/v1/secret.ts';
import { expect, test } from 'vitest';
import { configMap, configMaps } from '../../testing/config-map.ts';
import { inMemoryApi } from '../../testing/in-memory-api.ts';

test.each([
  ['!', 'illegal base64 data at input byte 0'],
  ['b25l', 'converting (v1.Secret) to (core.ConfigMap): unknown conversion'],
])('a patch that makes a Secret of a ConfigMap holding %s is refused', async (text, problem) => {
  const { request } = inMemoryApi({ resources: [{ kind: ConfigMap }, { kind: Secret }] });
  await request('POST', configMaps, configMap('a', { key: text }));

  const answer = await request(
    'PATCH',
    `${configMaps}/a`,
    { kind: 'Secret' },
    { 'content-type': 'application/merge-patch+json' },
  );

  expect(answer.status).toBe(422);
  expect(answer.json.message.endsWith(`: ${problem}`)).toBe(true);
});

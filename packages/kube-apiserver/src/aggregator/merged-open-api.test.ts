import { expect, test } from 'vitest';
import { mergedOpenApi } from './merged-open-api.ts';

const things = '/apis/example.com/v1/things';
const path = (definition: string) => ({ get: { schema: { $ref: `#/definitions/${definition}` } } });

test('a definition that differs is renamed, an equal one is shared', () => {
  const own = { paths: { '/api': {} }, definitions: { Time: { type: 'string' }, Kind: { type: 'object' } } };
  const document = {
    paths: { [things]: path('Time'), [`${things}/{name}`]: path('Kind') },
    definitions: { Time: { type: 'integer' }, Kind: { type: 'object' } },
  };

  expect(mergedOpenApi(own, [{ group: 'example.com', version: 'v1', document }])).toEqual({
    paths: { '/api': {}, [things]: path('Time_v2'), [`${things}/{name}`]: path('Kind') },
    definitions: { Time: { type: 'string' }, Kind: { type: 'object' }, Time_v2: { type: 'integer' } },
  });
});

test('definitions that only other group versions refer to are left out', () => {
  const document = {
    paths: { [things]: path('Thing'), '/apis/example.com/v2/things': path('Other') },
    definitions: { Thing: {}, Other: {}, Unused: {} },
  };
  const merged = mergedOpenApi({ paths: {} }, [{ group: 'example.com', version: 'v1', document }]);

  expect(merged).toMatchObject({ paths: { [things]: {} }, definitions: { Thing: {}, Unused: {} } });
  expect(merged['definitions']).not.toHaveProperty('Other');
});

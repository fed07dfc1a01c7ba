import { atOnce } from '@coxswain/apimachinery/work-in-steps.ts';
import { openApiV2, partsOf } from '@coxswain/schema/openapi.ts';
import { expect, test } from 'vitest';
import { remoteFragments, type RemoteDocument } from './merged-open-api.ts';

type Json = Readonly<Record<string, unknown>>;

const things = '/apis/example.com/v1/things';
const path = (definition: string) => ({ get: { schema: { $ref: `#/definitions/${definition}` } } });
const versionOne = (document: Json): RemoteDocument => ({ group: 'example.com', version: 'v1', document });

/** The paths and definitions of the whole document. */
function merged(
  own: { readonly paths: Json; readonly definitions: Json },
  remotes: readonly RemoteDocument[],
) {
  const fragments = [{ paths: partsOf(own.paths), definitions: partsOf(own.definitions), parameters: [] }];
  const added = atOnce(remoteFragments(fragments, remotes));
  const { json } = openApiV2([...added.toReversed(), ...fragments], { version: 'v1' });
  const { paths, definitions } = JSON.parse(Buffer.concat(json).toString());
  return { paths, definitions };
}

test('a definition that differs is renamed, an equal one is shared', () => {
  const own = { paths: { '/api': {} }, definitions: { Time: { type: 'string' }, Kind: { type: 'object' } } };
  const document = {
    paths: { [things]: path('Time'), [`${things}/{name}`]: path('Kind') },
    definitions: { Time: { type: 'integer' }, Kind: { type: 'object' } },
  };

  expect(merged(own, [versionOne(document)])).toEqual({
    paths: { '/api': {}, [things]: path('Time_v2'), [`${things}/{name}`]: path('Kind') },
    definitions: { Time: { type: 'string' }, Kind: { type: 'object' }, Time_v2: { type: 'integer' } },
  });
});

test('definitions that only other group versions refer to are left out', () => {
  const document = {
    paths: { [things]: path('Thing'), '/apis/example.com/v2/things': path('Other') },
    definitions: { Thing: {}, Other: {}, Unused: {} },
  };

  expect(merged({ paths: {}, definitions: {} }, [versionOne(document)])).toEqual({
    paths: { [things]: path('Thing') },
    definitions: { Thing: {}, Unused: {} },
  });
});

test('of two servers with the same path, the first one counts', () => {
  const documentOf = (type: string) => ({ paths: { [things]: path(type) }, definitions: { [type]: {} } });

  expect(
    merged({ paths: {}, definitions: {} }, [versionOne(documentOf('One')), versionOne(documentOf('Other'))]),
  ).toEqual({ paths: { [things]: path('One') }, definitions: { One: {} } });
});

test('members that are no objects are left out', () => {
  const document = {
    paths: { [things]: path('Thing'), [`${things}/x`]: null },
    definitions: { Thing: null, A: 5 },
  };

  expect(merged({ paths: {}, definitions: {} }, [versionOne(document)])).toEqual({
    paths: { [things]: path('Thing') },
    definitions: {},
  });
});

test('a long document is read in steps', () => {
  const names = Array.from({ length: 500 }, (_, at) => `Thing${at}`);
  const document = {
    paths: Object.fromEntries(names.map((name) => [`${things}/${name}`, path(name)])),
    definitions: Object.fromEntries(names.map((name) => [name, { type: 'object' }])),
  };
  const steps = remoteFragments([], [versionOne(document)]);
  let count = 1;
  while (steps.next().done !== true) count++;

  expect(count).toBeGreaterThan(1_000);
});

import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import type { Kind } from '@coxswain/schema';
import { expect, test } from 'vitest';
import { chunksOf } from '../http/compression.ts';
import { encodeObject } from '../negotiation/encode-object.ts';
import type { Served } from '../rest/served.ts';
import { partialBytes, partialListParts, partialObjectList } from './partial-object.ts';

const kind = ConfigMap as Kind;
const objects = [1, 2, 3].map(
  (at) =>
    ({
      metadata: { name: `map-${at}`, namespace: 'default', labels: { at: String(at) }, resourceVersion: '7' },
      data: { text: 'left out' },
    }) as unknown as KubeObject,
);

test.each([
  ['json', 3],
  ['protobuf', 3],
  ['json', 0],
  ['protobuf', 0],
] as const)('a list of metadata as %s is made item by item: %i of them', (media, count) => {
  const transform = { kind: 'PartialObjectMetadataList', version: 'v1' } as const;
  const metadata = { resourceVersion: '12', continue: 'token', remainingItemCount: 4 };
  const some = objects.slice(0, count);
  const whole = partialObjectList(transform, some, metadata, kind);
  const type = { media, contentType: '' };
  const expected = encodeObject({ type, pretty: false } as never, whole.kind, whole.kind.type, whole.object);

  const items = some.map((object) => partialBytes(media, transform, { object } as Served, kind));
  const parts = partialListParts(media, transform, items, metadata, '\n');

  expect(Buffer.concat(chunksOf(parts)).toString('latin1')).toBe(Buffer.from(expected).toString('latin1'));
});

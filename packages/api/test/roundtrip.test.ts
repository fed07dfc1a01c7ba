/** The fixtures of Kubernetes 1.36: every kind, every field set, as JSON and as protobuf. */

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import {
  decode,
  decodeEnvelope,
  decodeProtobuf,
  encode,
  encodeProtobuf,
  type Kind,
  type StructType,
} from '@coxswain/schema';
import { describe, expect, test } from 'vitest';
import { WatchEvent } from '../src/meta/v1/watch-event.ts';
import { groupVersionDirectories, kindsOf } from '../src/group-versions.ts';

interface Fixture {
  readonly json: string;
  /** base64 */
  readonly protobuf: string;
}

const fixtures = JSON.parse(
  gunzipSync(readFileSync(new URL('reference/roundtrip-1.36.json.gz', import.meta.url))).toString(),
) as Record<string, Fixture>;

const kinds = new Map<string, Kind>(
  groupVersionDirectories.flatMap((directory) =>
    kindsOf(directory).map((kind) => [`${kind.apiVersion}/${kind.kind}`, kind]),
  ),
);

const metaTypes = new Map<string, StructType>(kindsOf('meta/v1').map((kind) => [kind.kind, kind.type]));

/** Not a kind: it has no type meta of its own. */
const watchEvent = fixtures['core.v1.WatchEvent']!;
delete fixtures['core.v1.WatchEvent'];

test('a watch event is encoded to exactly these protobuf bytes', () => {
  const { object } = decode(WatchEvent, watchEvent.json);

  expect(JSON.parse(encode(WatchEvent, object))).toEqual(JSON.parse(watchEvent.json));
  expect(encodeProtobuf(WatchEvent, object as object).toBase64()).toBe(watchEvent.protobuf);
});

describe.each(Object.entries(fixtures))('%s', (_name, { json, protobuf }) => {
  const { apiVersion, kind: kindName } = JSON.parse(json) as { apiVersion: string; kind: string };
  // The kinds of meta/v1 are registered in every group version.
  const type = (kinds.get(`${apiVersion}/${kindName}`)?.type ?? metaTypes.get(kindName))!;
  const bytes = Uint8Array.fromBase64(protobuf);

  test('its JSON round-trips', () => {
    const { object, problems } = decode(type, json);

    expect(problems).toEqual([]);
    expect(JSON.parse(encode(type, object))).toEqual(JSON.parse(json));
  });

  test('its JSON is encoded to exactly these protobuf bytes', () => {
    const { object } = decode(type, json);

    expect(encodeProtobuf(type, object as object).toHex()).toBe(bytes.toHex());
  });

  test('its protobuf decodes to its JSON', () => {
    const object = decodeProtobuf(type, decodeEnvelope(bytes));

    expect(object).toEqual(decode(type, json).object);
  });
});

/**
 * Protobuf for the built-in kinds: `connect(config, { bodies: protobufBodies })`. Smaller and cheaper for servers than
 * JSON; custom resources, patches and discovery remain JSON. The kinds are loaded only with this module.
 */
import { groupVersionDirectories, kindsOf } from '@coxswain/api/group-versions.ts';
import { PartialObjectMetadata } from '@coxswain/api/meta/v1/partial-object-metadata.ts';
import { Status } from '@coxswain/api/meta/v1/status.ts';
import type { KubeObject, WatchEvent } from '@coxswain/apimachinery';
import {
  decodeEnvelope,
  decodeProtobuf,
  decodeValue,
  encodeProtobuf,
  type ProtobufEnvelope,
} from '@coxswain/schema';
import { decodeWatchEvent } from '@coxswain/schema/protobuf/decode-watch-event.ts';
import type { Fields, StructType } from '@coxswain/schema/type.ts';
import type { BodyFormat } from './rest/body-format.ts';
import type { TransportResponse } from './transport.ts';

const contentType = 'application/vnd.kubernetes.protobuf';

export const protobufBodies: BodyFormat = {
  contentType,
  accept: `${contentType},application/json`,
  encode(object) {
    const { apiVersion = '', kind = '' } = (object ?? {}) as KubeObject;
    const type = typeOf(apiVersion, kind);
    if (type === undefined) return undefined;
    const { object: normal, problems } = decodeValue(type, object);
    // Unknown fields are sent as JSON, so that the server can report them.
    return problems.length > 0 ? undefined : encodeProtobuf(type, normal as KubeObject);
  },
  isOf: ({ headers }: TransportResponse) => String(headers['content-type'] ?? '').startsWith(contentType),
  decode: (bytes) => objectOf(decodeEnvelope(bytes)),
  decodeEvents,
};

/** @throws Error for a kind that is not built in */
function objectOf(envelope: ProtobufEnvelope): unknown {
  const { apiVersion, kind } = envelope;
  const type = typeOf(apiVersion, kind);
  if (type === undefined) throw new Error(`kind "${kind}" of ${apiVersion} has no protobuf type`);
  return decodeProtobuf(type, envelope);
}

let known: ReadonlyMap<string, StructType> | undefined;

/** The type of a kind, or of its list. */
function typeOf(apiVersion: string, kind: string): StructType<Fields> | undefined {
  known ??= new Map(
    [...groupVersionDirectories.flatMap(kindsOf), PartialObjectMetadata].flatMap(
      ({ apiVersion: version, kind: name, type, listType }) => [
        [`${version} ${name}`, type as StructType],
        [`${version} ${name}List`, listType],
      ],
    ),
  );
  // The Status returned for deletions and failures belongs to every group.
  return kind === 'Status' ? (Status.type as StructType) : known.get(`${apiVersion} ${kind}`);
}

/** The limit for an event, which may contain the largest possible object in all its versions. */
const eventBytesMax = 64 * 1024 * 1024;

/** Each event is preceded by its length, big endian. */
const lengthBytes = 4;

/** @throws Error for an event that is too large */
async function* decodeEvents<T extends KubeObject>(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly WatchEvent<T>[]> {
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : joined(rest, chunk);
    const events: WatchEvent<T>[] = [];
    for (let length = frameBytes(rest); length !== undefined; length = frameBytes(rest)) {
      const { type, object } = decodeWatchEvent(rest.subarray(lengthBytes, length));
      events.push({ type, object: objectOf(decodeEnvelope(object)) } as WatchEvent<T>);
      rest = rest.subarray(length);
    }
    if (events.length > 0) yield events;
  }
}

/** The size of the first event with its length prefix; undefined until it is complete. */
function frameBytes(bytes: Uint8Array): number | undefined {
  if (bytes.length < lengthBytes) return undefined;
  const length = new DataView(bytes.buffer, bytes.byteOffset, lengthBytes).getUint32(0);
  if (length > eventBytesMax) throw new Error(`a watch event is longer than ${eventBytesMax} bytes`);
  return bytes.length < lengthBytes + length ? undefined : lengthBytes + length;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

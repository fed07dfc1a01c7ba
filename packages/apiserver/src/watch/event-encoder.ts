/** Encodes events in the form that a watch requested. What watchers share is encoded once. */
import { Status as StatusKind } from '@coxswain/api/meta/v1/status.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { encode } from '@coxswain/schema';
import type { ApiRequest } from '../http/api-request.ts';
import { utf8, type StreamSink } from '../http/api-response.ts';
import type { Negotiated, Transform } from '../negotiation/negotiate.ts';
import { protobufFrame } from '../negotiation/protobuf.ts';
import { statusKind } from '../negotiation/error-response.ts';
import type { ResourceScope } from '../services/resource-scope.ts';
import { versioned } from '../list-parts.ts';
import type { ServedError, ServedEvent, ServedObjectEvent } from '../rest/served.ts';
import { partialObject, type OfKind } from '../table/partial-object.ts';
import { tableOf } from '../table/table.ts';
import { tableParts } from '../table/table-json.ts';
import { tableRow } from '../table/table-row.ts';
import { tableOptionsOf } from '../table/table-options.ts';
import { bookmarkObject } from './bookmark.ts';

export interface EventEncoder {
  readonly contentType: string;
  /** Whether events are converted for this watch, which may take long. */
  readonly isConverting: boolean;
  encode(event: ServedEvent): Uint8Array;
  /** Returns the number of bytes written. @param together the number of events written in this turn */
  write(event: ServedEvent, sink: StreamSink, together: number): number;
}

/** So many events are joined into one block anyway: building frames would copy them twice. */
const joinedMin = 32;

export function eventEncoderOf(
  request: ApiRequest,
  scope: ResourceScope,
  negotiated: Negotiated,
): EventEncoder {
  const { media, contentType } = negotiated.type;
  const isProtobuf = media === 'protobuf';
  const transformed = transformOf(request, scope, negotiated);
  const form = formOf(request, scope, negotiated, transformed);
  const isPlain = media === 'json' && scope.identity && negotiated.transform === undefined;
  const encodeEvent = (event: ServedEvent) => {
    if (event.type === 'BOOKMARK') {
      return frame(isProtobuf, event.type, transformed(bookmarkObject(scope.kind, event)));
    }
    return event.type === 'ERROR' ? frame(isProtobuf, event.type, errorObject(event)) : form(event);
  };
  return {
    contentType: media === 'json' ? contentType : `${contentType};stream=watch`,
    isConverting: negotiated.transform !== undefined || !scope.identity,
    encode: encodeEvent,
    write(event, sink, together) {
      if (!isPlain || together < joinedMin || !('appendTo' in event)) {
        const bytes = encodeEvent(event);
        sink.write(bytes);
        return bytes.length;
      }
      const parts: Uint8Array[] = [];
      event.appendTo?.(parts);
      let bytesWritten = 0;
      for (const part of parts) {
        sink.write(part);
        bytesWritten += part.length;
      }
      return bytesWritten;
    },
  };
}

/** Converts an object of the endpoint's version to the object of an event. */
type ObjectTransform = (object: KubeObject) => OfKind;

function transformOf(request: ApiRequest, scope: ResourceScope, { transform }: Negotiated): ObjectTransform {
  if (transform === undefined) return (object) => ({ kind: scope.kind, object });
  if (transform.kind !== 'Table') return (object) => partialObject(transform, object, scope.kind);
  const options = tableOptionsOf(request);
  let isFirst = true;
  return (object) => {
    // Only the first table has column definitions.
    const table = tableOf(scope, [object], { ...options, noHeaders: !isFirst }, transform.version);
    isFirst = false;
    return table;
  };
}

function formOf(
  request: ApiRequest,
  scope: ResourceScope,
  { type, transform }: Negotiated,
  transformed: ObjectTransform,
): (event: ServedObjectEvent) => Uint8Array {
  const isProtobuf = type.media === 'protobuf';
  const make = (event: ServedObjectEvent) =>
    frame(isProtobuf, event.type, transformed(versioned(scope, event.object.object)));
  if (transform?.kind === 'Table') return isProtobuf ? make : tableFrames(request, scope, transform);
  if (transform === undefined && !isProtobuf && scope.identity) return (event) => event.frame ?? make(event);
  const name = [type.media, scope.kind.apiVersion, transform?.kind, transform?.version].join(' ');
  return (event) => (event.form === undefined ? make(event) : event.form(name, make));
}

/** Rows are shared with other watches and with lists. */
function tableFrames(request: ApiRequest, scope: ResourceScope, { version }: Transform) {
  const options = tableOptionsOf(request);
  const table = { scope, options, version };
  let isFirst = true;
  return ({ type, object }: ServedObjectEvent): Uint8Array => {
    const row = tableRow(table, object, scope.services.clock.now());
    const noHeaders = options.noHeaders || !isFirst;
    const form = { ...table, options: { ...options, noHeaders } };
    const { head, tail } = tableParts(form, [object], [row], undefined, '}\n');
    isFirst = false;
    return Buffer.concat([utf8(`{"type":"${type}","object":`), head, row, tail]);
  };
}

const errorObject = ({ status }: ServedError): OfKind => ({
  kind: { ...statusKind, type: StatusKind.type },
  object: status as unknown as KubeObject,
});

const frame = (isProtobuf: boolean, type: string, { kind, object }: OfKind): Uint8Array =>
  isProtobuf
    ? protobufFrame(type, kind, object)
    : utf8(`{"type":"${type}","object":${encode(kind.type, object)}}\n`);

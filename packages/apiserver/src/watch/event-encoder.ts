/** Events as bytes, in the form that a watch was asked for. What watchers share is encoded once. */
import { Status as StatusKind } from '@coxswain/api/meta/v1/status.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { encode } from '@coxswain/schema';
import type { ApiRequest } from '../http/api-request.ts';
import { utf8 } from '../http/api-response.ts';
import type { StreamSink } from '../http/api-response.ts';
import type { Negotiated } from '../negotiation/negotiate.ts';
import { protobufFrame } from '../negotiation/protobuf.ts';
import { statusKind } from '../negotiation/error-response.ts';
import type { ResourceScope } from '../resource-scope.ts';
import { versioned } from '../respond.ts';
import type { ServedEvent, ServedObjectEvent } from '../rest/served.ts';
import { partialObject } from '../table/partial-object.ts';
import type { OfKind } from '../table/partial-object.ts';
import { tableOf } from '../table/table.ts';
import { tableOptionsOf } from '../table/table-options.ts';
import { bookmarkObject } from './bookmark.ts';

export interface EventEncoder {
  readonly contentType: string;
  encode(event: ServedEvent): Uint8Array;
  /** @param together how many events are written in one turn */
  write(event: ServedEvent, sink: StreamSink, together: number): void;
}

/** So many events at once are joined into one block anyway: making a frame of each would copy them twice. */
const joinedMin = 32;

export function eventEncoderOf(
  request: ApiRequest,
  scope: ResourceScope,
  negotiated: Negotiated,
): EventEncoder {
  const { media, contentType } = negotiated.type;
  const form = formOf(request, scope, negotiated);
  const isPlain = media === 'json' && scope.identity && negotiated.transform === undefined;
  const encodeEvent = (event: ServedEvent) =>
    event.type === 'BOOKMARK' || event.type === 'ERROR'
      ? frame(media === 'protobuf', event.type, specialObject(scope, event))
      : form(event);
  return {
    contentType: media === 'json' ? contentType : `${contentType};stream=watch`,
    encode: encodeEvent,
    write(event, sink, together) {
      if (!isPlain || together < joinedMin || !('appendTo' in event)) return sink.write(encodeEvent(event));
      const parts: Uint8Array[] = [];
      event.appendTo?.(parts);
      for (const part of parts) sink.write(part);
    },
  };
}

type ObjectForm = (event: ServedObjectEvent) => Uint8Array;

function formOf(request: ApiRequest, scope: ResourceScope, { type, transform }: Negotiated): ObjectForm {
  const isProtobuf = type.media === 'protobuf';
  if (transform !== undefined) {
    const options = tableOptionsOf(request);
    let isFirst = true;
    return (event) => {
      const object = versioned(scope, event.object.object);
      if (transform.kind !== 'Table') return frame(isProtobuf, event.type, partialObject(transform, object));
      const table = tableOf(scope, [object], { ...options, noHeaders: !isFirst }, transform.version);
      isFirst = false;
      return frame(isProtobuf, event.type, table);
    };
  }
  const { kind } = scope;
  const make = (event: ServedObjectEvent) =>
    frame(isProtobuf, event.type, { kind, object: versioned(scope, event.object.object) });
  if (!isProtobuf && scope.identity) return (event) => event.frame ?? make(event);
  const name = `${type.media} ${kind.apiVersion}`;
  return (event) => (event.form === undefined ? make(event) : event.form(name, make));
}

function specialObject(scope: ResourceScope, event: Exclude<ServedEvent, ServedObjectEvent>): OfKind {
  if (event.type === 'BOOKMARK') return { kind: scope.kind, object: bookmarkObject(scope.kind, event) };
  return { kind: { ...statusKind, type: StatusKind.type }, object: event.status as unknown as KubeObject };
}

const frame = (isProtobuf: boolean, type: string, { kind, object }: OfKind): Uint8Array =>
  isProtobuf
    ? protobufFrame(type, kind, object)
    : utf8(`{"type":"${type}","object":${encode(kind.type, object)}}\n`);

/**
 * A transport that sends bodies of built-in kinds as protobuf and accepts protobuf, and returns responses as JSON, so
 * that recorded cases can be played in another encoding. The Content-Type keeps the encoding of the response, and
 * says whether encoding the object again gives the same bytes.
 */
import { DeleteOptions } from '@coxswain/api/meta/v1/options.ts';
import { protobufBodies } from '@coxswain/client/protobuf.ts';
import type { Transport, TransportRequest, TransportResponse } from '@coxswain/client/transport.ts';
import { decodeValue, encodeProtobuf, type StructType } from '@coxswain/schema';

const json = 'application/json';
const protobuf = 'application/vnd.kubernetes.protobuf';

export function withProtobuf(transport: Transport): Transport {
  return {
    structured: false,
    address: transport.address,
    send: async (request) => asJson(await transport.send(asProtobuf(request))),
    close: () => transport.close(),
  };
}

function asProtobuf(request: TransportRequest): TransportRequest {
  const { headers, body } = request;
  const accept = headers['accept'];
  const encoded =
    headers['content-type'] === json && body instanceof Uint8Array ? encodedBody(body) : undefined;
  return {
    ...request,
    ...(encoded !== undefined && { body: encoded }),
    headers: {
      ...headers,
      ...(typeof accept === 'string' &&
        accept.startsWith(json) && { accept: accept.replace(json, protobuf) }),
      ...(encoded !== undefined && { 'content-type': protobuf, 'content-length': String(encoded.length) }),
    },
  };
}

/** Undefined for what can only be sent as JSON. */
function encodedBody(body: Uint8Array): Uint8Array | undefined {
  let object: unknown;
  try {
    object = JSON.parse(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
  try {
    return (object as { kind?: unknown } | null)?.kind === 'DeleteOptions'
      ? encodeDeleteOptions(object)
      : protobufBodies.encode(object);
  } catch {
    return undefined;
  }
}

function encodeDeleteOptions(object: unknown): Uint8Array | undefined {
  const type = DeleteOptions.type as StructType;
  const { object: normal, problems } = decodeValue(type, object);
  return problems.length > 0
    ? undefined
    : encodeProtobuf(type, normal as { apiVersion: string; kind: string });
}

function asJson(response: TransportResponse): TransportResponse {
  const type = String(response.headers['content-type'] ?? '');
  if (!type.startsWith(protobuf)) return response;
  const isWatch = type.includes('stream=watch');
  const headers = { ...response.headers, 'content-type': `${json}; from=${type.replace('protobuf', 'pb')}` };
  if (isWatch) return { ...response, headers, stream: () => eventLines(response) };
  return { ...response, headers, bytes: async () => jsonOf(await response.bytes(), headers) };
}

async function* eventLines(response: TransportResponse): AsyncGenerator<Uint8Array> {
  for await (const events of protobufBodies.decodeEvents(response.stream()))
    for (const event of events) yield Buffer.from(`${JSON.stringify(event)}\n`);
}

function jsonOf(bytes: Uint8Array, headers: Record<string, unknown>): Uint8Array {
  try {
    const object = protobufBodies.decode(bytes);
    const again = protobufBodies.encode(object);
    if (again === undefined || !Buffer.from(bytes).equals(again))
      headers['content-type'] += '; reencoded=other';
    return Buffer.from(JSON.stringify(object));
  } catch (failure) {
    return Buffer.from(JSON.stringify({ undecodable: String(failure) }));
  }
}

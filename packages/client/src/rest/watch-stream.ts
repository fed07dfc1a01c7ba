/** The body of a watch: one JSON event a line, joined into the batches that arrived together. */

import { StatusError } from '@coxswain/apimachinery';
import type { KubeObject, Status, WatchEvent } from '@coxswain/apimachinery';
import type { TransportResponse } from '../transport.ts';
import { parseJson } from './answer.ts';
import type { BodyFormat } from './body-format.ts';

/** One event may be as large as the largest object, in every version of it, and some more. */
const eventLengthMax = 64 * 1024 * 1024;

/** @throws StatusError for an ERROR event */
export async function* watchEvents<T extends KubeObject>(
  response: TransportResponse,
  bodies?: BodyFormat,
): AsyncGenerator<readonly WatchEvent<T>[]> {
  const batches =
    (response.events as AsyncIterable<readonly WatchEvent<T>[]> | undefined) ??
    (bodies?.isOf(response) ? bodies.decodeEvents<T>(response.stream()) : decode<T>(response.stream()));
  for await (const batch of batches) {
    const failed = batch.findIndex((event) => event.type === 'ERROR');
    if (failed < 0) {
      yield batch;
      continue;
    }
    if (failed > 0) yield batch.slice(0, failed);
    throw StatusError.from(batch[failed]!.object as unknown as Status);
  }
}

async function* decode<T>(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<WatchEvent<T>[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    if (rest.length > eventLengthMax)
      throw new Error(`a watch event is longer than ${eventLengthMax} characters`);
    const end = rest.lastIndexOf('\n');
    if (end < 0) continue;
    const lines = rest.slice(0, end).split('\n');
    rest = rest.slice(end + 1);
    const events = lines.filter((line) => line.trim() !== '').map((line) => parseJson(line) as WatchEvent<T>);
    if (events.length > 0) yield events;
  }
  if (rest.trim() !== '') yield [parseJson(rest) as WatchEvent<T>];
}

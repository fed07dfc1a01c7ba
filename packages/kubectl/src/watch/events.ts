/** Decodes the events of a watch from the lines of its body. */
import { StatusError, type Status, type WatchEventType } from '@coxswain/apimachinery';
import { parseJson } from '@coxswain/client/rest/answer.ts';

export interface RawWatchEvent<T> {
  readonly type: WatchEventType;
  readonly object: T;
}

/**
 * @param withBookmarks includes bookmarks, which report the position of a watch and are omitted by default
 * @throws StatusError for an ERROR event
 */
export async function* readWatchEvents<T>(
  body: AsyncIterable<Uint8Array>,
  withBookmarks = false,
): AsyncGenerator<RawWatchEvent<T>> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.trim() === '') continue;
      const event = parseJson(line) as RawWatchEvent<T>;
      if (event.type === 'ERROR') throw StatusError.from(event.object as unknown as Status);
      if (withBookmarks || event.type !== 'BOOKMARK') yield event;
    }
  }
}

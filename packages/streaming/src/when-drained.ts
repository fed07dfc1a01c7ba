/** Waiting for a writable stream of Node or of a library. */
export interface Drainable {
  on(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}

const waiting = new WeakMap<Drainable, (() => void)[]>();

/** Calls back when a stream accepts more data or is gone. All waiters of one stream share its listeners. */
export function whenDrained(stream: Drainable, go: () => void): void {
  const others = waiting.get(stream);
  if (others !== undefined) {
    others.push(go);
    return;
  }
  const all = [go];
  waiting.set(stream, all);
  const goOn = () => {
    stream.off('drain', goOn);
    stream.off('close', goOn);
    // A caller that writes now and is blocked again waits for the next time.
    waiting.delete(stream);
    for (const each of all) each();
  };
  stream.on('drain', goOn);
  stream.on('close', goOn);
}

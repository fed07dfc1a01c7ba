/** An `io` for tests that records output and has no environment. */
import { ManualClock, systemRandom } from '@coxswain/apimachinery';
import type { KubectlIo } from '../io.ts';

export interface RecordedIo extends KubectlIo {
  /** The output so far. */
  readonly text: { readonly out: string; readonly err: string };
}

export function recordedIo(over: Partial<KubectlIo> = {}): RecordedIo {
  const written = { out: '', err: '' };
  const writer = (stream: 'out' | 'err') => ({
    write(text: string | Uint8Array) {
      written[stream] += typeof text === 'string' ? text : new TextDecoder().decode(text);
    },
  });
  return {
    out: writer('out'),
    err: writer('err'),
    stdin: async () => '',
    env: {},
    workingDirectory: '/',
    clock: new ManualClock(),
    random: systemRandom,
    text: written,
    ...over,
  };
}

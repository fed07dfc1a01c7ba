/** Returns the logs of containers as text. */

import type { KubeClient } from '@coxswain/client';
import { checkWords, wordsOf } from './known-words.ts';
import type { LogOptions } from '../../types/testing.d.ts';

export type { LogOptions } from '../../types/testing.d.ts';

const words = wordsOf<LogOptions>({ container: true, previous: true, tailLines: true, timestamps: true });

/** @param namespace the default for pod names without a namespace */
export const podLogs =
  ({ rest }: KubeClient, namespace: string) =>
  async (pod: string, options: LogOptions = {}): Promise<string> => {
    checkWords('logs', options, words);
    const [name = '', within = namespace] = pod
      .replace(/^pods?\//, '')
      .split('/')
      .toReversed();
    const query = new URLSearchParams(
      Object.entries(options).map(([key, value]): [string, string] => [key, String(value)]),
    );
    const path = `/api/v1/namespaces/${encodeURIComponent(within)}/pods/${encodeURIComponent(name)}/log?${query}`;
    const answer = await rest.send({ verb: 'GET', path });
    return new TextDecoder().decode(await answer.bytes());
  };

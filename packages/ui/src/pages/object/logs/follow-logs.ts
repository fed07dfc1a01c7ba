/** Reads and follows the logs of containers until it is stopped. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { client } from '../../../cluster/cluster.ts';
import { LogLines } from './log-lines.ts';

export interface LogSource {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** The name displayed beside its lines. */
  readonly name: string;
}

export interface LogOptions {
  /** Whether to read the log of the previous container instance. */
  readonly previous: boolean;
  readonly follow: boolean;
  readonly signal: AbortSignal;
  readonly onLines: (lines: LogLines) => void;
}

const tailLines = 2000;
/** The minimum interval between updates. */
const shownEveryMs = 100;

export function followLogs(sources: readonly LogSource[], options: LogOptions): void {
  const lines = new LogLines();
  let showing: ReturnType<typeof setTimeout> | undefined;
  const show = (): void => {
    showing ??= setTimeout(() => {
      showing = undefined;
      lines.trim();
      if (!options.signal.aborted) options.onLines(lines);
    }, shownEveryMs);
  };
  options.onLines(lines);
  for (const source of sources)
    detach(
      read(source, options, (line) => {
        lines.add(source.name, line);
        show();
      }),
    );
}

async function read(source: LogSource, options: LogOptions, onLine: (line: string) => void): Promise<void> {
  const { signal, previous, follow } = options;
  try {
    const answer = await client.rest.send({
      verb: 'GET',
      groupVersion: { group: '', version: 'v1' },
      resource: 'pods',
      namespace: source.namespace,
      name: source.pod,
      subresource: 'log',
      accept: '*/*',
      query: {
        container: source.container,
        timestamps: true,
        tailLines,
        ...(previous ? { previous: true } : { follow }),
      },
      signal,
    });
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of answer.stream()) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) onLine(line);
    }
    if (rest !== '') onLine(rest);
  } catch (failure) {
    if (!signal.aborted) onLine(`— ${messageOf(failure)}`);
  }
}

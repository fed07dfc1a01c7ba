import { formatMicroTime } from '@coxswain/apimachinery';
import type { LogOptions } from '@coxswain/kubelet/connection.ts';

export interface LogLine {
  readonly timeMs: number;
  readonly text: string;
}

const encoder = new TextEncoder();

/** The bytes of the lines that the options select, at most `limitBytes` of them. */
export function selectLog(lines: readonly LogLine[], options: LogOptions): Uint8Array {
  const recent = lines.filter(({ timeMs }) => options.sinceMs === undefined || timeMs >= options.sinceMs);
  const { tailLines } = options;
  const tail = tailLines === undefined ? recent : tailLines === 0 ? [] : recent.slice(-tailLines);
  const text = tail
    .map((line) => (options.timestamps ? `${stamp(line.timeMs)} ${line.text}\n` : `${line.text}\n`))
    .join('');
  const bytes = encoder.encode(text);
  return options.limitBytes === undefined ? bytes : bytes.subarray(0, options.limitBytes);
}

/** Timestamps have nanoseconds, as those of the runtime do. */
const stamp = (timeMs: number): string => formatMicroTime(timeMs).replace('Z', '000Z');

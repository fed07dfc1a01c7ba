/**
 * A line of a container's log in the runtimes' format: `<time> stdout F <text>`; with `P` instead of `F`, it continues
 * in the next.
 */
export interface LogLine {
  /** RFC 3339 with nanoseconds. */
  readonly time: string;
  readonly stream: string;
  readonly isPartial: boolean;
  readonly text: string;
}

const pattern = /^(\S+) (stdout|stderr) (\S+) ?([^]*)$/;

/** Undefined for an invalid line, such as one that is only partly written. */
export function parseLogLine(line: string): LogLine | undefined {
  const match = pattern.exec(line);
  if (match === null) return undefined;
  const [, time = '', stream = '', tags = '', text = ''] = match;
  return { time, stream, isPartial: tags.split(':').includes('P'), text };
}

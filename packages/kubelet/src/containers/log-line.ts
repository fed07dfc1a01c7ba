/** A line of a container's log as runtimes write it: `<time> stdout F <text>`; `P` instead of `F` goes on in the next. */
export interface LogLine {
  /** RFC 3339 with nanoseconds. */
  readonly time: string;
  readonly stream: string;
  readonly isPartial: boolean;
  readonly text: string;
}

const pattern = /^(\S+) (stdout|stderr) (\S+) ?([^]*)$/;

/** undefined for what is none, such as the half of a line that is being written. */
export function parseLogLine(line: string): LogLine | undefined {
  const match = pattern.exec(line);
  if (match === null) return undefined;
  const [, time = '', stream = '', tags = '', text = ''] = match;
  return { time, stream, isPartial: tags.split(':').includes('P'), text };
}

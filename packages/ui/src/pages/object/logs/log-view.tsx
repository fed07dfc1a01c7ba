/** A virtualized view of the lines, which stays at the end while they are followed. */

import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { LogLine } from './log-lines.ts';
import { lineAt, rowsOf } from './log-rows.ts';

interface LogViewProps {
  readonly lines: readonly LogLine[];
  readonly sought: string;
  readonly withTimes: boolean;
  readonly withSources: boolean;
  readonly isWrapped: boolean;
  readonly follow: boolean;
}

const rowPx = 20;
const beyond = 20;
const timeLength = 23;
const measuredColumns = 100;

interface Seen {
  /** The row at the top. */
  readonly row: number;
  /** How many rows, and columns of a line, fit. */
  readonly rows: number;
  readonly columns: number;
}

export function LogView({ lines, sought, withTimes, withSources, isWrapped, follow }: LogViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const ruler = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const [seen, setSeen] = useState<Seen>({ row: 0, rows: 40, columns: 80 });
  useLayoutEffect(() => {
    const element = scroller.current!;
    const look = (): void => {
      isAtEnd.current = element.scrollTop + element.clientHeight >= element.scrollHeight - 2 * rowPx;
      const { clientWidth: lineWidth, offsetLeft: padding } = ruler.current!;
      setSeen({
        row: Math.floor(element.scrollTop / rowPx),
        rows: Math.ceil(element.clientHeight / rowPx),
        columns: Math.max(1, Math.floor(((element.clientWidth - 2 * padding) * measuredColumns) / lineWidth)),
      });
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(element);
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  const starts = useMemo(
    () =>
      rowsOf(lines, {
        columns: isWrapped ? seen.columns : Infinity,
        before: ({ source }) => (withTimes ? timeLength + 1 : 0) + (withSources ? source.length + 1 : 0),
      }),
    [lines, isWrapped, isWrapped && seen.columns, withTimes, withSources],
  );
  useLayoutEffect(() => {
    const element = scroller.current!;
    if (follow && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [starts, follow]);
  const first = lineAt(starts, Math.max(0, seen.row - beyond));
  const last = lineAt(starts, seen.row + seen.rows + beyond);
  return (
    <div class="log-view" data-is-wrapped={isWrapped || undefined} ref={scroller} tabIndex={0} role="log">
      <div class="log-ruler" ref={ruler} style={{ width: `${measuredColumns}ch` }} />
      <div style={{ height: `${starts.at(-1)! * rowPx}px` }}>
        <div style={{ transform: `translateY(${starts[first]! * rowPx}px)` }}>
          {lines.slice(first, last + 1).map(({ id, source, time, text }) => (
            <div key={id} class="log-line">
              {withTimes && (
                <span class="log-time">
                  {time.slice(0, timeLength).replace('T', ' ').padEnd(timeLength)}{' '}
                </span>
              )}
              {withSources && <span class="log-source">{source} </span>}
              <span>{marked(text, sought)}</span>
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

function marked(text: string, sought: string) {
  const at = sought === '' ? -1 : text.toLowerCase().indexOf(sought.toLowerCase());
  if (at < 0) return text;
  const end = at + sought.length;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  );
}

/** A virtualized view of the lines, which stays at the end while they are followed. */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { LogLine } from './log-lines.ts';

interface LogViewProps {
  readonly lines: readonly LogLine[];
  readonly sought: string;
  readonly withTimes: boolean;
  readonly withSources: boolean;
  readonly follow: boolean;
}

const linePx = 20;
const beyond = 20;

export function LogView({ lines, sought, withTimes, withSources, follow }: LogViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const [first, setFirst] = useState(0);
  const count = Math.ceil((scroller.current?.clientHeight ?? 800) / linePx);
  useEffect(() => {
    const element = scroller.current!;
    const look = (): void => {
      isAtEnd.current = element.scrollTop + element.clientHeight >= element.scrollHeight - 2 * linePx;
      setFirst(Math.floor(element.scrollTop / linePx));
    };
    element.addEventListener('scroll', look, { passive: true });
    return () => element.removeEventListener('scroll', look);
  }, []);
  useLayoutEffect(() => {
    const element = scroller.current!;
    if (follow && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [lines, follow]);
  const start = Math.max(0, Math.min(first - beyond, lines.length - count));
  return (
    <div class="log-view" ref={scroller} tabIndex={0} role="log">
      <div style={{ height: `${lines.length * linePx}px` }}>
        <div style={{ transform: `translateY(${start * linePx}px)` }}>
          {lines.slice(start, first + count + beyond).map(({ id, source, time, text }) => (
            <div key={id} class="log-line">
              {withTimes && <span class="log-time">{time.slice(0, 23).replace('T', ' ')}</span>}
              {withSources && <span class="log-source">{source}</span>}
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

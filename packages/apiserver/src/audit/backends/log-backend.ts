/** Writes events as lines of text. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { AuditBackend, AuditEvent } from '../audit-event.ts';
import type { LostEvents } from '../audit-metrics.ts';
import { eventLine } from '../event-json.ts';
import { eventText } from '../event-text.ts';

export const logFormats = ['legacy', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

/** A destination of lines. */
export interface LineWriter {
  /** Writes lines, which include their line breaks. @throws Error when writing fails */
  write(lines: string): void;
  /** Resolves when everything has been written. */
  flush(): Promise<void>;
}

export const logBackend = (out: LineWriter, format: LogFormat, lost: LostEvents): AuditBackend => ({
  name: 'log',
  process(events) {
    const lines = events.length === 1 ? lineOf(events[0]!, format) : linesOf(events, format);
    try {
      out.write(lines);
      return true;
    } catch (failure) {
      lost('log', messageOf(failure), events);
      return false;
    }
  },
  flush: () => out.flush(),
});

const lineOf = (event: AuditEvent, format: LogFormat): string =>
  format === 'json' ? eventLine(event) : `${eventText(event)}\n`;

const linesOf = (events: readonly AuditEvent[], format: LogFormat): string =>
  events.map((event) => lineOf(event, format)).join('');

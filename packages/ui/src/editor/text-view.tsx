/**
 * A read-only view of YAML with highlighting, and with the writer of each line or a comparison with earlier text. The
 * editor would be ten times as large.
 */

import { lineChanges } from '@coxswain/api/meta/unified-diff.ts';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { inLanguages } from '../language/language.ts';
import { yamlSpans, type YamlSpan } from './yaml-spans.ts';
import './text-view.css';

const text = inLanguages(
  { unchanged: (count: number) => `${count} unchanged lines` },
  { unchanged: (count: number) => `${count} 行未变` },
);

interface TextViewProps {
  readonly text: string;
  readonly label: string;
  /** The earlier text; differences are marked. */
  readonly before?: string;
  /** The content beside each line, by its zero-based number. */
  readonly aside?: (line: number) => ComponentChildren;
}

export function TextView({ text: after, label, before, aside }: TextViewProps) {
  const rows = useMemo(
    () => (before === undefined ? plainRows(ended(after)) : changedRows(ended(before), ended(after))),
    [after, before],
  );
  return (
    <div class="text-view" role="region" aria-label={label} tabIndex={0} data-aside={aside && ''}>
      {rows.map((part, index) =>
        part.isFolded ? (
          <Folded key={index} rows={part.rows} />
        ) : (
          <div key={index} class="text-view-part" style={{ '--lines': part.rows.length }}>
            {part.rows.map((row) => (
              <Row key={`${row.mark}${row.number}`} row={row} aside={aside} />
            ))}
          </div>
        ),
      )}
    </div>
  );
}

/** The newline at the end begins no further line. */
const ended = (text: string): string => text.replace(/\n$/v, '');

/** Unchanged lines, which can be unfolded. */
function Folded({ rows }: { readonly rows: readonly TextRow[] }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen)
    return (
      <>
        {rows.map((row) => (
          <Row key={row.number} row={row} />
        ))}
      </>
    );
  return (
    <button type="button" class="text-view-folded" onClick={() => setOpen(true)}>
      … {text().unchanged(rows.length)} …
    </button>
  );
}

interface RowProps {
  readonly row: TextRow;
  readonly aside?: TextViewProps['aside'];
}

const Row = ({ row: { mark, number, spans, changed }, aside }: RowProps) => (
  <div class="text-view-row" data-mark={mark}>
    {aside !== undefined && <span class="text-view-aside">{aside(number - 1)}</span>}
    <span class="text-view-number" data-number={mark === 'removed' ? '' : number} />
    <span class="text-view-line">
      {changed === undefined
        ? spans.map(({ role, text }, index) => (
            <span key={index} data-role={role}>
              {text}
            </span>
          ))
        : changed.map((part, index) => (index === 1 ? <mark key={index}>{part}</mark> : part))}
    </span>
  </div>
);

interface TextRow {
  readonly mark: 'same' | 'removed' | 'added';
  /** One-based. */
  readonly number: number;
  readonly spans: readonly YamlSpan[];
  /** For a line that was modified: the common beginning, the difference, and the common end. */
  readonly changed?: readonly [string, string, string];
}

interface TextPart {
  readonly isFolded: boolean;
  readonly rows: readonly TextRow[];
}

/** The lines of one part. Parts outside the visible area are not laid out. */
const partLines = 200;

function plainRows(text: string): readonly TextPart[] {
  const rows = rowsOf(text, 'same');
  return Array.from({ length: Math.ceil(rows.length / partLines) }, (_, part) => ({
    isFolded: false,
    rows: rows.slice(part * partLines, (part + 1) * partLines),
  }));
}

function rowsOf(text: string, mark: TextRow['mark']): readonly TextRow[] {
  return yamlSpans(text).map((spans, index) => ({ mark, number: index + 1, spans }));
}

/** The unchanged lines shown around a change. */
const contextLines = 3;
/** Fewer lines are not worth folding. */
const foldedMin = 6;

function changedRows(before: string, after: string): readonly TextPart[] {
  const [removed, added] = [rowsOf(before, 'removed'), rowsOf(after, 'added')];
  const [a, b] = [before.split('\n'), after.split('\n')];
  const parts = lineChanges(a, b).flatMap(({ isEqual, aStart, aEnd, bStart, bEnd }): readonly TextPart[] => {
    if (!isEqual) return [{ isFolded: false, rows: replaced(removed, added, aStart, aEnd, bStart, bEnd) }];
    const rows = added.slice(bStart, bEnd).map((row) => ({ ...row, mark: 'same' as const }));
    const [head, tail] = [bStart === 0 ? 0 : contextLines, bEnd === b.length ? 0 : contextLines];
    if (rows.length - head - tail < foldedMin) return [{ isFolded: false, rows }];
    return [
      { isFolded: false, rows: rows.slice(0, head) },
      { isFolded: true, rows: rows.slice(head, rows.length - tail) },
      { isFolded: false, rows: rows.slice(rows.length - tail) },
    ];
  });
  return parts.filter(({ rows }) => rows.length > 0);
}

function replaced(
  removed: readonly TextRow[],
  added: readonly TextRow[],
  aStart: number,
  aEnd: number,
  bStart: number,
  bEnd: number,
): readonly TextRow[] {
  const [out, into] = [removed.slice(aStart, aEnd), added.slice(bStart, bEnd)];
  if (out.length !== into.length) return [...out, ...into];
  const pairs = out.map((row, index) => changedPair(row, into[index]!));
  return [...pairs.map(([one]) => one), ...pairs.map(([, other]) => other)];
}

/** Splits two lines into their common beginning, the difference, and their common end. */
function changedPair(one: TextRow, other: TextRow): readonly [TextRow, TextRow] {
  const [a, b] = [lineOf(one), lineOf(other)];
  const lengthMax = Math.min(a.length, b.length);
  let head = 0;
  while (head < lengthMax && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < lengthMax - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const parts = (line: string): [string, string, string] => [
    line.slice(0, head),
    line.slice(head, line.length - tail),
    line.slice(line.length - tail),
  ];
  return [
    { ...one, changed: parts(a) },
    { ...other, changed: parts(b) },
  ];
}

const lineOf = ({ spans }: TextRow): string => spans.map(({ text }) => text).join('');

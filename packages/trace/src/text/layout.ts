/** Lays out lines for a terminal: time, duration, id, what happened, and where in the code. */

import { durationText, momentText } from './durations.ts';

export interface LayoutOptions {
  readonly columns: number;
  readonly colours: boolean;
}

export interface Line {
  /** Since the first displayed undertaking began. */
  readonly atNs?: number;
  readonly totalNs?: number;
  /** Omitted if it equals the total. */
  readonly selfNs?: number;
  /** Whether it was still running at the end. */
  readonly open?: boolean;
  /** An id by which more can be requested. */
  readonly id?: string;
  /** The tree's guide lines before the text: `│ ├ `. */
  readonly guides: string;
  readonly text: readonly Part[];
  readonly place?: string;
  /** The guide lines before continuation lines if the text wraps; without them, it is truncated. */
  readonly below?: string;
}

export interface Part {
  readonly text: string;
  readonly style?: Style;
}

type Style = 'strong' | 'dim' | 'bad' | 'good' | 'link' | 'cause';

const codes: Readonly<Record<Style, string>> = {
  strong: '1',
  dim: '2',
  bad: '31',
  good: '32',
  link: '36',
  cause: '33',
};

const columnsMin = 60;
const momentWidth = 11;
const durationWidth = 9;
const idWidth = 6;
/** The minimum width of the text before a place is shortened or omitted. */
const textMin = 24;
/** Narrower terminals omit the own time first, then values, then places. */
const selfColumns = 90;

interface Cells {
  readonly moment: string;
  readonly total: string;
  readonly self: string;
  readonly id: string;
}

export const headings = (options: LayoutOptions): string =>
  layOut({ guides: '', text: [{ text: 'what', style: 'dim' }], place: 'where' }, options, {
    moment: 'since start',
    total: 'total',
    self: 'self',
    id: 'id',
  });

export function layOut(line: Line, options: LayoutOptions, cells: Cells = cellsOf(line)): string {
  const columns = Math.max(options.columns, columnsMin);
  const paint = painter(options.colours);
  const self = columns < selfColumns ? '' : cells.self.padStart(durationWidth);
  const left = `${cells.moment.padStart(momentWidth)}${cells.total.padStart(durationWidth)}${self}  ${cells.id.padEnd(idWidth)} `;
  const width = columns - left.length;
  const parts = [{ text: line.guides, style: 'dim' } satisfies Part, ...line.text];
  const wanted =
    line.below === undefined
      ? widthOf(parts)
      : // The text wraps unless a shorter place makes room for it.
        widthOf(parts) + lastPart(line.place).length + 2 <= width
        ? widthOf(parts)
        : Math.max(widthOf(parts.slice(0, 2)), Math.min(widthOf(parts), width / 2));
  const place = placeText(line.place, {
    room: width - Math.max(textMin, wanted) - 2,
    // In a narrow terminal, the name of the step is not truncated for the sake of its place.
    most: columns < selfColumns ? width - widthOf(parts.slice(0, 2)) - 2 : Infinity,
  });
  const room = width - (place === '' ? 0 : place.length + 2);
  const { text, rest } =
    line.below === undefined
      ? { text: fitted(parts, room), rest: [] }
      : wrapped(parts, room, width, line.below);
  const gap = ' '.repeat(Math.max(0, width - widthOf(text) - place.length));
  const first = [
    paint(cells.moment.padStart(momentWidth), 'dim'),
    cells.total.padStart(durationWidth),
    paint(self, 'dim'),
    `  ${paint(cells.id.padEnd(idWidth), 'cause')} `,
    ...text.map((part) => paint(part.text, part.style)),
    ...(place === '' ? [] : [gap, paint(place, 'link')]),
  ]
    .join('')
    .trimEnd();
  const blank = ' '.repeat(left.length);
  return [
    first,
    ...rest.map(
      (more) =>
        blank +
        more
          .map((part) => paint(part.text, part.style))
          .join('')
          .trimEnd(),
    ),
  ].join('\n');
}

const cellsOf = ({ atNs, totalNs, selfNs, open, id = '' }: Line): Cells => ({
  moment: atNs === undefined ? '' : momentText(atNs),
  total: totalNs === undefined ? (open ? '…' : '') : durationText(totalNs),
  self: selfNs === undefined || selfNs === totalNs ? '' : durationText(selfNs),
  id,
});

const painter =
  (colours: boolean) =>
  (text: string, style?: Style): string =>
    colours && style !== undefined && text.trim() !== '' ? `\u001b[${codes[style]}m${text}\u001b[0m` : text;

/** Truncates the line with an ellipsis and removes line breaks. */
function fitted(parts: readonly Part[], width: number): readonly Part[] {
  const result: Part[] = [];
  let left = width;
  for (const { text, style } of parts) {
    const flat = oneLine(text);
    if (left <= 0 || flat === '') continue;
    const cut = flat.length > left ? `${flat.slice(0, left - 1)}…` : flat;
    result.push({ text: cut, ...(style && { style }) });
    left -= cut.length;
  }
  return result;
}

/** Wraps the text onto further lines, between words where possible. */
function wrapped(
  parts: readonly Part[],
  firstWidth: number,
  width: number,
  below: string,
): { readonly text: readonly Part[]; readonly rest: readonly (readonly Part[])[] } {
  const lines: Part[][] = [[]];
  let left = firstWidth;
  const words = parts.flatMap(({ text, style }) =>
    (oneLine(text).match(/ *[^ ]+ *$| *[^ ]+/g) ?? [oneLine(text)]).map((word) => ({ text: word, style })),
  );
  for (const { text, style } of words) {
    let word = text;
    while (word.length > left) {
      // Only a word longer than a line is split.
      const isLong = word.trim().length > width - below.length;
      const cut = isLong ? Math.max(left, 0) : 0;
      if (cut > 0) lines.at(-1)!.push({ text: word.slice(0, cut), ...(style && { style }) });
      word = cut > 0 ? word.slice(cut) : word.trimStart();
      lines.push([{ text: below, style: 'dim' }]);
      left = width - below.length;
    }
    lines.at(-1)!.push({ text: word, ...(style && { style }) });
    left -= word.length;
  }
  const [text = [], ...rest] = lines;
  return { text, rest };
}

/** Escapes control characters, so that the terminal does not interpret them. */
const oneLine = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, (character) => JSON.stringify(character).slice(1, -1));

const widthOf = (parts: readonly Part[]): number => parts.reduce((sum, { text }) => sum + text.length, 0);

const lastPart = (place = ''): string => place.slice(place.lastIndexOf('/') + 1);

/**
 * The whole place if there is room; otherwise without `packages/` and `src/`; otherwise file and line, for which the
 * text is truncated.
 */
function placeText(
  place: string | undefined,
  { room, most }: { readonly room: number; readonly most: number },
): string {
  if (place === undefined) return '';
  if (place.length <= room) return place;
  const short = place.replace(/^packages\//, '').replace('/src/', '/');
  if (short.length <= room) return short;
  const last = lastPart(short);
  return last.length > most ? '' : last;
}

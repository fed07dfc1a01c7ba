/** Parses the Markdown of the chapters: headings, paragraphs, lists, code, and the output of recordings. */

export type Inline =
  | { readonly kind: 'text' | 'code' | 'emphasis'; readonly text: string }
  | { readonly kind: 'link'; readonly href: string; readonly content: readonly Inline[] };

export interface Item {
  /** 0 for items at the top level. */
  readonly depth: number;
  readonly content: readonly Inline[];
}

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly content: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly content: readonly Inline[] }
  | {
      readonly kind: 'list';
      readonly isOrdered: boolean;
      /** Whether a recording wrote the list; such lists are long. */
      readonly isRecorded: boolean;
      readonly items: readonly Item[];
    }
  | { readonly kind: 'code'; readonly language: string; readonly text: string };

const fence = /^```(\w*)/;
const heading = /^(#+) (.*)/;
const item = /^( *)(-|\d+\.) +(.*)/;
const recorded = /^<!-- (?:steps|causes|figure): .* -->$/;

export function readMarkdown(text: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = text.split('\n').values();
  let isRecorded = false;
  let open: { readonly isOrdered: boolean; readonly items: { depth: number; text: string }[] } | undefined;
  let paragraph = '';
  const close = (): void => {
    if (paragraph !== '') blocks.push({ kind: 'paragraph', content: readInline(paragraph) });
    if (open !== undefined)
      blocks.push({
        kind: 'list',
        isOrdered: open.isOrdered,
        isRecorded,
        items: open.items.map(({ depth, text }) => ({ depth, content: readInline(text) })),
      });
    open = undefined;
    paragraph = '';
  };
  for (const line of lines) {
    const [, indent = '', mark, said = ''] = item.exec(line) ?? [];
    const [, level = '', title = ''] = heading.exec(line) ?? [];
    const language = fence.exec(line)?.[1];
    const last = open?.items.at(-1);
    if (line === '') {
      // Blank lines may separate items from each other and from what follows; a list ends with the next block.
      if (paragraph !== '') close();
    } else if (language !== undefined) {
      close();
      blocks.push({ kind: 'code', language, text: untilFence(lines) });
    } else if (line.startsWith('<!--')) {
      close();
      isRecorded = recorded.test(line);
    } else if (level !== '') {
      close();
      blocks.push({ kind: 'heading', level: level.length, content: readInline(title) });
    } else if (mark !== undefined) {
      if (open === undefined) close();
      open ??= { isOrdered: mark !== '-', items: [] };
      open.items.push({ depth: indent.length / 2, text: said });
    } else if (last !== undefined && line.startsWith(' ')) last.text = joined(last.text, line.trim());
    else {
      if (open !== undefined) close();
      paragraph = joined(paragraph, line);
    }
  }
  close();
  return blocks;
}

function untilFence(lines: Iterator<string>): string {
  const text: string[] = [];
  for (let next = lines.next(); !next.done && !next.value.startsWith('```'); next = lines.next())
    text.push(next.value);
  return text.join('\n');
}

const wide = /[\u3000-\u9fff\uff00-\uffef]/;

/** A line break between two Chinese characters is not a space. */
function joined(before: string, line: string): string {
  if (before === '') return line;
  return before + (wide.test(before.at(-1)!) || wide.test(line[0]!) ? '' : ' ') + line;
}

const parts = /`([^`]+)`|\[((?:`[^`]*`|[^\]`])+)\]\(([^)]+)\)|\b_([^_]+)_\b|\*\*([^*]+)\*\*/g;

function readInline(text: string): readonly Inline[] {
  const found: Inline[] = [];
  let end = 0;
  const plain = (until: number): void => {
    if (until > end) found.push({ kind: 'text', text: text.slice(end, until) });
  };
  for (const { 0: all, 1: code, 2: label, 3: href, 4: one, 5: two, index } of text.matchAll(parts)) {
    plain(index);
    end = index + all.length;
    if (code !== undefined) found.push({ kind: 'code', text: code });
    else if (label !== undefined) found.push({ kind: 'link', href: href ?? '', content: readInline(label) });
    else found.push({ kind: 'emphasis', text: one ?? two ?? '' });
  }
  plain(text.length);
  return found;
}

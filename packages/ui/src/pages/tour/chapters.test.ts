import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readChapter, readContents } from './chapters.ts';
import { commandsOf } from './commands.ts';
import { readMarkdown } from './markdown.ts';

const languages = ['en', 'zh'] as const;

const readTourFile = (file: string): Promise<string> =>
  readFile(path.join(import.meta.dirname, '../../../../../docs/tour', file), 'utf8');

const runnable = async (language: (typeof languages)[number], id: string): Promise<readonly string[]> =>
  (await readChapter(readTourFile, language, id))
    .flatMap((block) => (block.kind === 'code' && block.language === 'sh' ? commandsOf(block.text) : []))
    .filter(({ isRunnable }) => isRunnable)
    .map(({ line, stdin }) => line + stdin);

test('every chapter of the tour has commands that run, the same in both languages', async () => {
  const [english, chinese] = await Promise.all(
    languages.map((language) => readContents(readTourFile, language)),
  );
  expect(english!.chapters.map(({ id }) => id)).toEqual(chinese!.chapters.map(({ id }) => id));
  expect(english!.chapters.length).toBeGreaterThan(9);
  for (const { id } of english!.chapters) {
    const commands = await runnable('en', id);
    expect(commands.length, id).toBeGreaterThan(0);
    expect(await runnable('zh', id), id).toEqual(commands);
  }
});

test('a chapter is parsed into its parts', () => {
  const text = [
    '# One `two`',
    '',
    'Lines that are',
    'joined: [`name`](../a.ts#L1) and _that_.',
    '',
    '中文的行',
    '不加空格。',
    '',
    '<!-- steps: request -->',
    '',
    '- first',
    '  - inner,',
    '    continued',
    '',
    '<!-- /steps -->',
    '',
    '```sh',
    'kubectl apply -f - <<EOF',
    'a: 1',
    'EOF',
    'coxswain up',
    '```',
  ].join('\n');
  const plain = (said: string) => ({ kind: 'text', text: said });
  const blocks = readMarkdown(text);
  expect(blocks).toEqual([
    { kind: 'heading', level: 1, content: [plain('One '), { kind: 'code', text: 'two' }] },
    {
      kind: 'paragraph',
      content: [
        plain('Lines that are joined: '),
        { kind: 'link', href: '../a.ts#L1', content: [{ kind: 'code', text: 'name' }] },
        plain(' and '),
        { kind: 'emphasis', text: 'that' },
        plain('.'),
      ],
    },
    { kind: 'paragraph', content: [plain('中文的行不加空格。')] },
    {
      kind: 'list',
      isOrdered: false,
      isRecorded: true,
      items: [
        { depth: 0, content: [plain('first')] },
        { depth: 1, content: [plain('inner, continued')] },
      ],
    },
    { kind: 'code', language: 'sh', text: 'kubectl apply -f - <<EOF\na: 1\nEOF\ncoxswain up' },
  ]);
  const code = blocks.at(-1);
  expect(code?.kind === 'code' && commandsOf(code.text)).toEqual([
    { line: 'kubectl apply -f -', stdin: 'a: 1\n', isRunnable: true },
    { line: 'coxswain up', stdin: '', isRunnable: false },
  ]);
});

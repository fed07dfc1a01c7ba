/** The Chinese pages say what the English ones do: the same pages, sections and examples. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { chapters } from '../../site/.vitepress/chapters.ts';

const docs = path.join(import.meta.dirname, '../../docs');
/** Not yet: pages that lie in no chapter, records of decisions. The tour has a test of its own. */
const inBoth = /^((start|learn|build|reference|trust|help)\/|index\.md$)/;

const pagesIn = (directory: string): string[] =>
  existsSync(directory)
    ? readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
    : [];
const read = (file: string): string => readFileSync(path.join(docs, file), 'utf8');
const chineseOf = (file: string): string => `zh/${file}`;

const shapeOf = (text: string): object => ({
  headings: Array.from(text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^(#+) /gm), ([, level]) => level),
  examples: Array.from(text.matchAll(/^```[\s\S]*?^```$/gm), ([block]) => block),
});

const english = pagesIn(docs).filter((file) => inBoth.test(file));

test.each(english)('%s is there in Chinese', (file) => {
  expect(existsSync(path.join(docs, chineseOf(file))), `docs/${chineseOf(file)} is missing`).toBe(true);
  expect(shapeOf(read(chineseOf(file)))).toEqual(shapeOf(read(file)));
});

test('no Chinese page is left over', () => {
  const wanted = new Set(english.map(chineseOf));
  expect(
    pagesIn(path.join(docs, 'zh'))
      .map((file) => `zh/${file}`)
      .filter((file) => !wanted.has(file)),
  ).toEqual([]);
});

test('every page of a chapter is in its menu', () => {
  const unlisted = chapters
    .filter(({ directory }) => directory !== 'reference')
    .flatMap(({ directory, pages }) =>
      readdirSync(path.join(docs, directory))
        .filter((file) => file.endsWith('.md'))
        .map((file) => `${directory}/${file.slice(0, -'.md'.length)}`)
        .filter((page) => !pages.includes(page)),
    );
  expect(unlisted).toEqual([]);
});

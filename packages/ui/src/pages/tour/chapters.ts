/** The chapters of `docs/tour`, in order. */

import { inLanguages, type Language } from '../../language/language.ts';
import { readMarkdown, type Block, type Inline } from './markdown.ts';

const text = inLanguages(
  { missing: (name: string) => `there is no chapter "${name}"` },
  { missing: (name: string) => `没有“${name}”这一章` },
);

/** The text of a file of `docs/tour`, by its path there: `zh/create.md`; undefined if there is none. */
export type ReadFile = (file: string) => Promise<string | undefined>;

const directories: Readonly<Record<Language, string>> = { en: '', zh: 'zh/' };

export interface Chapter {
  /** `create`: the name of its file. */
  readonly id: string;
  readonly title: string;
}

export interface Contents {
  /** The introduction to the tour. */
  readonly about: readonly Block[];
  readonly chapters: readonly Chapter[];
}

export async function readContents(readFile: ReadFile, language: Language): Promise<Contents> {
  const blocks = await readChapter(readFile, language, 'README');
  const list = blocks.findIndex(({ kind }) => kind === 'list');
  const listed = blocks[list];
  const links = listed?.kind === 'list' ? listed.items.flatMap(({ content }) => content) : [];
  return {
    about: blocks.slice(0, list),
    chapters: links.flatMap((link) => {
      const id = link.kind === 'link' ? chapterOf(link.href) : undefined;
      return id === undefined ? [] : [{ id, title: textOf([link]) }];
    }),
  };
}

/** @throws Error if there is no such chapter */
export async function readChapter(
  readFile: ReadFile,
  language: Language,
  id: string,
): Promise<readonly Block[]> {
  const read = await readFile(`${directories[language]}${id}.md`);
  if (read === undefined) throw new Error(text().missing(id));
  return readMarkdown(read);
}

/** The chapter that a link from another one refers to. */
export const chapterOf = (href: string): string | undefined => /^([a-z-]+)\.md$/.exec(href)?.[1];

export const textOf = (content: readonly Inline[]): string =>
  content.map((part) => (part.kind === 'link' ? textOf(part.content) : part.text)).join('');

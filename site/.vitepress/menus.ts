/** Menus of the site: what `chapters.ts` lists, as far as it is there in a language. */

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { isStandIn } from '../../scripts/site/stand-ins.ts';
import { chapters, type Language } from './chapters.ts';

export const pages = process.env.SITE_PAGES ?? path.join(import.meta.dirname, '../../dist/site/pages');

export function menusOf(language: Language): DefaultTheme.Config {
  const known = chapters.filter((chapter) => chapter.pages.some((page) => exists(language, page)));
  return {
    outline: 'deep',
    nav: known.map((chapter) => ({
      text: chapter.title[language],
      link: linkTo(
        language,
        chapter.pages.find((page) => exists(language, page))!,
      ),
      activeMatch: `^${language === 'en' ? '' : '/zh'}/${chapter.directory}/`,
    })),
    sidebar: Object.fromEntries(
      known.map((chapter) => [
        `${language === 'en' ? '' : '/zh'}/${chapter.directory}/`,
        [chapter, chapter.details]
          .filter((part) => part !== undefined)
          .map(({ title, pages: listed }) => ({ text: title[language], items: itemsOf(language, listed) }))
          .filter(({ items }) => items.length > 0),
      ]),
    ),
  };
}

const itemsOf = (language: Language, listed: readonly string[]): DefaultTheme.SidebarItem[] =>
  listed
    .filter((page) => exists(language, page))
    .map((page) => ({ text: headingOf(language, page), link: linkTo(language, page) }));

const fileOf = (language: Language, page: string): string =>
  path.join(pages, language === 'en' ? '' : language, `${page}.md`);

function exists(language: Language, page: string): boolean {
  const file = fileOf(language, page);
  return existsSync(file) && !isStandIn(readFileSync(file, 'utf8'));
}

const linkTo = (language: Language, page: string): string =>
  `${language === 'en' ? '' : `/${language}`}/${page.replace(/index$/, '')}`;

/** A page is listed by its own heading. */
const headingOf = (language: Language, page: string): string =>
  /^# (.*)$/m.exec(readFileSync(fileOf(language, page), 'utf8'))?.[1]?.replaceAll('`', '') ?? page;

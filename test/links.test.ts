/** Links between the pages of the repository lead somewhere, to the heading that they name. */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const textOf = (page: string): string => readFileSync(path.join(root, page), 'utf8');
/** Code has brackets and parentheses of its own. */
const proseOf = (page: string): string =>
  textOf(page)
    .replaceAll(/^```[^]*?^```/gm, '')
    .replaceAll(/`[^`]*`/g, '');

/** As sites that show Markdown name headings: small letters, digits and hyphens. */
const anchorsOf = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('every link to a file of the repository has a file, and every link to a heading a heading', () => {
  const links = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !/^[a-z]+:/i.test(target))
      .map((target) => ({ page, target })),
  );
  expect(links.length).toBeGreaterThan(100);
  const dead = links.filter(({ page, target }) => {
    const [file = '', heading] = target.split('#');
    const place = file === '' ? page : path.join(path.dirname(page), file);
    if (!existsSync(path.join(root, place))) return true;
    return heading !== undefined && place.endsWith('.md') && !anchorsOf(place).includes(heading);
  });
  expect(dead.map(({ page, target }) => `${page} → ${target}`)).toEqual([]);
});

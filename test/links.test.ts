/** Links between the pages of the repository lead somewhere, to the heading that they name; files that they name are there. */

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

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');

/** `@coxswain/client/node.ts` is a file of the package's sources. */
const named = /^@coxswain\/([a-z-]+)\/(.+)$/;

/** As prose names it: from the root, from the packages, or the end of a path. */
function isThere(name: string): boolean {
  const [, packageName, file] = named.exec(name) ?? [];
  const end = packageName === undefined ? `/${name}` : `packages/${packageName}/src/${file}`;
  return tracked.some((one) => `/${one}`.endsWith(end));
}

/** What prose names in code style and looks like a source file in a directory. */
const sourceFile = /`((?:@?[\w-]+\/)+[\w.-]+\.(?:[mc]?ts|tsx))`/g;

test('every source file that a page names is there', () => {
  const names = pages
    .filter((page) => page !== 'CHANGELOG.md')
    .flatMap((page) => {
      const text = textOf(page).replaceAll(/^```[^]*?^```/gm, '');
      return [...text.matchAll(sourceFile)].map(([, name]) => ({ page, name: name! }));
    });
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter(({ name }) => !isThere(name)).map(({ page, name }) => `${page}: ${name}`)).toEqual([]);
});

/** The shape of an API object is said once, in `api`: elsewhere it is derived with `Live`, not written again. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { restated } from './retold-shapes.ts';

const root = path.join(import.meta.dirname, '..');
const sources = execFileSync('git', ['ls-files', 'packages/*/src/*.ts'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !file.endsWith('.test.ts'));

const namesIn = (file: string, pattern: RegExp): string[] =>
  Array.from(readFileSync(path.join(root, file), 'utf8').matchAll(pattern), ([, name]) => name!);

const isApi = (file: string): boolean => file.startsWith('packages/api/');
const structs = new Set(sources.filter(isApi).flatMap((file) => namesIn(file, /^export interface (\w+)/gm)));

/** An interface, or an alias of an object type. */
const written = /^(?:export )?(?:interface (?=\w)|type (?=\w+(?:<[^=]*>)? = (?:KubeObject & )?\{))(\w+)/gm;

test('a type written outside api that has the name of an API struct is an exemption, of which none may be added', () => {
  const found: Record<string, string[]> = {};
  for (const file of sources.filter((each) => !isApi(each))) {
    const again = namesIn(file, written).filter((name) => structs.has(name));
    if (again.length > 0) found[file] = again;
  }
  expect(found).toEqual(restated);
});

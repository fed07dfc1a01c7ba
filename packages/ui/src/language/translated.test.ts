/** Checks that all displayed text is in `inLanguages`, in each language, and that no sentence is left in other code. */

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'rolldown/utils';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'),
);

interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Two consecutive lower-case words. */
const prose = /(?:^|\s)[A-Za-z]?[a-z]+,? [a-z]{2,}(?:\s|[.,:]|$)/;

/** Properties that are not displayed: styles, and keys of storage. */
const unread: ReadonlySet<string> = new Set([
  'class',
  'fontFamily',
  'style',
  'key',
  'border',
  'textDecoration',
]);

/** String literals outside the arguments of `inLanguages`. */
function textsIn(node: Node): readonly string[] {
  if (node.type === 'ImportDeclaration' || node.type.startsWith('TS')) return [];
  if (node.type === 'CallExpression' && (node['callee'] as Node)['name'] === 'inLanguages') return [];
  if (node.type === 'CallExpression' && isAbort(node['callee'] as Node)) return [];
  const named = (node['key'] ?? node['name']) as { readonly name?: string } | undefined;
  if ((node.type === 'Property' || node.type === 'JSXAttribute') && unread.has(named?.name ?? '')) return [];
  if (node.type === 'Literal' || node.type === 'JSXText')
    return typeof node['value'] === 'string' ? [node['value']] : [];
  if (node.type === 'TemplateElement') return [(node['value'] as { readonly raw: string }).raw];
  return Object.values(node).flat().filter(isNode).flatMap(textsIn);
}

/** The reason for an abort is for the code that is aborted. */
const isAbort = (callee: Node): boolean =>
  (callee['property'] as { readonly name?: string } | undefined)?.name === 'abort';

const proseOf = (file: string, code: string): readonly string[] =>
  textsIn(parseSync(file, code).program as unknown as Node).filter((text) => prose.test(text));

test.each(files)('%s says what people read in each language', (file) => {
  expect(proseOf(file, readFileSync(path.join(root, file), 'utf8'))).toEqual([]);
});

test('a sentence in the code is found', () => {
  const code =
    "const text = inLanguages({ a: 'one of them' }, { a: '其一' }); throw new Error(`container ${a} ended with it`)";
  expect(proseOf('some.ts', code)).toEqual([' ended with it']);
});

const chinese = /\p{Script=Han}/u;

test('no text of one language appears in the other', () => {
  const wrong = files.flatMap((file) => {
    const { program } = parseSync(file, readFileSync(path.join(root, file), 'utf8'));
    return calls(program as unknown as Node).flatMap(([english]) =>
      english === undefined
        ? []
        : textsIn(english)
            .filter((text) => chinese.test(text))
            .map((text) => `${file}: ${text}`),
    );
  });
  // The switch to the other language is labelled in that language.
  expect(wrong).toEqual(['shell/top-bar.tsx: 切换到中文', 'shell/top-bar.tsx: 中']);
});

/** The arguments of each call of `inLanguages`. */
function calls(node: Node): readonly (readonly Node[])[] {
  const own =
    node.type === 'CallExpression' && (node['callee'] as Node)['name'] === 'inLanguages'
      ? [node['arguments'] as readonly Node[]]
      : [];
  return [...own, ...Object.values(node).flat().filter(isNode).flatMap(calls)];
}

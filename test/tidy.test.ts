/** Keeps the tree tidy: what may not stand in a source file, and how long one may get. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');

const tracked = execFileSync('git', ['ls-files', 'packages', 'scripts', 'bench', 'test'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(tsx?|mjs)$/.test(file));

/** Files whose length is the length of what they list. */
const longTables = /(bootstrap|flags|messages|builtin-definitions|\.test\.ts$)/;
const maxLines = 550;

const nameless = /\/(utils?|common|shared|helpers?|misc)\.tsx?$/;

const texts: ReadonlyMap<string, string> = new Map(
  tracked.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]),
);

const offenders = (matches: (text: string, file: string) => boolean): string[] =>
  tracked.filter((file) => matches(texts.get(file)!, file));

test('no file is called utils, common, shared, helper or misc', () => {
  expect(tracked.filter((file) => nameless.test(file))).toEqual([]);
});

test('no source file is longer than a reader can hold', () => {
  expect(
    offenders(
      (text, file) =>
        !file.startsWith('test/') && !longTables.test(file) && text.split('\n').length > maxLines,
    ),
  ).toEqual([]);
});

test('no test is skipped, focused or left to do', () => {
  expect(
    offenders(
      (text, file) => file.endsWith('.test.ts') && /\b(?:test|it|describe)\.(?:only|todo|skip)\(/.test(text),
    ),
  ).toEqual([]);
});

test('the function of a step is declared: a bundle drops the name of an expression', () => {
  const named = /runStep\((?:[^()]|\([^()]*\))*?(?:async )?function \w+\(/;
  expect(offenders((text, file) => !file.endsWith('.test.ts') && named.test(text))).toEqual([]);
});

test('input of child processes is given where it may stay unread: by `giveInput`', () => {
  const given = /\.stdin!?\??\.end\([^)]/;
  expect(offenders((text, file) => file.includes('test') && given.test(text))).toEqual([]);
});

const isSource = (file: string): boolean =>
  /^packages\/[^/]+\/src\/.*\.tsx?$/.test(file) && !/(\.test|\.d)\.ts$/.test(file);

/** What users import, and kinds, which are published by generated doors. */
const published = /^packages\/(?:client|controller|cel|cobra|api)\/|^packages\/coxswain\/src\/testing\//;

test('what is exported is named somewhere else', () => {
  const filesNaming = new Map<string, number>();
  for (const text of texts.values())
    for (const name of new Set(text.match(/[A-Za-z_$][\w$]*/g)))
      filesNaming.set(name, (filesNaming.get(name) ?? 0) + 1);
  const values = /^export (?:async )?(?:const|let|function\*?|class) ([A-Za-z_$][\w$]*)/gm;
  const needless = [...texts].flatMap(([file, text]) =>
    !isSource(file) || published.test(file)
      ? []
      : [...text.matchAll(values)]
          .filter(([, name]) => filesNaming.get(name!) === 1)
          .map(([, name]) => `${file}: ${name}`),
  );
  expect(needless).toEqual([]);
});

/** For recordings and documentation, which only tests read. */
const forTestsOnly: ReadonlySet<string> = new Set(['servingSettingsDefault', 'sameSet', 'simulationTable']);

test('what is exported serves more than tests', () => {
  const isTest = (file: string): boolean =>
    /\.(?:test|fixture)\.|\/test\/|^(?:test|bench|scripts)\//.test(file);
  const uses = new Map<string, number>();
  for (const [file, text] of texts) {
    if (isTest(file)) continue;
    // Comments, and files that only pass a name on, do not use it.
    const code = text.replaceAll(/\/\*[^]*?\*\/|^export (?:type )?\{[^}]*\} from .*$/gm, '');
    for (const name of code.match(/[A-Za-z_$][\w$]*/g) ?? []) uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  const unused = [...texts].flatMap(([file, text]) =>
    !isSource(file) || published.test(file) || /\.fixture\.|\/src\/(?:browser|testing)\//.test(file)
      ? []
      : [...text.matchAll(/^export (?:async )?(?:const|function\*?|class) ([A-Za-z_$][\w$]*)/gm)]
          .map(([, name]) => name!)
          .filter((name) => uses.get(name) === 1)
          .map((name) => ({ file, name })),
  );
  expect(unused.filter(({ name }) => !forTestsOnly.has(name))).toEqual([]);
});

/** The promises of LMDB settle with the transaction, which reports them. */
const reportsItself = /^packages\/storage\/src\/engine\/lmdb\//;

test('asynchronous work that nobody awaits is detached, so that its failure is reported', () => {
  const asynchronous =
    /async (?:function )?(#?[\w$]+)\s*[(<]|^\s+(#?[\w$]+)\([^()]*\): Promise<|const ([\w$]+) = async /gm;
  const floating = [...texts].flatMap(([file, text]) => {
    if (!isSource(file) || reportsItself.test(file)) return [];
    const names = new Set([...text.matchAll(asynchronous)].map(([, ...found]) => found.find(Boolean)!));
    return [...text.matchAll(/\bvoid (?:this\.)?(#?[\w$]+)\((?!.*\.catch\()/g)]
      .filter(([, name]) => names.has(name!))
      .map(([call]) => `${file}: ${call}`);
  });
  expect(floating).toEqual([]);
});

/** Named by pages of HTML. */
const pageEntries = ['packages/ui/src/main.tsx', 'packages/ui/src/recording/recording.ts'];

test('every source file is named by another one', () => {
  const named = new Set(
    [...texts.values()].flatMap((text) =>
      Array.from(text.matchAll(/['"`/]([\w.-]+\.(?:tsx?|mjs|cjs))['"`]/g), ([, name]) => name!),
    ),
  );
  expect(
    tracked.filter(
      (file) =>
        isSource(file) &&
        !published.test(file) &&
        !pageEntries.includes(file) &&
        !named.has(path.basename(file)),
    ),
  ).toEqual([]);
});

test('every exemption has something to exempt', () => {
  const patterns = [longTables, published, belowMessageOf, new RegExp(compiler)];
  const alternatives = patterns.flatMap((pattern) => alternativesOf(pattern.source));
  expect(alternatives.filter((each) => !tracked.some((file) => new RegExp(each).test(file)))).toEqual([]);
});

/** Of a pattern whose only alternatives are those of its first group. */
function alternativesOf(pattern: string): readonly string[] {
  const group = /^(.*?)\((?:\?:)?([^()]*)\)(.*)$/.exec(pattern);
  if (group === null) return [pattern];
  return group[2]!.split('|').map((each) => group[1]! + each + group[3]!);
}

/** The published test library's own modules, for test runners with a global object of their own. */
const compiler = 'scripts/packs/library.ts';

test('nothing evaluates text as code', () => {
  expect(
    offenders(
      (text, file) => !file.endsWith('.test.ts') && file !== compiler && /\beval\(|new Function\(/.test(text),
    ),
  ).toEqual([]);
});

const onTheClock = /^packages\/kube-(controller-manager|scheduler)\/src\/.*(?<!\.test|\/command)\.ts$/;
/** Called by those who load it, within theirs. */
const withinItsLoader = 'packages/kube-controller-manager/src/certificates/certificate-authority.ts';

test('what controllers and scheduler wait for on the wall is known to whoever lets a clock run', () => {
  const onTheWall = /(?<!typeof )\bimport\('|crypto\.subtle\./;
  const isCounted = (text: string, file: string) => text.includes('inWallTime(') || file === withinItsLoader;
  expect(
    offenders((text, file) => onTheClock.test(file) && onTheWall.test(text) && !isCounted(text, file)),
  ).toEqual([]);
});

/** They lie beside or below the package that has `messageOf`. */
const belowMessageOf = /^packages\/(schema|cobra)\//;

test('what a failure says is asked of messageOf, since anything can be thrown', () => {
  expect(
    offenders(
      (text, file) =>
        !belowMessageOf.test(file) &&
        !file.endsWith('.test.ts') &&
        /as Error\)\.message\b|const \{ message \} = \w+ as Error\b|instanceof Error\s*\? \w+\.message\s*: String\(/.test(
          text,
        ),
    ),
  ).toEqual([]);
});

test('what follows a promise that fails does not end the program', () => {
  // A failure that nobody takes ends it: `.then(done, failed)` takes it, and `whenFulfilled` leaves it to others.
  const untaken = /\bvoid (?!=>|\|)(?:[^;{}]|\{[^;{}]*\})*?\.then\(/;
  expect(
    offenders((text, file) => (isSource(file) || file.startsWith('bench/')) && untaken.test(text)),
  ).toEqual([]);
});

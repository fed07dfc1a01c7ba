/** Keeps what people read in plain English: phrases that must not come back, and the form of help texts. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
const pages = tracked.filter((file) => file.endsWith('.md') && !file.endsWith('.zh.md'));
const sources = tracked.filter(
  (file) => /^packages\/[^/]+\/src\/.*\.ts$/.test(file) && !file.endsWith('.test.ts'),
);
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** The lines of comments. */
const comments = (): readonly Said[] =>
  sources.flatMap((file) =>
    textOf(file)
      .split('\n')
      .filter((line) => /^\s*(?:\/[/*]|\* )/.test(line))
      .map((line) => ({ file, text: line.replace(/^[\s/*]+/, '') })),
  );

interface Said {
  readonly file: string;
  readonly text: string;
}

const quoted = String.raw`(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|\`((?:\\.|[^\`\\])*)\`)`;

/** The literals that follow one of these members, which the formatter may have put on the next line. */
const literalsAfter = (start: string): readonly Said[] =>
  sources.flatMap((file) =>
    [...textOf(file).matchAll(new RegExp(`${start}\\s*${quoted}`, 'g'))].map(([, one, two, three]) => ({
      file,
      text: (one ?? two ?? three ?? '').replaceAll('\\n', ' ').replaceAll(/\\(.)/g, '$1'),
    })),
  );

const shorts = [...literalsAfter(String.raw`\b(?:short|summary):`)].filter(({ text }) => text !== '');
const longs = literalsAfter(String.raw`\blong:`);
/** A certificate's key usage is one word. */
const usages = literalsAfter(String.raw`\busage:`).filter(({ text }) => text.includes(' '));
const errors = literalsAfter(String.raw`\bnew \w*(?:Error|Failure)\(`);

/** Each with what to write instead. */
const banned: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bwhen (?:absent|empty|none is (?:given|named))\b/i, '"Defaults to …" or "… if unset"'],
  [/\bof chance\b/i, '"random"'],
  [/\bmay be given (?:more than once|several times)\b/i, '"Can be repeated."'],
  [/\btaken and not used\b/i, '"Accepted and ignored"'],
  [/^ask before/i, '"Prompt before …"'],
  [/\bfor ever\b/i, '"forever", or "never expires"'],
  [/\banew\b/i, '"again", or a verb with "re-"'],
  [/\bas good as the past\b/i, '"for as long as the history is retained"'],
  [/\bwhat the original does decides\b/i, '"Upstream behaviour is the specification"'],
  [/\bkubeadm's way\b/i, '"follows kubeadm"'],
  [/\bwould say to\b/i, '"validate as the API server would"'],
  [
    /\b(?:is|are|was|were) told (?:to|that|what|who|which|why|whether|by|of)\b/i,
    '"reported", "notified" or "shown"',
  ],
  [/\btells? (?:what|who|which|why|whether|how|of)\b/i, '"shows", "reports" or "describes"'],
  [/\b(?:what|that) (?:there is|is there) (?:no|not)\b/i, '"missing" or "unknown"'],
  [/\bof one's own\b/i, '"of your own"'],
  [/\b(?:goes|went) on\b/i, '"continues"'],
  [/\*\*what (?:stands|does not)[:.]/i, '"Not implemented" and "Implemented"'],
  [/\bheld against\b/i, '"compared with"'],
  [/\bhad (?:their|its) say\b/i, '"have nothing left to do"'],
  [
    /(?<!there )\b(?:is|are) no (?:address|certificate|database|event|object|program|YAML|JSON)\b/i,
    '"is not a …"',
  ],
];

/** Fenced blocks hold code and the output of programs. */
const proseOf = (page: string): string => textOf(page).replaceAll(/^```[^]*?^```/gm, '');

test('no page, no comment and no text of a program uses a phrase that is banned', () => {
  const said = [
    ...pages.map((file) => ({ file, text: proseOf(file) })),
    ...shorts,
    ...longs,
    ...usages,
    ...errors,
    ...comments(),
  ];
  const found = said.flatMap(({ file, text }) =>
    banned.flatMap(([phrase, instead]) => {
      const match = phrase.exec(text.replaceAll(/\s+/g, ' '));
      return match === null ? [] : [`${file}: "${match[0]}": write ${instead}`];
    }),
  );
  expect(found).toEqual([]);
});

test('no line of a page stands there twice in a row, as after a merge', () => {
  const twice = pages.flatMap((file) => {
    const lines = textOf(file).split('\n');
    return lines
      .filter((line, index) => /[a-z]{3}/i.test(line) && line === lines[index + 1])
      .map((line) => `${file}: ${line}`);
  });
  expect(twice).toEqual([]);
});

test('the short help of a command begins with a capital and has no final period', () => {
  expect(shorts.length).toBeGreaterThan(100);
  expect(shorts.filter(({ text }) => !/^(?:[A-Z]|\$\{)/.test(text) || text.endsWith('.'))).toEqual([]);
});

/** Flags whose descriptions are no sentences in the original either: those that all commands of kubectl have, and of its config. */
const phrasesAllowed =
  /^packages\/(?:cobra\/|kubectl\/src\/(?:flags\/|commands\/config\/|commands\/kuberc\/))/;

test('the description of a flag begins with a capital and ends with a period', () => {
  const sentences = usages.filter(({ file }) => !phrasesAllowed.test(file));
  expect(sentences.length).toBeGreaterThan(400);
  expect(sentences.filter(({ text }) => !/^(?:[A-Z'"]|\$\{)/.test(text) || !/[.}:)]$/.test(text))).toEqual(
    [],
  );
});

/** In other packages many errors are those of Kubernetes, word by word. */
const ownErrors = /^packages\/(?:controller|coxswain)\//;

test('errors of our own have no final period', () => {
  const own = errors.filter(({ file }) => ownErrors.test(file));
  expect(own.length).toBeGreaterThan(100);
  expect(own.filter(({ text }) => /[^.]\.$/.test(text))).toEqual([]);
});

/**
 * `npm run differ-commands -- --kubectl PROGRAM --kubeconfig FILE [word…]`: the original's kubectl and ours are
 * given the same command lines on one API server, each in a namespace of its own; prints where they say
 * something else. With words, only lines that contain one of them are compared. See README.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '@coxswain/apimachinery';
import { commandLines, objectTypes } from './commands/lines.ts';
import { oddLines } from './commands/odd-lines.ts';

import { printedLines } from './commands/printed-lines.ts';
import { randomLines } from './commands/random-lines.ts';
import { writeManifests } from './commands/manifests.ts';
import { printDifference, sides, TwoKubectls, type Side } from './commands/two-kubectls.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kubectl: { type: 'string', default: 'kubectl' },
    kubeconfig: { type: 'string', default: '' },
    all: { type: 'boolean', default: false },
    /** Only those of lines.ts (`usual`), odd-lines.ts (`odd`) or printed-lines.ts (`printed`). */
    lines: { type: 'string', default: 'all' },
    /** Those of this file instead, one a line. */
    from: { type: 'string' },
    /** This many lines at random instead. */
    random: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});

const lineSets = chosenLines();
const kubectls = new TwoKubectls(values.kubectl, values.kubeconfig);
const { homes, namespaces } = kubectls;
let asked = 0;
let differing = 0;

for (const side of sides) {
  writeManifests(homes[side]);
  await kubectls.original(side, ['create', 'namespace', namespaces[side]]);
  await kubectls.original(side, ['apply', '--server-side', '-f', 'objects.yaml']);
  await kubectls.original(side, ['replace', '--subresource=status', '-f', 'objects.yaml']);
}
for (const [name, lines] of Object.entries(lineSets)) {
  if (values.lines === 'all' || values.lines === name) for (const line of lines) await compare(line);
}
for (const side of sides) await cleanUp(side);
kubectls.removeHomes();
console.log(`${asked} commands, ${differing} differ`);
process.exit(differing === 0 ? 0 : 1);

function chosenLines(): Readonly<Record<string, readonly string[]>> {
  const { from, random, seed } = values;
  if (from !== undefined) return { from: readFileSync(from, 'utf8').split('\n').filter(Boolean) };
  return random === undefined
    ? { usual: commandLines, odd: oddLines, printed: printedLines }
    : { random: randomLines(seededRandom(Number(seed)), Number(random)) };
}

/** Without controllers nobody empties a namespace, or lets it go. */
async function cleanUp(side: Side): Promise<void> {
  const name = namespaces[side];
  const file = path.join(homes[side], 'namespace.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: {} }));
  await kubectls.original(side, ['delete', [...objectTypes].join(','), '--all', '--force', '--wait=false']);
  await kubectls.original(side, ['delete', 'namespace', name, '--wait=false']);
  await kubectls.original(side, ['replace', '--raw', `/api/v1/namespaces/${name}/finalize`, '-f', file]);
}

async function compare(line: string): Promise<void> {
  const wanted = positionals.length === 0 || positionals.some((word) => line.includes(word));
  if (!wanted) return;
  asked++;
  const [left, right] = await kubectls.ask(splitLine(line));
  if (left === right) return;
  differing++;
  printDifference(`kubectl ${line}`, left, right, values.all ? Infinity : undefined);
}

/** Words between blanks; quotes keep blanks. */
function splitLine(line: string): string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    // JSON and templates keep theirs.
    /(^|=)[[{]/.test(word)
      ? word
      : word.replace(
          /"([^"]*)"|'([^']*)'/g,
          (_all, double?: string, single?: string) => double ?? single ?? '',
        ),
  );
}

/**
 * `npm run differ-kustomize -- --kubectl PROGRAM [--seed N] [--pairs N] [--only PATTERN]`: the real kubectl and ours
 * build many small kustomizations; prints where they say something else. See README.md.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runKubectl } from '@coxswain/kubectl';
import { recordedIo } from '@coxswain/kubectl/testing/recorded-io.ts';
import { broken } from './kustomize/broken.ts';
import { features, type Feature } from './kustomize/features.ts';
import { access, controllers, deployment, generated, service, stored } from './kustomize/objects.ts';

const { values } = parseArgs({
  options: {
    kubectl: { type: 'string', default: 'kubectl' },
    seed: { type: 'string', default: '1' },
    pairs: { type: 'string', default: '100' },
    only: { type: 'string', default: '' },
    jobs: { type: 'string', default: '2' },
    whole: { type: 'boolean', default: false },
    export: { type: 'string' },
  },
});

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

interface Said {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
  /** What was written to files. */
  readonly written: string;
}

const objects = { deployment, service, access, stored, controllers };

const commandMsMax = 30_000;
const home = await mkdtemp(path.join(os.tmpdir(), 'differ-kustomize-'));
const kept: object[] = [];
let differing = 0;
const wanted = allCases().filter(({ name }) => new RegExp(values.only).test(name));
const queue = wanted.entries();
await Promise.all(Array.from({ length: Number(values.jobs) }, () => work()));
await rm(home, { recursive: true, force: true });
if (values.export !== undefined) {
  await mkdir(path.dirname(values.export), { recursive: true });
  await writeFile(values.export, `${JSON.stringify(kept, null, 1)}\n`);
}
console.log(`${wanted.length} kustomizations, ${differing} differ`);
process.exit(differing === 0 ? 0 : 1);

async function work(): Promise<void> {
  for (const [index, one] of queue) await compare(one, path.join(home, String(index)));
}

function* combinations(): Generator<readonly Feature[]> {
  for (const one of features) yield [one];
  const next = randomNumbers(Number(values.seed));
  for (let count = 0; count < Number(values.pairs); count++) {
    const chosen: Feature[] = [];
    const size = 2 + (next() % 3);
    for (let attempt = 0; chosen.length < size && attempt < 20; attempt++) {
      const one = features[next() % features.length] as Feature;
      const taken = chosen.flatMap(({ fields = [] }) => fields);
      if (!(one.fields ?? []).some((field) => taken.includes(field))) chosen.push(one);
    }
    yield chosen;
  }
}

/** Numbers that follow from a seed. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
}

function allCases(): readonly Case[] {
  const overlays = [...combinations()].map((chosen) => ({
    name: chosen.map(({ name }) => name).join('+'),
    files: overlay(chosen),
    args: ['over'],
  }));
  const others = broken.map(([name, files]) => ({ name, files, args: ['over'] }));
  return [...overlays, ...others, ...withOptions()];
}

function overlay(chosen: readonly Feature[]): Record<string, string> {
  const names = Object.keys(objects).map((name) => `${name}.yaml`);
  const files: Record<string, string> = {
    'base/kustomization.yaml': `resources: [${names.join(', ')}]\n${generated}`,
    'over/kustomization.yaml': `resources: [../base]\n${chosen.map(({ text }) => text).join('')}`,
    'comp/kustomization.yaml':
      'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -c\npatches:\n- target: {kind: Deployment}\n  patch: |-\n    - {op: add, path: /spec/paused, value: true}\nconfigMapGenerator:\n- name: settings\n  behavior: merge\n  literals: [c=d]\n',
  };
  for (const [name, text] of Object.entries(objects)) files[`base/${name}.yaml`] = text;
  for (const one of chosen)
    for (const [name, text] of Object.entries(one.files ?? {})) files[`over/${name}`] = text;
  return files;
}

function withOptions(): readonly Case[] {
  const files = { ...overlay([]), 'out/readme': '' };
  const outside = { ...files, 'up/kustomization.yaml': 'resources: [../base/service.yaml]\n' };
  const lines: readonly (readonly [Readonly<Record<string, string>>, ...string[]])[] = [
    [files, 'over', '-o', 'out.yaml'],
    [files, 'over', '--output', 'out'],
    [files, 'over', '-o', 'none/out.yaml'],
    [files, 'over', '--reorder', 'none'],
    [files, 'over', '--reorder', 'legacy'],
    [files, 'over', '--reorder', 'x'],
    [files, 'over', '--load-restrictor', 'x'],
    [files, 'over', '--load-restrictor='],
    [files, 'over', '--load-restrictor', 'none'],
    [files, 'over', '--enable-managedby-label'],
    [
      files,
      'over',
      '--enable-helm',
      '--network',
      '--network-name',
      'x',
      '--mount',
      'a',
      '-e',
      'b=c',
      '--as-current-user',
    ],
    [files, 'over', '--enable-alpha-plugins'],
    [files, './over/'],
    [files, 'over/../over'],
    [files, 'over/kustomization.yaml'],
    [files, ''],
    [files],
    [files, 'over', 'base'],
    [files, 'over', '--nope'],
    [outside, 'up'],
    [outside, 'up', '--load-restrictor', 'LoadRestrictionsNone'],
  ];
  return lines.map(([given, ...args]) => ({ name: `options ${args.join(' ')}`, files: given, args }));
}

async function compare({ name, files, args }: Case, directory: string): Promise<void> {
  const [theirs, ours] = [
    await inCopy(files, directory, () => real(args, directory)),
    await inCopy(files, directory, () => own(args, directory)),
  ];
  const { exit, out, err } = theirs;
  kept.push({ name, files, exit, out, err: err.replaceAll(directory, '$DIR') });
  const problems = (['exit', 'out', 'err', 'written'] as const).filter((part) => theirs[part] !== ours[part]);
  if (problems.length === 0) return;
  differing++;
  console.log(`\n# ${name}`);
  for (const part of problems)
    console.log(`  ${part}:\n${difference(String(theirs[part]), String(ours[part]))}`);
}

/** The first lines that differ. */
function difference(theirs: string, ours: string): string {
  const [a, b] = [theirs.split('\n'), ours.split('\n')];
  const lines = Array.from({ length: Math.max(a.length, b.length) }, (_, index) => index)
    .filter((index) => a[index] !== b[index])
    .slice(0, values.whole ? 1000 : 3);
  return lines.map((index) => `    - ${a[index] ?? '(end)'}\n    + ${b[index] ?? '(end)'}`).join('\n');
}

async function inCopy(
  files: Readonly<Record<string, string>>,
  directory: string,
  body: () => Promise<Omit<Said, 'written'>>,
): Promise<Said> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const place = path.join(directory, name);
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, name.endsWith('.dat') ? Buffer.from(text, 'latin1') : text);
  }
  const said = await body();
  const written: string[] = [];
  for (const name of (await readdir(directory, { recursive: true })).sort()) {
    if (!name.startsWith('out') || name === 'out') continue;
    written.push(`${name}:\n${await readFile(path.join(directory, name), 'utf8')}`);
  }
  return { ...said, written: written.join('\n') };
}

async function own(args: readonly string[], directory: string): Promise<Omit<Said, 'written'>> {
  const io = recordedIo({ workingDirectory: directory, env: { HOME: directory } });
  try {
    const exit = await runKubectl(['kustomize', ...args], io);
    return { exit, out: io.text.out, err: normal(io.text.err) };
  } catch (failure) {
    return { exit: -1, out: '', err: String((failure as Error).stack) };
  }
}

async function real(args: readonly string[], directory: string): Promise<Omit<Said, 'written'>> {
  const child = spawn(values.kubectl, ['kustomize', ...args], {
    cwd: directory,
    env: { HOME: directory, PATH: '/nowhere' },
    timeout: commandMsMax,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text.out += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (text.err += part));
  const exit = await new Promise<number | null>((done) => child.on('close', done));
  return { exit, out: text.out, err: normal(text.err) };
}

/** Addresses and times are never the same. */
function normal(text: string): string {
  return text.replace(/0x[0-9a-f]{6,}/g, '0x').replace(/^I\d{4} [^\]]*\] /gm, '');
}

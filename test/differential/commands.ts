/**
 * `npm run differ-commands -- --kubectl PROGRAM --kubeconfig FILE [word…]`: the original's kubectl and ours are
 * given the same command lines on one API server, each in a namespace of its own; prints where they say
 * something else. With words, only lines that contain one of them are compared. See README.md.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock, systemRandom } from '@coxswain/apimachinery';
import { runKubectl } from '@coxswain/kubectl';
import { commandLines, objectTypes } from './commands/lines.ts';
import { oddLines } from './commands/odd-lines.ts';
import { writeManifests } from './commands/manifests.ts';
import { comparableText } from './commands/view.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kubectl: { type: 'string', default: 'kubectl' },
    kubeconfig: { type: 'string', default: '' },
    all: { type: 'boolean', default: false },
    /** Only the lines of odd-lines.ts, or only the others. */
    lines: { type: 'string', default: 'all' },
  },
});

interface Said {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

/** New ones for each run, of equal length, so that tables align alike. */
const run = Date.now().toString(36);
const namespaces = { original: `differ-${run}-a`, ours: `differ-${run}-b` };
type Side = keyof typeof namespaces;

const commandMsMax = 20_000;
const homes = { original: newHome(), ours: newHome() };
let asked = 0;
let differing = 0;

for (const side of ['original', 'ours'] as const) {
  writeManifests(homes[side]);
  await original(side, ['create', 'namespace', namespaces[side]]);
  await original(side, ['apply', '--server-side', '-f', 'objects.yaml']);
  await original(side, ['replace', '--subresource=status', '-f', 'objects.yaml']);
}
if (values.lines !== 'odd') for (const line of commandLines) await compare(line);
if (values.lines !== 'usual') for (const line of oddLines) await compare(line);
for (const side of ['original', 'ours'] as const) {
  await cleanUp(side);
  rmSync(homes[side], { recursive: true, force: true });
}
console.log(`${asked} commands, ${differing} differ`);
process.exit(differing === 0 ? 0 : 1);

/** Without controllers nobody empties a namespace, or lets it go. */
async function cleanUp(side: Side): Promise<void> {
  const name = namespaces[side];
  const file = path.join(homes[side], 'namespace.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: {} }));
  await original(side, ['delete', [...objectTypes].join(','), '--all', '--force', '--wait=false']);
  await original(side, ['delete', 'namespace', name, '--wait=false']);
  await original(side, ['replace', '--raw', `/api/v1/namespaces/${name}/finalize`, '-f', file]);
}

function newHome(): string {
  const home = mkdtempSync(path.join(os.tmpdir(), 'differ-commands-'));
  cpSync(values.kubeconfig, path.join(home, 'config'));
  return home;
}

async function compare(line: string): Promise<void> {
  const wanted = positionals.length === 0 || positionals.some((word) => line.includes(word));
  if (!wanted) return;
  asked++;
  const args = splitLine(line);
  const [theirs, mine] = await Promise.all([original('original', args), ours(args)]);
  const left = comparable('original', theirs);
  const right = comparable('ours', mine);
  if (left === right) return;
  differing++;
  console.log(`\n$ kubectl ${line}`);
  const [before, after] = [left.split('\n'), right.split('\n')];
  const at = before.findIndex((text, index) => text !== after[index]);
  const from = at < 0 ? before.length : at;
  const most = values.all ? Infinity : 4;
  for (const text of before.slice(from, from + most)) console.log(`  - ${text}`);
  for (const text of after.slice(from, from + most)) console.log(`  + ${text}`);
}

function comparable(side: Side, { exit, out, err }: Said): string {
  return [
    `exit ${exit}`,
    ...comparableText(out, namespaces[side], homes[side]),
    '-- stderr',
    ...comparableText(err, namespaces[side], homes[side]),
  ].join('\n');
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

function environment(side: Side): Readonly<Record<string, string | undefined>> {
  return {
    PATH: process.env['PATH'],
    HOME: homes[side],
    KUBECONFIG: path.join(homes[side], 'config'),
    TERM: 'dumb',
  };
}

function original(side: Side, args: readonly string[]): Promise<Said> {
  return new Promise((resolve) => {
    const child = spawn(values.kubectl, [...placed(side, args)], {
      cwd: homes[side],
      env: environment(side),
      timeout: commandMsMax,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.on('close', (exit) => resolve({ exit, out, err }));
  });
}

async function ours(args: readonly string[]): Promise<Said> {
  let out = '';
  let err = '';
  const text = (chunk: string | Uint8Array) =>
    typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
  const exit = await runKubectl(placed('ours', args), {
    out: { write: (chunk) => (out += text(chunk)) },
    err: { write: (chunk) => (err += text(chunk)) },
    stdin: async () => '',
    env: environment('ours'),
    workingDirectory: homes.ours,
    clock: systemClock,
    random: systemRandom,
    stdinIsTerminal: false,
    spawn: (program, words, { out: taken } = {}) =>
      spawned(program, words, taken ?? { write: (chunk) => (out += text(chunk)) }),
    signal: AbortSignal.timeout(commandMsMax),
  });
  return { exit, out, err };
}

function spawned(
  program: string,
  args: readonly string[],
  out: { write(chunk: string): unknown },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: homes.ours,
      env: environment('ours'),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => out.write(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** In the side's namespace, unless the line says another. */
function placed(side: Side, args: readonly string[]): string[] {
  const own = args.map((arg) => arg.replaceAll('$ns', namespaces[side]));
  if (own[0] === 'config' || own.some((arg) => /^(-n|--namespace|-A|--all-namespaces)/.test(arg))) return own;
  const dash = own.indexOf('--');
  const at = dash < 0 ? own.length : dash;
  return [...own.slice(0, at), `--namespace=${namespaces[side]}`, ...own.slice(at)];
}

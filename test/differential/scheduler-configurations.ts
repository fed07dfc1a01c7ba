/**
 * `npm run differ-scheduler-configurations -- --bin kube-scheduler`: every configuration of
 * `scheduler/configurations.ts`, given to the original's kube-scheduler and to ours with `--write-config-to`.
 * Compared are what each refuses with, and the configuration with its defaults that each writes.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { recordedIo } from '@coxswain/cobra';
import { runKubeScheduler } from '@coxswain/kube-scheduler';
import { configurations } from './scheduler/configurations.ts';

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    bin: {
      type: 'string',
      default: path.join(homedir(), '.cache/kubernetes-peers/bin/kube-scheduler'),
    },
    /** Writes what the original said to this file, as the scheduler's tests have it. */
    export: { type: 'string', default: '' },
  },
});

interface Said {
  /** Why it was refused; '' where it wasn't. */
  readonly refusal: string;
  /** What was written. */
  readonly written: string;
}

const directory = await mkdtemp(path.join(tmpdir(), 'scheduler-configurations-'));
const file = path.join(directory, 'configuration.yaml');
const target = path.join(directory, 'written.yaml');
const args = [
  `--config=${file}`,
  `--write-config-to=${target}`,
  '--master=http://127.0.0.1:1',
  '--secure-port=0',
];

const run = promisify(execFile);

async function original(): Promise<string> {
  try {
    await run(options.bin, args, { timeout: 20_000, cwd: directory });
    return '';
  } catch (failure) {
    return refusalIn((failure as { readonly stderr: string }).stderr);
  }
}

/** klog quotes a message of one line, and indents one of several. */
function refusalIn(log: string): string {
  const quoted = /"command failed" err=("(?:[^"\\]|\\.)*")/.exec(log)?.[1];
  if (quoted !== undefined) return JSON.parse(quoted) as string;
  const lines = /"command failed" err=<\n([\s\S]*?)\n >/.exec(log)?.[1] ?? log;
  return lines.replaceAll(/^\t/gm, '');
}

async function own(): Promise<string> {
  const io = recordedIo();
  const status = await runKubeScheduler(args, { ...io, env: {}, signal: AbortSignal.abort() });
  return status === 0 ? '' : io.text.err.replace(/^Error: /, '').replace(/\n$/, '');
}

async function asked(ask: () => Promise<string>): Promise<Said> {
  await rm(target, { force: true });
  const refusal = await ask();
  return { refusal, written: existsSync(target) ? await readFile(target, 'utf8') : '' };
}

const said: Record<string, Said> = {};
let different = 0;
for (const [name, text] of Object.entries(configurations)) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
  await writeFile(file, text);
  const [theirs, ours] = [await asked(original), await asked(own)];
  said[name] = theirs;
  if (theirs.refusal === ours.refusal && theirs.written === ours.written) continue;
  different++;
  console.log(`\n${name}\n${text}`);
  if (theirs.refusal !== ours.refusal) console.log(`- ${theirs.refusal}\n+ ${ours.refusal}`);
  else console.log(differingLines(theirs.written, ours.written));
}
if (options.export !== '') await writeFile(options.export, `${JSON.stringify(recorded(), undefined, 1)}\n`);
await rm(directory, { recursive: true });
console.log(`${Object.keys(said).length} configurations: ${different} differences`);
process.exitCode = different > 0 ? 1 : 0;

/** Of what was written, only how it differs from what is written for a configuration that says nothing. */
function recorded(): object {
  const usual = said['nothing but the kind']!.written.split('\n');
  return Object.fromEntries(
    Object.entries(said).map(([name, { refusal, written }]) => {
      const lines = written.split('\n');
      const text = configurations[name];
      if (refusal !== '') return [name, { text, refusal }];
      const [added, missing] = [
        lines.filter((one) => !usual.includes(one)),
        usual.filter((one) => !lines.includes(one)),
      ];
      return [name, { text, added, missing }];
    }),
  );
}

function differingLines(theirs: string, ours: string): string {
  const [a, b] = [theirs.split('\n'), ours.split('\n')];
  return [
    ...a.filter((line) => !b.includes(line)).map((line) => `- ${line}`),
    ...b.filter((line) => !a.includes(line)).map((line) => `+ ${line}`),
  ].join('\n');
}

/**
 * `npm run differ-flags -- --bin kube-apiserver`: every option of the original's kube-apiserver, asked of both
 * servers. Compared are the help (section, type, default) and what each says to values that can't be read. Told
 * besides: which options this server takes without having an effect, and which it refuses.
 */
import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { listedNames, recordedIo } from '@coxswain/cobra';
import { runKubeApiServer } from '@coxswain/kube-apiserver';
import { harmlessFlags } from '@coxswain/kube-apiserver/flags/harmless-flags.ts';
import { unsupportedFlags } from '@coxswain/kube-apiserver/flags/unsupported-flags.ts';

const { values: options } = parseArgs({
  options: {
    bin: {
      type: 'string',
      default: path.join(homedir(), '.cache/kubernetes-peers/bin/kube-apiserver'),
    },
  },
});

interface Option {
  readonly name: string;
  readonly section: string;
  readonly type: string;
  readonly fallback: string;
}

const optionLine = /^\s+(?:-\w, )?--([\w-]+)(?:\[=\S+\])?(?: (\S+))?/;

/** The options that a help text tells of. */
function optionsIn(help: string): Map<string, Option> {
  const found = new Map<string, Option>();
  let section = '';
  let latest: { name: string; type: string; text: string } | undefined;
  const keep = () => {
    if (latest === undefined) return;
    const fallback = / \(default (.*)\)\s*(?:\(DEPRECATED.*)?$/.exec(latest.text)?.[1] ?? '';
    found.set(latest.name, { name: latest.name, section, type: latest.type, fallback });
    latest = undefined;
  };
  for (const line of help.split('\n')) {
    const head = optionLine.exec(line);
    const title = /^(\w[\w ]*) flags:$/.exec(line);
    if (head !== null || title !== null) keep();
    if (title !== null) section = title[1]!;
    else if (head !== null) latest = { name: head[1]!, type: head[2] ?? '', text: line };
    else if (latest !== undefined) latest.text += ` ${line.trim()}`;
  }
  keep();
  return found;
}

/** Of each type, values that are none. */
const badValues: Readonly<Record<string, readonly string[]>> = {
  int: ['x', '1.5', '99999999999999999999'],
  int32: ['x'],
  float: ['x'],
  float32: ['x'],
  duration: ['x', '5'],
  ip: ['x', '1.2.3'],
  quantity: ['x'],
  portRange: ['x', '5-1'],
  bool: ['x', '2'],
  '': ['x', '2'],
};

interface Said {
  readonly text: string;
}

const run = promisify(execFile);

async function original(args: readonly string[]): Promise<Said> {
  try {
    const { stdout, stderr } = await run(options.bin, [...args], { timeout: 20_000 });
    return { text: stdout + stderr };
  } catch (failure) {
    const { stdout = '', stderr = '' } = failure as { stdout?: string; stderr?: string };
    return { text: stdout + stderr };
  }
}

async function own(args: readonly string[]): Promise<Said> {
  const io = recordedIo();
  await runKubeApiServer(args, { ...io, signal: AbortSignal.abort() });
  return { text: io.text.out + io.text.err };
}

const invalid = /invalid argument .*/;

const theirs = optionsIn((await original(['--help'])).text);
const ours = optionsIn((await own(['--help'])).text);
let different = 0;
const report = (line: string) => {
  different++;
  console.log(line);
};

for (const [name, option] of theirs) {
  const counterpart = ours.get(name);
  if (counterpart === undefined) report(`--${name}: not there`);
  else if (JSON.stringify(counterpart) !== JSON.stringify(option)) {
    report(`--${name}: ${JSON.stringify(counterpart)} instead of ${JSON.stringify(option)}`);
  }
}
let asked = 0;
for (const { name, type } of theirs.values()) {
  for (const value of badValues[type] ?? []) {
    asked++;
    const args = [`--${name}=${value}`];
    const [said, wanted] = await Promise.all([own(args), original(args)]);
    const [one, other] = [invalid.exec(said.text)?.[0], invalid.exec(wanted.text)?.[0]];
    if (one !== other) report(`${args[0]}: ${one ?? said.text.slice(0, 200)} instead of ${other}`);
  }
}
console.log(`${theirs.size} options, ${asked} bad values: ${different} differences`);
console.log(`without effect: ${listedNames(harmlessFlags).join(', ')}`);
console.log(`refused: ${listedNames(unsupportedFlags).join(', ') || 'none'}`);
process.exitCode = different > 0 ? 1 : 0;

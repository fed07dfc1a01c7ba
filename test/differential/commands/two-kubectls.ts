/** The original's kubectl and ours, which is run in this process, each with a home and a namespace of its own. */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock, systemRandom } from '@coxswain/apimachinery';
import { runKubectl } from '@coxswain/kubectl';
import { comparableText } from './view.ts';

export interface Said {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

export const sides = ['original', 'ours'] as const;
export type Side = (typeof sides)[number];

const commandMsMax = 30_000;

export class TwoKubectls {
  /** New ones for each run, of equal length, so that tables align alike. */
  readonly namespaces: Readonly<Record<Side, string>>;
  readonly homes: Readonly<Record<Side, string>>;
  readonly #program: string;

  constructor(program: string, kubeconfig: string) {
    const run = Date.now().toString(36);
    this.#program = program;
    this.namespaces = { original: `differ-${run}-a`, ours: `differ-${run}-b` };
    this.homes = { original: newHome(kubeconfig), ours: newHome(kubeconfig) };
  }

  /** What both say, as it can be compared: exit code, output, errors. */
  async ask(args: readonly string[]): Promise<readonly [string, string]> {
    const [theirs, mine] = await Promise.all([this.original('original', args), this.#ours(args)]);
    const [left, right] = [this.#comparable('original', theirs), this.#comparable('ours', mine)];
    return [withoutOwnWords(args, left), withoutOwnWords(args, right)];
  }

  /** The original's kubectl does something for a side. */
  original(side: Side, args: readonly string[]): Promise<Said> {
    return new Promise((resolve) => {
      const child = spawn(this.#program, [...this.#placed(side, args)], {
        cwd: this.homes[side],
        env: this.#environment(side),
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

  removeHomes(): void {
    for (const side of sides) rmSync(this.homes[side], { recursive: true, force: true });
  }

  async #ours(args: readonly string[]): Promise<Said> {
    let out = '';
    let err = '';
    const text = (chunk: string | Uint8Array) =>
      typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
    const running = runKubectl(this.#placed('ours', args), {
      out: { write: (chunk) => (out += text(chunk)) },
      err: { write: (chunk) => (err += text(chunk)) },
      stdin: async () => '',
      env: this.#environment('ours'),
      workingDirectory: this.homes.ours,
      clock: systemClock,
      random: systemRandom,
      stdinIsTerminal: false,
      spawn: (program, words, { out: taken } = {}) =>
        this.#spawned(program, words, taken ?? { write: (chunk) => (out += text(chunk)) }),
      signal: AbortSignal.timeout(commandMsMax),
    });
    const exit = await Promise.race([running, delay(2 * commandMsMax, null, { ref: false })]);
    return { exit, out, err };
  }

  #spawned(
    program: string,
    args: readonly string[],
    out: { write(chunk: string): unknown },
  ): Promise<number> {
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, {
        cwd: this.homes.ours,
        env: this.#environment('ours'),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => out.write(chunk));
      child.on('error', reject);
      child.on('close', (code) => resolve(code ?? 1));
    });
  }

  #environment(side: Side): Readonly<Record<string, string | undefined>> {
    return {
      PATH: process.env['PATH'],
      HOME: this.homes[side],
      KUBECONFIG: path.join(this.homes[side], 'config'),
      TERM: 'dumb',
      EDITOR: 'true',
    };
  }

  #comparable(side: Side, { exit, out, err }: Said): string {
    return [
      `exit ${exit}`,
      ...comparableText(out, this.namespaces[side], this.homes[side]),
      '-- stderr',
      ...comparableText(err, this.namespaces[side], this.homes[side]),
    ].join('\n');
  }

  /** In the side's namespace, unless the line says another. */
  #placed(side: Side, args: readonly string[]): string[] {
    const own = args.map((arg) => arg.replaceAll('$ns', this.namespaces[side]));
    if (own[0] === 'config' || own.some((arg) => /^(-n|--namespace|-A|--all-namespaces)/.test(arg)))
      return own;
    const dash = own.indexOf('--');
    // What is completed is the last word.
    const end = own[0]?.startsWith('__complete') ? 1 : own.length;
    const at = dash < 0 ? end : dash;
    return [...own.slice(0, at), `--namespace=${this.namespaces[side]}`, ...own.slice(at)];
  }
}

/** Descriptions of commands are our own, and so is what is told about the build. */
function withoutOwnWords([command = '']: readonly string[], text: string): string {
  if (command.startsWith('__complete')) return text.replace(/\t.*/g, '');
  return command === 'version'
    ? text.replace(/("?(?:gitCommit|gitTreeState|goVersion|compiler)"?): .*/g, '$1')
    : text;
}

function newHome(kubeconfig: string): string {
  const home = mkdtempSync(path.join(os.tmpdir(), 'differ-commands-'));
  cpSync(kubeconfig, path.join(home, 'config'));
  return home;
}

/** From the first line on that differs. */
export function printDifference(what: string, left: string, right: string, linesMax = 4): void {
  console.log(`\n$ ${what}`);
  const [before, after] = [left.split('\n'), right.split('\n')];
  const at = before.findIndex((text, index) => text !== after[index]);
  const from = at < 0 ? before.length : at;
  for (const text of before.slice(from, from + linesMax)) console.log(`  - ${text}`);
  for (const text of after.slice(from, from + linesMax)) console.log(`  + ${text}`);
}

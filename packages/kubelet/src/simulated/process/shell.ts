/**
 * A shell that knows lists, pipes, redirections, quotes and variables: enough to look around in a container.
 * Control flow it refuses, in one line that says so.
 */
import { ByteInput, joined } from './byte-input.ts';
import { resolvePath } from './container-files.ts';
import { programs } from './programs.ts';
import { parseScript } from './shell-syntax.ts';
import type { Pipeline, SimpleCommand, Word } from './shell-syntax.ts';
import { complain, print } from './simulated-process.ts';
import type { ByteOutput, SimulatedProcess } from './simulated-process.ts';

const shells = ['sh', 'bash', 'ash', 'dash'];

export const isKnownProgram = (path: string): boolean => {
  const name = path.startsWith('/') ? path.slice(path.lastIndexOf('/') + 1) : path;
  const isPlace = !path.includes('/') || /^\/(usr\/)?s?bin\//.test(path);
  return isPlace && (shells.includes(name) || Object.hasOwn(programs, name));
};

/** Runs a program that is known. */
export async function runProgram(process: SimulatedProcess): Promise<number> {
  const [path = '', ...args] = process.argv;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!shells.includes(name)) return programs[name]!(process);
  const script = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  if (script >= 0) return new Shell(process).run(args[script + 1] ?? '');
  const file = args.find((arg) => !arg.startsWith('-'));
  if (file === undefined) return new Shell(process).interact();
  try {
    const bytes = process.files.read(resolvePath(process.place.folder, file));
    return await new Shell(process).run(new TextDecoder().decode(bytes));
  } catch (failure) {
    return complain(process, `${file}: ${(failure as Error).message}`, 127);
  }
}

/** What a substitution may say. */
const captureBytesMax = 1024 * 1024;

class Shell {
  readonly #process: SimulatedProcess;
  #lastCode = 0;
  #isOver = false;

  constructor(process: SimulatedProcess) {
    this.#process = process;
  }

  /** Commands from standard input, one line after the other, with a prompt on a terminal. */
  async interact(): Promise<number> {
    const { stdin, stderr, stdout, tty, place, signal } = this.#process;
    while (!this.#isOver && !signal.aborted) {
      if (tty) await print(stdout, `${place.folder} # `);
      const line = await stdin.line();
      if (line === undefined) break;
      await this.run(line);
    }
    if (tty && !this.#isOver) await print(stderr, '\n');
    return this.#lastCode;
  }

  async run(script: string): Promise<number> {
    let lines: readonly Pipeline[];
    try {
      lines = parseScript(script);
    } catch (failure) {
      await print(this.#process.stderr, `sh: ${(failure as Error).message}\n`);
      return (this.#lastCode = 2);
    }
    for (const { onlyAfter, commands } of lines) {
      if (this.#isOver || this.#process.signal.aborted) break;
      if (onlyAfter === 'success' && this.#lastCode !== 0) continue;
      if (onlyAfter === 'failure' && this.#lastCode === 0) continue;
      this.#lastCode = await this.#pipeline(commands);
    }
    return this.#lastCode;
  }

  /** Each command gets what the one before it wrote. */
  async #pipeline(commands: readonly SimpleCommand[]): Promise<number> {
    let code = 0;
    let { stdin } = this.#process;
    for (const [index, command] of commands.entries()) {
      const chunks: Uint8Array[] = [];
      const isLast = index === commands.length - 1;
      const stdout: ByteOutput = isLast ? this.#process.stdout : (bytes) => void chunks.push(bytes);
      code = await this.#command(command, { ...this.#process, stdin, stdout });
      stdin = ByteInput.of(...chunks);
    }
    return code;
  }

  async #command(command: SimpleCommand, process: SimulatedProcess): Promise<number> {
    const argv = (await Promise.all(command.words.map((word) => this.#expand(word)))).flat();
    const assignments = command.assignments.map(
      async ({ name, value }) => [name, (await this.#expand(value)).join(' ')] as const,
    );
    const env = argv.length === 0 ? process.env : new Map(process.env);
    for (const [name, value] of await Promise.all(assignments)) env.set(name, value);
    const opened = await this.#redirected(command, { ...process, env, argv });
    if (typeof opened === 'number' || argv.length === 0) return typeof opened === 'number' ? opened : 0;
    return this.#start(opened);
  }

  async #start(process: SimulatedProcess): Promise<number> {
    const { argv, place, env, files, stderr } = process;
    const [name = '', first] = argv;
    switch (name) {
      case 'exit':
        this.#isOver = true;
        return first === undefined ? this.#lastCode : Number(first) & 255;
      case 'cd': {
        const folder = resolvePath(place.folder, first ?? env.get('HOME') ?? '/');
        if (!files.isDirectory(folder))
          return complain(
            { ...process, argv: ['sh: cd'] },
            `can't cd to ${first}: No such file or directory`,
          );
        place.folder = folder;
        return 0;
      }
      case 'export':
        for (const pair of argv.slice(1)) {
          const equals = pair.indexOf('=');
          if (equals > 0) this.#process.env.set(pair.slice(0, equals), pair.slice(equals + 1));
        }
        return 0;
      case 'set':
        return 0;
      case 'exec':
        this.#isOver = true;
        return this.#start({ ...process, argv: argv.slice(1) });
    }
    if (isKnownProgram(name)) return runProgram(process);
    const entry = name.includes('/') ? files.entry(resolvePath(place.folder, name)) : undefined;
    await print(stderr, `sh: ${name}: ${entry === undefined ? 'not found' : 'Permission denied'}\n`);
    return entry === undefined ? 127 : 126;
  }

  /** With its files opened; an exit code when one can't be. */
  async #redirected(
    { redirections }: SimpleCommand,
    process: SimulatedProcess,
  ): Promise<number | SimulatedProcess> {
    let { stdin, stdout, stderr } = process;
    const { files, place, clock } = process;
    for (const { operator, target } of redirections) {
      if (operator === '2>&1') stderr = stdout;
      if (operator === '>&2') stdout = stderr;
      if (target.length === 0) continue;
      const text = (await this.#expand(target)).join(' ');
      const path = resolvePath(place.folder, text);
      try {
        if (operator === '<') {
          stdin = ByteInput.of(files.read(path));
          continue;
        }
        const before = operator.endsWith('>>') && files.entry(path) ? files.read(path) : new Uint8Array(0);
        const written = [before];
        const isNull = path === '/dev/null';
        if (!isNull) files.write(path, before, clock.now());
        const output: ByteOutput = (bytes) => {
          if (isNull) return;
          written.push(Uint8Array.from(bytes));
          files.write(path, joined(written), clock.now());
        };
        if (operator.startsWith('2')) stderr = output;
        else stdout = output;
      } catch (failure) {
        await print(process.stderr, `sh: can't open ${text}: ${(failure as Error).message.toLowerCase()}\n`);
        return 1;
      }
    }
    return { ...process, stdin, stdout, stderr };
  }

  /** One word may become several, or none, where it is not quoted. */
  async #expand(word: Word): Promise<readonly string[]> {
    const fields: string[] = [];
    let field: string | undefined;
    for (const part of word) {
      const text = await this.#valueOf(part);
      if (part.kind === 'text' || part.isQuoted) {
        field = (field ?? '') + text;
        continue;
      }
      const [first = '', ...rest] = text.split(/[ \t\n]+/);
      if (first !== '') field = (field ?? '') + first;
      for (const next of rest) {
        if (field !== undefined) fields.push(field);
        field = next === '' ? undefined : next;
      }
    }
    return field === undefined ? fields : [...fields, field];
  }

  async #valueOf(part: Word[number]): Promise<string> {
    const { env, hostname } = this.#process;
    if (part.kind === 'text') return part.text;
    if (part.kind === 'command') return this.#captured(part.script);
    if (part.name === '?') return String(this.#lastCode);
    if (part.name === '$') return '1';
    return env.get(part.name) ?? (part.name === 'HOSTNAME' ? hostname : part.otherwise);
  }

  async #captured(script: string): Promise<string> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const stdout: ByteOutput = (chunk) => {
      bytes += chunk.length;
      if (bytes <= captureBytesMax) chunks.push(chunk);
    };
    this.#lastCode = await new Shell({
      ...this.#process,
      env: new Map(this.#process.env),
      place: { ...this.#process.place },
      stdout,
    }).run(script);
    return new TextDecoder().decode(joined(chunks)).replace(/\n+$/, '');
  }
}

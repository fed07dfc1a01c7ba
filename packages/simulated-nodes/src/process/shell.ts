/**
 * A shell with lists, pipes, redirections, quotes, variables, arithmetic, conditions and loops: enough to look around
 * in a container and for the Jobs of tests. Anything else is rejected with a one-line error.
 */
import { joinedBytes } from '@coxswain/apimachinery/joined-bytes.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { FileFailure, resolvePath } from './container-files.ts';
import { changed, matchesPattern, matchingPaths } from './shell-patterns.ts';
import { Pipe } from './pipe.ts';
import { programs } from './programs.ts';
import { ExpansionFailure, evaluateArithmetic } from './arithmetic.ts';
import { parseScript, type Script, type ShellCommand, type SimpleCommand } from './shell-syntax.ts';
import { redirected } from './shell-redirections.ts';
import { isShellName } from './shell-executables.ts';
import { isKnownProgram, lookUp, ownProgram } from './shell-names.ts';
import { readWord, type Word } from './shell-words.ts';
import { complain, print, type ByteOutput, type SimulatedProcess } from './simulated-process.ts';

/** Runs a program as a process of its own; undefined if it is unknown. */
export async function startProgram(process: SimulatedProcess): Promise<number | undefined> {
  if (!isKnownProgram(process.argv[0] ?? '', process.commands)) return undefined;
  try {
    return await process.processes.run(process, runProgram);
  } catch (failure) {
    // Its output goes to a file that cannot be written.
    if (failure instanceof FileFailure) return complain(process, `write error: ${failure.message}`);
    throw failure;
  }
}

/** Runs a known program. */
export async function runProgram(process: SimulatedProcess): Promise<number> {
  const [path = '', ...args] = process.argv;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const own = ownProgram(path, process.commands);
  if (own !== undefined) return own(process);
  if (!isShellName(name)) return programs[name]!(process);
  const script = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  if (script >= 0) {
    const shell = new Shell(process, args.slice(script + 2));
    shell.set(args.slice(0, script + 1));
    return shell.run(args[script + 1] ?? '');
  }
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  if (at < 0) return new Shell(process).interact();
  const file = args[at]!;
  try {
    const bytes = process.files.read(resolvePath(process.place.directory, file));
    return await new Shell(process, args.slice(at)).run(new TextDecoder().decode(bytes));
  } catch (failure) {
    return complain(process, `${file}: ${messageOf(failure)}`, 127);
  }
}

/** After this many iterations without waiting, the loop yields to others. */
const roundsAtOnceMax = 1_000;
const breathMs = 1;

/** Exclusive upper bound of `$RANDOM`. */
const randomMax = 32_768;

const notFoundCode = 127;

/** The maximum output of a command substitution. */
const captureBytesMax = 1024 * 1024;

/** A word of a command, and the pattern of the files that it names. */
interface Field {
  text: string;
  pattern: string;
}

/** The exit code of a writer whose reader has ended (SIGPIPE). */
const brokenPipeCode = 141;

class Shell {
  readonly #process: SimulatedProcess;
  #parameters: readonly string[];
  /** What `set` has turned on: `e` and `pipefail` have an effect. */
  readonly #options = new Set<string>();
  /** The number of conditions being evaluated, whose failure is no error. */
  #conditions = 0;
  #lastCode = 0;
  #isOver = false;
  /** The number of loops to leave, or a request to continue the innermost one. */
  #leaving = 0;
  #isContinuing = false;
  #rounds = 0;

  /** @param parameters `$0`, `$1`, … */
  constructor(process: SimulatedProcess, parameters: readonly string[] = []) {
    this.#process = { ...process, arrays: new Map(process.arrays) };
    this.#parameters = parameters;
  }

  /** Reads commands from standard input line by line, with a prompt on a terminal. */
  async interact(): Promise<number> {
    const { stdin, stderr, stdout, tty, place, signal, user } = this.#process;
    while (!this.#isOver && !signal.aborted) {
      if (tty) await print(stdout, `${place.directory} ${user.uid === 0 ? '#' : '$'} `);
      const line = await stdin.line();
      if (line === undefined) break;
      await this.run(line);
    }
    if (tty && !this.#isOver) await print(stderr, '\n');
    return this.#lastCode;
  }

  async run(script: string): Promise<number> {
    let parsed: Script;
    try {
      parsed = parseScript(script);
    } catch (failure) {
      await print(this.#process.stderr, `sh: ${messageOf(failure)}\n`);
      return (this.#lastCode = 2);
    }
    try {
      return await this.#list(parsed, this.#process);
    } catch (failure) {
      if (!(failure instanceof ExpansionFailure)) throw failure;
      await print(this.#process.stderr, `sh: ${failure.message}\n`);
      this.#isOver = true;
      return (this.#lastCode = 2);
    }
  }

  /** `set -e`, `set +e`, `set -o pipefail`, `set -- a b`. */
  set(words: readonly string[]): void {
    for (const [at, word] of words.entries()) {
      if (word === '--') {
        this.#parameters = [this.#parameters[0] ?? 'sh', ...words.slice(at + 1)];
        return;
      }
      const isName = /^[-+]\w*o$/.test(words[at - 1] ?? '');
      const sign = isName ? words[at - 1]![0] : word[0];
      for (const option of isName ? [word] : word.slice(1))
        if (sign === '-') this.#options.add(option === 'errexit' ? 'e' : option);
        else this.#options.delete(option === 'errexit' ? 'e' : option);
    }
  }

  async #condition(script: Script, process: SimulatedProcess): Promise<number> {
    this.#conditions++;
    const code = await this.#list(script, process);
    this.#conditions--;
    return code;
  }

  async #list(script: Script, process: SimulatedProcess): Promise<number> {
    for (const [at, { onlyAfter, isNegated, commands }] of script.entries()) {
      if (this.#isOver || this.#isLeaving || process.signal.aborted) break;
      if (onlyAfter === 'success' && this.#lastCode !== 0) continue;
      if (onlyAfter === 'failure' && this.#lastCode === 0) continue;
      const code = await this.#pipeline(commands, process);
      this.#lastCode = isNegated ? Number(code === 0) : code;
      const isTested = isNegated || script[at + 1]?.onlyAfter !== undefined || this.#conditions > 0;
      if (code !== 0 && !isTested && this.#options.has('e')) this.#isOver = true;
    }
    return this.#lastCode;
  }

  /** Each command reads the output of the one before, in a shell of its own. */
  async #pipeline(commands: readonly ShellCommand[], process: SimulatedProcess): Promise<number> {
    if (commands.length === 1) return this.#command(commands[0]!, process);
    let before: Pipe | undefined;
    const running = commands.map((command, index) => {
      const after = index < commands.length - 1 ? new Pipe() : undefined;
      const ends = { before, after };
      before = after;
      return this.#piped(command, process, ends);
    });
    const codes = await Promise.all(running);
    const failed = this.#options.has('pipefail') ? codes.findLast((code) => code !== 0) : undefined;
    return failed ?? codes.at(-1)!;
  }

  async #piped(
    command: ShellCommand,
    process: SimulatedProcess,
    { before, after }: { readonly before: Pipe | undefined; readonly after: Pipe | undefined },
  ): Promise<number> {
    const stopping = new AbortController();
    const inner = {
      ...this.#copied(process),
      stdin: before?.input ?? process.stdin,
      stdout: after?.output ?? process.stdout,
      signal: AbortSignal.any([process.signal, stopping.signal]),
    };
    try {
      const running = this.#inner(inner).#command(command, inner);
      const broken = after?.broken.then(() => brokenPipeCode);
      return await (broken === undefined ? running : Promise.race([running, broken]));
    } finally {
      stopping.abort();
      before?.leave();
      after?.end();
    }
  }

  async #command(command: ShellCommand, process: SimulatedProcess): Promise<number> {
    if (command.kind === 'simple') return this.#simple(command, process);
    const opened = await redirected(command.redirections, process, (word) => this.#expand(word));
    if (typeof opened === 'number') return opened;
    switch (command.kind) {
      case 'if':
        for (const { condition, body } of command.clauses)
          if ((await this.#condition(condition, opened)) === 0) return this.#list(body, opened);
        this.#lastCode = 0;
        return this.#list(command.otherwise, opened);
      case 'while':
        return this.#while(command, opened);
      case 'for':
        return this.#for(command, opened);
      case 'case':
        return this.#case(command, opened);
      case 'group':
        if (!command.isSubshell) return this.#list(command.body, opened);
        return this.#subshell(command.body, opened);
    }
  }

  /** Changes of variables and of the working directory are discarded afterwards. */
  #subshell(body: Script, process: SimulatedProcess): Promise<number> {
    const inner = this.#copied(process);
    return this.#inner(inner).#list(body, inner);
  }

  #copied(process: SimulatedProcess): SimulatedProcess {
    return { ...process, env: new Map(process.env), place: { ...process.place } };
  }

  #inner(process: SimulatedProcess): Shell {
    const shell = new Shell({ ...process, arrays: this.#process.arrays }, this.#parameters);
    shell.#lastCode = this.#lastCode;
    shell.#conditions = this.#conditions;
    for (const option of this.#options) shell.#options.add(option);
    return shell;
  }

  async #while(
    { condition, body, until }: Extract<ShellCommand, { kind: 'while' }>,
    process: SimulatedProcess,
  ): Promise<number> {
    let code = 0;
    for (;;) {
      const asked = await this.#condition(condition, process);
      if (this.#isOver || process.signal.aborted) return asked;
      if ((asked === 0) === until) break;
      code = await this.#list(body, process);
      if (await this.#leavesLoop(process)) break;
    }
    return (this.#lastCode = code);
  }

  async #for(
    { name, words, body }: Extract<ShellCommand, { kind: 'for' }>,
    process: SimulatedProcess,
  ): Promise<number> {
    let code = 0;
    for (const word of words) {
      for (const value of await this.#expand(word)) {
        process.env.set(name, value);
        code = await this.#list(body, process);
        if (await this.#leavesLoop(process)) return (this.#lastCode = code);
      }
    }
    return (this.#lastCode = code);
  }

  async #case(
    { word, branches }: Extract<ShellCommand, { kind: 'case' }>,
    process: SimulatedProcess,
  ): Promise<number> {
    const text = (await this.#expand(word, false)).join(' ');
    this.#lastCode = 0;
    for (const { patterns, body } of branches) {
      for (const pattern of patterns)
        if (matchesPattern(await this.#patternOf(pattern), text)) return this.#list(body, process);
    }
    return 0;
  }

  get #isLeaving(): boolean {
    return this.#leaving > 0 || this.#isContinuing;
  }

  /** After an iteration. */
  async #leavesLoop({ clock, signal }: SimulatedProcess): Promise<boolean> {
    if (++this.#rounds % roundsAtOnceMax === 0) await clock.sleep(breathMs, signal).catch(() => undefined);
    this.#isContinuing = false;
    if (this.#leaving === 0) return this.#isOver || signal.aborted;
    this.#leaving--;
    return true;
  }

  async #simple(command: SimpleCommand, process: SimulatedProcess): Promise<number> {
    const argv: string[] = [];
    for (const word of command.words) argv.push(...(await this.#expand(word)));
    const env = argv.length === 0 ? process.env : new Map(process.env);
    for (const { name, value, elements } of command.assignments) {
      if (elements === undefined) env.set(name, (await this.#expand(value, false)).join(' '));
      else this.#arrays.set(name, (await Promise.all(elements.map((word) => this.#expand(word)))).flat());
    }
    const opened = await redirected(command.redirections, { ...process, env, argv }, (word) =>
      this.#expand(word),
    );
    if (typeof opened === 'number' || argv.length === 0) return typeof opened === 'number' ? opened : 0;
    return this.#start(opened);
  }

  async #start(process: SimulatedProcess): Promise<number> {
    const { argv, place, env, files, stderr } = process;
    const [name = '', first] = argv;
    switch (name) {
      case 'exit':
      case 'return':
        this.#isOver = true;
        return first === undefined ? this.#lastCode : Number(first) & 255;
      case 'cd': {
        const directory = resolvePath(place.directory, first ?? env.get('HOME') ?? '/');
        if (!files.isDirectory(directory))
          return complain(
            { ...process, argv: ['sh: cd'] },
            `can't cd to ${first}: No such file or directory`,
          );
        place.directory = directory;
        return 0;
      }
      case 'export':
        for (const pair of argv.slice(1)) {
          const equals = pair.indexOf('=');
          if (equals > 0) this.#process.env.set(pair.slice(0, equals), pair.slice(equals + 1));
        }
        return 0;
      case 'set':
        this.set(argv.slice(1));
        return 0;
      case 'trap':
        return 0;
      case 'unset':
        for (const variable of argv.slice(1)) this.#process.env.delete(variable);
        return 0;
      case 'break':
        this.#leaving = Number(first ?? 1);
        return 0;
      case 'continue':
        this.#isContinuing = true;
        return 0;
      case 'read':
        return this.#read(process);
      case 'command':
        return this.#named(process);
      case 'type':
        return this.#reported(process, argv.slice(1), true);
      case 'exec':
        this.#isOver = true;
        return this.#start({ ...process, argv: argv.slice(1) });
    }
    const code = await startProgram(process);
    if (code !== undefined) return code;
    const entry = name.includes('/') ? files.entry(resolvePath(place.directory, name)) : undefined;
    await print(stderr, `sh: ${name}: ${entry === undefined ? 'not found' : 'Permission denied'}\n`);
    return entry === undefined ? 127 : 126;
  }

  /** `command`: runs a command that is not a function; with `-v` or `-V`, shows what would run. */
  async #named(process: SimulatedProcess): Promise<number> {
    const words = process.argv.slice(1);
    let options = '';
    while (/^-[pvV]+$/.test(words[0] ?? '')) options += words.shift();
    if (words[0] === '--') words.shift();
    if (/[vV]/.test(options)) return this.#reported(process, words.slice(0, 1), options.includes('V'));
    return words.length === 0 ? 0 : this.#start({ ...process, argv: words });
  }

  async #reported(
    { stdout, files, place }: SimulatedProcess,
    names: readonly string[],
    inWords: boolean,
  ): Promise<number> {
    let code = 0;
    for (const name of names) {
      const found = lookUp(name, (path) => files.entry(resolvePath(place.directory, path)) !== undefined);
      if (found === undefined) code = notFoundCode;
      if (found !== undefined) await print(stdout, inWords ? `${name} is ${found.words}\n` : `${found.as}\n`);
      else if (inWords) await print(stdout, `${name}: not found\n`);
    }
    return code;
  }

  /** Reads a line of standard input into variables; the last one receives the rest. */
  async #read({ argv, stdin }: SimulatedProcess): Promise<number> {
    const line = await stdin.line();
    const names = argv.slice(1).filter((word) => !word.startsWith('-'));
    const words = (line ?? '').trim().split(/[ \t]+/);
    for (const [index, name] of names.entries()) {
      const isLast = index === names.length - 1;
      this.#process.env.set(name, isLast ? words.slice(index).join(' ') : (words[index] ?? ''));
    }
    return line === undefined ? 1 : 0;
  }

  /** An unquoted word may expand to several words, or to none, and names files by a pattern. */
  async #expand(word: Word, isPath = true): Promise<readonly string[]> {
    const fields: Field[] = [];
    let field: Field | undefined;
    const add = (text: string, isQuoted: boolean): void => {
      field ??= { text: '', pattern: '' };
      field.text += text;
      field.pattern += isQuoted ? text.replaceAll(/[*?[\]\\]/g, '\\$&') : text;
    };
    for (const part of word) {
      const text = await this.#valueOf(part);
      if (part.kind === 'text' || part.isQuoted) {
        add(text, part.isQuoted === true);
        continue;
      }
      const [first = '', ...rest] = text.split(/[ \t\n]+/);
      if (first !== '') add(first, false);
      for (const next of rest) {
        if (field !== undefined) fields.push(field);
        field = undefined;
        if (next !== '') add(next, false);
      }
    }
    if (field !== undefined) fields.push(field);
    const { files, place } = this.#process;
    return fields.flatMap(({ text, pattern }) => {
      const found = isPath && /[*?[]/.test(text) ? matchingPaths(files, place.directory, pattern) : [];
      return found.length > 0 ? found : [text];
    });
  }

  /** A pattern of `case`: what is quoted stands for itself. */
  async #patternOf(word: Word): Promise<string> {
    const parts = await Promise.all(
      word.map(async (part) => {
        const text = await this.#valueOf(part);
        return part.isQuoted ? text.replaceAll(/[*?[\]\\]/g, '\\$&') : text;
      }),
    );
    return parts.join('');
  }

  async #valueOf(part: Word[number]): Promise<string> {
    if (part.kind === 'text') return part.text;
    if (part.kind === 'command') return this.#captured(part.script);
    if (part.kind === 'arithmetic')
      return String(evaluateArithmetic(part.expression, (name) => this.#variable(name) || '0'));
    if (part.name === '?') return String(this.#lastCode);
    if (part.name === '$') return String(this.#process.pid);
    if (part.change !== undefined) return changed(this.#variable(part.name) ?? '', part.change);
    if (part.index !== undefined) return this.#element(part.name, part.index) ?? '';
    const value = this.#variable(part.name);
    return part.fallback === undefined ? (value ?? '') : this.#fallback(part.name, value, part.fallback);
  }

  /** `-` and `=` replace a missing value, `+` replaces one that is there, `?` ends the script. */
  async #fallback(
    name: string,
    value: string | undefined,
    { operator, text }: { readonly operator: string; readonly text: string },
  ): Promise<string> {
    const isThere = value !== undefined && (value !== '' || !operator.startsWith(':'));
    const kind = operator.at(-1);
    if (kind === '+' ? !isThere : isThere) return kind === '+' ? '' : value!;
    const replacement = (await this.#expand(readWord(`"${text.replaceAll('"', '')}"`).word, false)).join(' ');
    if (kind === '=') this.#process.env.set(name, replacement);
    if (kind === '?') throw new ExpansionFailure(`${name}: ${replacement || 'parameter not set'}`);
    return replacement;
  }

  get #arrays(): Map<string, readonly string[]> {
    return this.#process.arrays!;
  }

  /** A variable that is no array has one element. */
  #element(name: string, index: string): string | undefined {
    const value = this.#variable(name);
    const elements = this.#arrays.get(name) ?? (value === undefined ? [] : [value]);
    if (index === '@' || index === '*') return elements.join(' ');
    if (index === '#') return String(elements.length);
    return elements.at(evaluateArithmetic(index.replaceAll('$', ''), (one) => this.#variable(one) || '0'));
  }

  #variable(name: string): string | undefined {
    const { env, hostname, random } = this.#process;
    if (name === 'RANDOM') return String(Math.floor(random.next() * randomMax));
    if (/^\d+$/.test(name)) return this.#parameters[Number(name)];
    if (name === '#') return String(Math.max(0, this.#parameters.length - 1));
    if (name === '@' || name === '*') return this.#parameters.slice(1).join(' ');
    return env.get(name) ?? this.#arrays.get(name)?.[0] ?? (name === 'HOSTNAME' ? hostname : undefined);
  }

  async #captured(script: string): Promise<string> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const stdout: ByteOutput = (chunk) => {
      bytes += chunk.length;
      if (bytes <= captureBytesMax) chunks.push(chunk);
    };
    this.#lastCode = await this.#inner({ ...this.#copied(this.#process), stdout }).run(script);
    return new TextDecoder().decode(joinedBytes(chunks)).replace(/\n+$/, '');
  }
}

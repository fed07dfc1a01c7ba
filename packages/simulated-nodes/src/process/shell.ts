/**
 * A shell with lists, pipes, redirections, here-documents, quotes, variables, arithmetic, conditions, loops, functions
 * and background jobs: enough to look around in a container and for the scripts of manifests. Anything else is rejected
 * with a one-line error.
 */
import { aborted } from '@coxswain/apimachinery';
import { joinedBytes } from '@coxswain/apimachinery/joined-bytes.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { ByteInput } from '../network/byte-input.ts';
import { FileFailure, resolvePath } from './container-files.ts';
import { setVariable, WordExpansion } from './shell-expansion.ts';
import { matchesPattern } from './shell-patterns.ts';
import { Pipe } from './pipe.ts';
import { ForkFailure, processesMax } from './process-table.ts';
import { ExpansionFailure } from './arithmetic.ts';
import { parseScript, type Script, type ShellCommand, type SimpleCommand } from './shell-syntax.ts';
import { redirected } from './shell-redirections.ts';
import { FunctionCalls } from './shell-functions.ts';
import { describeNames } from './shell-names.ts';
import { setOptions } from './shell-options.ts';
import { quoted } from './shell-words.ts';
import { complain, print, type ByteOutput, type SimulatedProcess } from './simulated-process.ts';
import { inTurns, passTurn } from './turns.ts';

/** After this many iterations without waiting, time passes. */
const roundsAtOnceMax = 1_000;
const breathMs = 1;

const notFoundCode = 127;

/** The maximum output of a command substitution. */
const captureBytesMax = 1024 * 1024;

/** The exit code of a writer whose reader has ended (SIGPIPE). */
const brokenPipeCode = 141;

export class Shell {
  readonly #process: SimulatedProcess;
  #parameters: readonly string[];
  /** What `set` has turned on: `B`, `e`, `u`, `x` and `pipefail` have an effect. */
  readonly #options = new Set<string>();
  /** The number of conditions being evaluated, whose failure is no error. */
  #conditions = 0;
  #lastCode = 0;
  #isOver = false;
  readonly #functions: FunctionCalls;
  /** Running in the background, by PID. */
  readonly #jobs = new Map<number, Promise<number>>();
  /** The script of `trap … EXIT`. */
  #atExit: string | undefined;
  /** The number of loops to leave, or a request to continue the innermost one. */
  #leaving = 0;
  #isContinuing = false;
  #rounds = 0;
  readonly #words: WordExpansion;

  /** @param parameters `$0`, `$1`, … */
  constructor(
    process: SimulatedProcess,
    parameters: readonly string[] = [],
    functions = new FunctionCalls(process.env),
  ) {
    this.#process = { ...process, arrays: new Map(process.arrays) };
    this.#parameters = parameters;
    this.#functions = functions;
    this.#words = new WordExpansion(this.#process, {
      parameters: () => this.#parameters,
      hasOption: (name) => this.#options.has(name),
      lastCode: () => this.#lastCode,
      lastJob: () => this.#functions.lastJob,
      breathe: () => this.#breathe(this.#process),
      output: (script) => this.#captured(script),
    });
    if (/(^|\/)bash$/.test(process.argv[0] ?? '')) this.#options.add('B');
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

  /** Runs a whole script, and what was to follow it. */
  async runToEnd(script: string): Promise<number> {
    const code = await this.run(script);
    if (this.#atExit === undefined) return code;
    this.#isOver = false;
    await this.run(this.#atExit);
    return this.#isOver ? this.#lastCode : code;
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
      if (!(failure instanceof ExpansionFailure || failure instanceof ForkFailure)) throw failure;
      await print(this.#process.stderr, `sh: ${failure.message}\n`);
      this.#isOver = true;
      return (this.#lastCode = 2);
    }
  }

  set(words: readonly string[]): void {
    const operands = setOptions(this.#options, words);
    if (operands !== undefined) this.#parameters = [this.#parameters[0] ?? 'sh', ...operands];
  }

  async #condition(script: Script, process: SimulatedProcess): Promise<number> {
    this.#conditions++;
    const code = await this.#list(script, process);
    this.#conditions--;
    return code;
  }

  async #list(script: Script, process: SimulatedProcess): Promise<number> {
    for (const [at, { onlyAfter, isNegated, isBackground, commands }] of script.entries()) {
      if (this.#isOver || this.#isLeaving || process.signal.aborted) break;
      if (onlyAfter === 'success' && this.#lastCode !== 0) continue;
      if (onlyAfter === 'failure' && this.#lastCode === 0) continue;
      if (isBackground) {
        this.#inBackground(commands[0]!, process);
        continue;
      }
      const code = await this.#pipeline(commands, process);
      this.#lastCode = isNegated ? Number(code === 0) : code;
      const isTested = isNegated || script[at + 1]?.onlyAfter !== undefined || this.#conditions > 0;
      if (code !== 0 && !isTested && this.#options.has('e')) this.#isOver = true;
    }
    return this.#lastCode;
  }

  /** @throws ForkFailure */
  #inBackground(command: ShellCommand, process: SimulatedProcess): void {
    this.#lastCode = 0;
    process.processes.mayFork();
    if (this.#jobs.size >= processesMax) this.#jobs.delete(this.#jobs.keys().next().value!);
    const own = { ...this.#copied(process), argv: ['sh'], stdin: ByteInput.of() };
    let pid = 0;
    const running = process.processes.run(own, (inner) => {
      pid = inner.pid;
      return this.#inner(inner).#command(command, inner);
    });
    this.#jobs.set(pid, running);
    this.#functions.lastJob = pid;
    running.catch(() => undefined);
  }

  /** Without operands, waits for all jobs. */
  async #wait(pids: readonly string[], { signal }: SimulatedProcess): Promise<number> {
    const named = pids.map((pid) => this.#jobs.get(Number(pid)));
    const codes = await Promise.race([
      Promise.all(pids.length === 0 ? this.#jobs.values() : named),
      aborted(signal).then(() => undefined),
    ]);
    return pids.length === 0 ? 0 : (codes?.at(-1) ?? notFoundCode);
  }

  /** Each command reads the output of the one before, in a shell of its own. */
  async #pipeline(commands: readonly ShellCommand[], process: SimulatedProcess): Promise<number> {
    if (commands.length === 1) return this.#command(commands[0]!, process);
    let before: Pipe | undefined;
    const running = commands.map((command, index) => {
      const after = index < commands.length - 1 ? new Pipe(this.#process.clock) : undefined;
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
    const opened = await redirected(command.redirections, process, this.#words.expand.bind(this.#words));
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
      case 'function':
        this.#functions.define(command.name, command.body);
        return 0;
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
    const functions = this.#functions.copy(process.env);
    const shell = new Shell({ ...process, arrays: this.#process.arrays }, this.#parameters, functions);
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
    for (const word of this.#words.braced(words)) {
      for (const value of await this.#words.expand(word)) {
        setVariable(process.env, name, value);
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
    const text = (await this.#words.expand(word, false)).join(' ');
    this.#lastCode = 0;
    for (const { patterns, body } of branches) {
      for (const pattern of patterns)
        if (matchesPattern(await this.#words.patternOf(pattern), text)) return this.#list(body, process);
    }
    return 0;
  }

  get #isLeaving(): boolean {
    return this.#leaving > 0 || this.#isContinuing || this.#functions.isReturning;
  }

  /** Others have their turn. */
  async #breathe({ clock, signal }: Pick<SimulatedProcess, 'clock' | 'signal'>): Promise<void> {
    await clock.sleep(breathMs, signal).catch(() => undefined);
  }

  /** After an iteration. */
  async #leavesLoop({ clock, signal }: SimulatedProcess): Promise<boolean> {
    if (++this.#rounds % roundsAtOnceMax === 0) await this.#breathe({ clock, signal });
    else await passTurn(clock);
    this.#isContinuing = false;
    if (this.#leaving === 0) return this.#isOver || this.#functions.isReturning || signal.aborted;
    this.#leaving--;
    return true;
  }

  async #simple(command: SimpleCommand, process: SimulatedProcess): Promise<number> {
    const argv: string[] = [];
    for (const word of this.#words.braced(command.words)) argv.push(...(await this.#words.expand(word)));
    const env = argv.length === 0 ? process.env : new Map(process.env);
    for (const { name, value, elements } of command.assignments) {
      if (elements === undefined) setVariable(env, name, (await this.#words.expand(value, false)).join(' '));
      else {
        const values = await Promise.all(
          this.#words.braced(elements).map((word) => this.#words.expand(word)),
        );
        this.#words.arrays.set(name, values.flat());
      }
    }
    if (this.#options.has('x')) await this.#trace(command, env, argv);
    const opened = await redirected(
      command.redirections,
      { ...process, env, argv },
      this.#words.expand.bind(this.#words),
    );
    if (typeof opened === 'number' || argv.length === 0) return typeof opened === 'number' ? opened : 0;
    return this.#start(opened);
  }

  async #trace({ assignments }: SimpleCommand, env: ReadonlyMap<string, string>, argv: readonly string[]) {
    const assigned = assignments.map(({ name }) => `${name}=${quoted(env.get(name) ?? '')}`);
    await print(this.#process.stderr, `+ ${[...assigned, ...argv.map(quoted)].join(' ')}\n`);
  }

  async #call(body: ShellCommand, process: SimulatedProcess): Promise<number> {
    const outer = this.#parameters;
    this.#parameters = [outer[0] ?? 'sh', ...process.argv.slice(1)];
    try {
      return await this.#functions.call(() => this.#command(body, { ...process, env: this.#process.env }));
    } finally {
      this.#parameters = outer;
    }
  }

  async #start(process: SimulatedProcess): Promise<number> {
    const { argv, place, env, files, stderr } = process;
    const [name = '', first] = argv;
    const body = this.#functions.find(name);
    if (body !== undefined) return this.#call(body, process);
    switch (name) {
      case 'exit':
      case 'return':
        if (name === 'exit' || !this.#functions.return()) this.#isOver = true;
        return first === undefined ? this.#lastCode : Number(first) & 255;
      case 'local':
        for (const word of argv.slice(1)) this.#functions.declare(word);
        return 0;
      case 'shift':
        this.#parameters = this.#parameters.toSpliced(1, Number(first ?? 1));
        return 0;
      case 'eval':
        return this.run(argv.slice(1).join(' '));
      case '.':
      case 'source':
        return this.#source(first ?? '', process);
      case 'wait':
        return this.#wait(argv.slice(1), process);
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
          if (equals > 0) setVariable(this.#process.env, pair.slice(0, equals), pair.slice(equals + 1));
        }
        return 0;
      case 'set':
        this.set(argv.slice(1));
        return 0;
      case 'trap':
        if (argv.slice(2).some((signal) => /^(?:EXIT|0)$/.test(signal))) this.#atExit = first;
        if (first === '-') this.#atExit = undefined;
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
        return describeNames(process, argv.slice(1), true);
      case 'exec':
        this.#isOver = true;
        return this.#start({ ...process, argv: argv.slice(1) });
    }
    const code = await process.start(process);
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
    if (/[vV]/.test(options)) return describeNames(process, words.slice(0, 1), options.includes('V'));
    return words.length === 0 ? 0 : this.#start({ ...process, argv: words });
  }

  async #source(file: string, process: SimulatedProcess): Promise<number> {
    try {
      const bytes = process.files.read(resolvePath(process.place.directory, file));
      return await this.run(new TextDecoder().decode(bytes));
    } catch (failure) {
      if (!(failure instanceof FileFailure)) throw failure;
      this.#isOver = true;
      return complain({ ...process, argv: ['sh: .'] }, `can't open '${file}': ${failure.message}`, 2);
    }
  }

  /** Reads a line of standard input into variables; the last one receives the rest. */
  async #read({ argv, stdin }: SimulatedProcess): Promise<number> {
    const line = await stdin.line();
    const names = argv.slice(1).filter((word) => !word.startsWith('-'));
    const words = (line ?? '').trim().split(/[ \t]+/);
    for (const [index, name] of names.entries()) {
      const isLast = index === names.length - 1;
      setVariable(this.#process.env, name, isLast ? words.slice(index).join(' ') : (words[index] ?? ''));
    }
    return line === undefined ? 1 : 0;
  }

  async #captured(script: string): Promise<string> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const keep: ByteOutput = (chunk) => {
      bytes += chunk.length;
      if (bytes <= captureBytesMax) chunks.push(chunk);
    };
    const { clock, signal } = this.#process;
    const stdout = inTurns(keep, clock, signal);
    this.#lastCode = await this.#inner({ ...this.#copied(this.#process), stdout }).run(script);
    return new TextDecoder().decode(joinedBytes(chunks)).replace(/\n+$/, '');
  }
}

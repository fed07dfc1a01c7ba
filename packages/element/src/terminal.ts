/** A terminal with a shell for kubectl, `clear` and `help`: history, completion with Tab, Ctrl-C. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { commonStart, edited, emptyLine, History, type EditedLine } from './line-editor.ts';
import type { Session } from './session.ts';
import type { SharedState } from './shared-state.ts';
import { isDark, terminalColors, whenColorsChange } from './terminal-colors.ts';
import type { Words } from './words.ts';

const prompt = '\x1b[36m$\x1b[0m ';
const promptColumns = 2;

export class ClusterTerminal {
  readonly #terminal: Terminal;
  readonly #session: Session;
  readonly #words: Words;
  readonly #fit = new FitAddon();
  readonly #history = new History();
  readonly #stop: () => void;
  #line: EditedLine = emptyLine;
  #running: Running | undefined;
  #isLeaving = false;

  constructor(place: HTMLElement, session: Session, words: Words) {
    this.#session = session;
    this.#words = words;
    this.#terminal = new Terminal({
      convertEol: true,
      fontSize: 13,
      lineHeight: 1.25,
      fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
      cursorBlink: true,
      scrollback: 2000,
      screenReaderMode: true,
      theme: terminalColors(isDark(place)),
    });
    const unwatch = whenColorsChange(() => (this.#terminal.options.theme = terminalColors(isDark(place))));
    this.#terminal.loadAddon(this.#fit);
    this.#terminal.open(place);
    this.#terminal.textarea?.setAttribute('aria-label', words.terminal);
    const resized = new ResizeObserver(() => this.#fit.fit());
    resized.observe(place);
    this.#terminal.attachCustomKeyEventHandler((event) => event.type !== 'keydown' || !this.#leaves(event));
    this.#terminal.onData((data) => detach(this.#typed(data)));
    this.#terminal.write(prompt);
    this.#stop = () => {
      unwatch();
      resized.disconnect();
      this.#running?.abort.abort();
      this.#terminal.dispose();
    };
  }

  dispose(): void {
    this.#stop();
  }

  focus(): void {
    this.#terminal.focus();
  }

  /** Runs a line as if it had been typed. */
  async enter(line: string): Promise<void> {
    if (this.#running !== undefined) return;
    this.#show({ text: line, at: line.length });
    await this.#execute();
  }

  /** Runs lines one after the other. */
  async enterAll(lines: readonly string[]): Promise<void> {
    for (const line of lines) await this.enter(line);
  }

  /** Shows how a shared cluster is recreated, and whether it is the same. */
  async replay(state: SharedState): Promise<void> {
    const running: Running = { abort: new AbortController(), keys: new Keys() };
    this.#running = running;
    this.#terminal.write('\r\x1b[J');
    const isSame = await this.#session.replay(state, (text) => this.#terminal.write(text));
    for (const { line } of state.steps) this.#history.add(line);
    const found = isSame ? this.#words.replayedSame : this.#words.replayedOther;
    this.#terminal.write(`${state.digest === '' ? '' : `\x1b[2m${found}\x1b[0m\n`}${prompt}`);
    this.#running = undefined;
  }

  /**
   * Whether a key moves the focus on, as it does outside of a terminal: Shift+Tab, Tab where there is nothing to
   * complete, and Tab after Escape. Nobody who has only a keyboard must be kept here.
   */
  #leaves({ key, shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
    const isTab = key === 'Tab' && !ctrlKey && !altKey && !metaKey;
    const isIdle = this.#line.text === '' && this.#running === undefined;
    const leaves = isTab && (shiftKey || isIdle || this.#isLeaving);
    this.#isLeaving = key === 'Escape';
    return leaves;
  }

  async #typed(data: string): Promise<void> {
    if (this.#running !== undefined) return this.#toCommand(data, this.#running);
    if (data === '\r') return this.#execute();
    if (data === '\t') return this.#complete();
    if (data === '\x03') {
      this.#terminal.write(`^C\n${prompt}`);
      this.#line = emptyLine;
    } else if (data === '\x0c') this.#terminal.clear();
    else if (data === '\x1b[A') this.#recall(this.#history.older(this.#line.text));
    else if (data === '\x1b[B') this.#recall(this.#history.newer());
    else this.#show(edited(this.#line, data));
  }

  #toCommand(data: string, { abort, keys }: Running): void {
    if (data === '\x03' && !keys.isRead) {
      this.#terminal.write('^C');
      abort.abort(new Error('interrupted'));
    } else keys.push(new TextEncoder().encode(data));
  }

  #recall(text: string): void {
    this.#show({ text, at: text.length });
  }

  /** Redraws the line, also if it is longer than the terminal is wide. */
  #show(line: EditedLine): void {
    const { cols } = this.#terminal;
    const up = Math.floor((promptColumns + this.#line.at) / cols);
    const end = promptColumns + line.text.length;
    const back = Math.floor(end / cols) - Math.floor((promptColumns + line.at) / cols);
    const column = (promptColumns + line.at) % cols;
    const moves = `${up > 0 ? `\x1b[${up}A` : ''}\r\x1b[J`;
    const wrap = end % cols === 0 ? '\r\n' : '';
    const place = `${back > 0 ? `\x1b[${back}A` : ''}\r${column > 0 ? `\x1b[${column}C` : ''}`;
    this.#terminal.write(`${moves}${prompt}${line.text}${wrap}${place}`);
    this.#line = line;
  }

  async #execute(): Promise<void> {
    const { text } = this.#line;
    this.#show({ text, at: text.length });
    this.#terminal.write('\n');
    this.#history.add(text);
    this.#line = emptyLine;
    await this.#command(text.trim());
    this.#terminal.write(`${this.#terminal.buffer.active.cursorX > 0 ? '\n' : ''}${prompt}`);
  }

  async #command(line: string): Promise<void> {
    const [program = ''] = line.split(/\s+/, 1);
    if (program === '') return;
    if (program === 'clear') return this.#terminal.clear();
    if (program === 'help') return this.#terminal.write(this.#words.help);
    if (program !== 'kubectl' && program !== 'k') return this.#terminal.write(this.#words.notFound(program));
    const running: Running = { abort: new AbortController(), keys: new Keys() };
    this.#running = running;
    const print = (text: string) => this.#terminal.write(text);
    try {
      await this.#session.enter(line.replace(/^k(?=\s|$)/, 'kubectl'), {
        out: print,
        err: print,
        stdin: running.keys,
        signal: running.abort.signal,
        columns: this.#terminal.cols,
        rows: this.#terminal.rows,
      });
    } catch (failure) {
      print(`${messageOf(failure)}\n`);
    } finally {
      this.#running = undefined;
      await new Promise<void>((resolve) => this.#terminal.write('', resolve));
    }
  }

  /** kubectl itself provides the candidates. */
  async #complete(): Promise<void> {
    const { text, at } = this.#line;
    const words = text.slice(0, at).split(/\s+/);
    const last = words.at(-1) ?? '';
    if (words.length === 1) return this.#insert('kubectl '.slice(last.length), 'kubectl'.startsWith(last));
    const { stdout } = await this.#session.run(['__complete', ...words.slice(1)]);
    const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith(':'));
    const found = lines.map((line) => line.split('\t')[0]!).filter((word) => word.startsWith(last));
    const start = commonStart(found);
    if (found.length === 1)
      this.#insert(`${start.slice(last.length)}${start.endsWith('=') ? '' : ' '}`, true);
    else if (start.length > last.length) this.#insert(start.slice(last.length), true);
    else if (found.length > 1) {
      const line = this.#line;
      this.#terminal.write(`\n${found.join('  ')}\n`);
      this.#line = emptyLine;
      this.#show(line);
    }
  }

  #insert(signs: string, isWanted: boolean): void {
    if (isWanted && signs !== '') this.#show(edited(this.#line, signs));
  }
}

interface Running {
  readonly abort: AbortController;
  readonly keys: Keys;
}

/** Input during a command belongs to the command once it reads standard input. */
class Keys implements AsyncIterable<Uint8Array> {
  readonly #waiting: Uint8Array[] = [];
  #wake: (() => void) | undefined;
  isRead = false;

  push(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    this.isRead = true;
    try {
      for (;;) {
        while (this.#waiting.length > 0) yield this.#waiting.shift()!;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.isRead = false;
    }
  }
}

/** BusyBox's `sed`: addresses, blocks, and the commands that need no hold space. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { resolvePath } from './container-files.ts';
import { withOptions } from './declared-options.ts';
import { parseSed, type SedAddress, type SedCommand } from './sed-script.ts';
import { complain, print } from './simulated-process.ts';
import { eachInput, wholeText } from './text-programs.ts';

export const sed = withOptions(
  {
    letters: 'nrEizse:f:',
    long: {
      '--quiet': 'n',
      '--silent': 'n',
      '--expression': 'e',
      '--regexp-extended': 'E',
      '--in-place': 'i',
    },
    synopsis: '[-i] [-nrE] [-e CMD] [-f FILE]... [CMD] [FILE]...',
  },
  async (process, options) => {
    const { files, place, clock } = process;
    const scripts = [...options.values('e')];
    const paths = [...options.operands];
    let commands: readonly SedCommand[];
    try {
      for (const path of options.values('f'))
        scripts.push(new TextDecoder().decode(files.read(resolvePath(place.directory, path))));
      if (scripts.length === 0) scripts.push(paths.shift() ?? '');
      commands = parseSed(scripts.join('\n'), options.has('E') || options.has('r'));
    } catch (failure) {
      return complain(process, messageOf(failure));
    }
    const isSilent = options.has('n');
    if (!options.has('i')) {
      const texts: string[] = [];
      const code = await eachInput(process, paths, async (input) => {
        texts.push(await wholeText(input));
      });
      const { output, exitCode } = edited(texts.join(''), commands, isSilent);
      await print(process.stdout, output);
      return exitCode ?? code;
    }
    return eachInput(process, paths, async (input, path) => {
      const text = await wholeText(input);
      const { output } = edited(text, commands, isSilent);
      const full = resolvePath(place.directory, path);
      files.write(full, new TextEncoder().encode(output), clock.now(), files.entry(full)?.mode);
    });
  },
);

interface Edited {
  readonly output: string;
  readonly exitCode?: number | undefined;
}

interface Cycle {
  line: string;
  isDeleted: boolean;
  exitCode: number | undefined;
  /** Printed before and after the line itself. */
  before: string;
  after: string;
}

function edited(text: string, commands: readonly SedCommand[], isSilent: boolean): Edited {
  const isOpen = !text.endsWith('\n');
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  /** The last line of each range that has begun. */
  const ranges = new Map<SedCommand, number>();
  const output: string[] = [];
  for (const [index, first] of lines.entries()) {
    const cycle: Cycle = { line: first, isDeleted: false, exitCode: undefined, before: '', after: '' };
    const at = { number: index + 1, isLast: index === lines.length - 1 };
    run(commands, cycle, at, ranges);
    const isShown = !cycle.isDeleted && !isSilent;
    output.push(`${cycle.before}${isShown ? `${cycle.line}\n` : ''}${cycle.after}`);
    if (cycle.exitCode !== undefined) return { output: output.join(''), exitCode: cycle.exitCode };
  }
  const all = output.join('');
  return { output: isOpen ? all.replace(/\n$/, '') : all };
}

interface Position {
  readonly number: number;
  readonly isLast: boolean;
}

function run(
  commands: readonly SedCommand[],
  cycle: Cycle,
  at: Position,
  ranges: Map<SedCommand, number>,
): void {
  for (const command of commands) {
    if (cycle.isDeleted || cycle.exitCode !== undefined) return;
    if (isSelected(command, cycle.line, at, ranges) === command.isNegated) continue;
    switch (command.kind) {
      case 'block':
        run(command.body, cycle, at, ranges);
        break;
      case 'substitute': {
        const replaced = command.replace(cycle.line);
        if (replaced === undefined) break;
        cycle.line = replaced;
        if (command.prints) cycle.before += `${replaced}\n`;
        break;
      }
      case 'translate':
        cycle.line = [...cycle.line].map((letter) => command.letters.get(letter) ?? letter).join('');
        break;
      case 'text':
        if (command.name === 'a') cycle.after += `${command.text}\n`;
        else cycle.before += `${command.text}\n`;
        if (command.name === 'c') cycle.isDeleted = true;
        break;
      case 'plain':
        if (command.name === 'p') cycle.before += `${cycle.line}\n`;
        if (command.name === '=') cycle.before += `${at.number}\n`;
        if (command.name === 'd') cycle.isDeleted = true;
        if (command.name === 'q') cycle.exitCode = command.exitCode;
    }
  }
}

function isSelected(
  command: SedCommand,
  line: string,
  at: Position,
  ranges: Map<SedCommand, number>,
): boolean {
  const [first, last] = command.addresses;
  if (first === undefined) return true;
  if (last === undefined) return fits(first, line, at);
  const end = ranges.get(command);
  if (end === undefined) {
    if (!fits(first, line, at)) return false;
    const until =
      last.kind === 'line'
        ? last.number
        : last.kind === 'more'
          ? at.number + last.count
          : Number.POSITIVE_INFINITY;
    if (until > at.number) ranges.set(command, until);
    return true;
  }
  if (at.number >= end || (last.kind === 'match' && fits(last, line, at))) ranges.delete(command);
  return at.number <= end;
}

function fits(address: SedAddress, line: string, { number, isLast }: Position): boolean {
  switch (address.kind) {
    case 'line':
      return number === address.number;
    case 'last':
      return isLast;
    case 'match':
      return address.expression.find(line) !== undefined;
    case 'step':
      return number >= address.first && (number - address.first) % Math.max(1, address.step) === 0;
    case 'more':
      return false;
  }
}

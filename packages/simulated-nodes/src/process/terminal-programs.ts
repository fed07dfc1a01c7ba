/** BusyBox's programs that show properties of the terminal. */
import { complain, print, type SimulatedProcess } from './simulated-process.ts';

/** `stty size` prints rows and columns; modes are accepted and ignored. */
export async function stty(process: SimulatedProcess): Promise<number> {
  const { argv, stdout, terminal, tty } = process;
  if (!tty) return complain(process, 'standard input: Not a tty');
  await firstSize(process);
  const { rows, columns } = terminal;
  const words = argv.slice(1);
  if (words.includes('size')) await print(stdout, `${rows} ${columns}\n`);
  else if (words.length === 0) await print(stdout, 'speed 38400 baud; line = 0;\n');
  else if (words.includes('-a'))
    await print(stdout, `speed 38400 baud; rows ${rows}; columns ${columns}; line = 0;\n`);
  return 0;
}

/** `resize` prints assignments for a shell to evaluate. */
export async function terminalSize(process: SimulatedProcess): Promise<number> {
  const { stdout, terminal, tty } = process;
  if (!tty) return complain(process, "can't tell the size: Not a tty");
  await firstSize(process);
  const { rows, columns } = terminal;
  await print(stdout, `COLUMNS=${columns};LINES=${rows};export COLUMNS LINES;\n`);
  return 0;
}

/** A client that knows its size sends it at once; other clients never do. */
const firstSizeMsMax = 500;

async function firstSize({ terminal, clock, signal }: SimulatedProcess): Promise<void> {
  await Promise.race([terminal.known, clock.sleep(firstSizeMsMax, signal).catch(() => undefined)]);
}

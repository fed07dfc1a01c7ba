/** Signals by name and number, as on Linux. */

const signals: Readonly<Record<string, number>> = {
  HUP: 1,
  INT: 2,
  QUIT: 3,
  ABRT: 6,
  KILL: 9,
  USR1: 10,
  SEGV: 11,
  USR2: 12,
  PIPE: 13,
  ALRM: 14,
  TERM: 15,
  CHLD: 17,
  CONT: 18,
  STOP: 19,
  TSTP: 20,
  WINCH: 28,
};

/** `9`, `KILL`, `SIGKILL`; undefined if there is no such signal. */
export function signalNumber(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) <= 64 ? Number(text) : undefined;
  const name = text.toUpperCase().replace(/^SIG/, '');
  return Object.hasOwn(signals, name) ? signals[name] : undefined;
}

/** Signals that end a program unless it handles them, as servers handle all others. */
const deadly: ReadonlySet<number> = new Set([2, 3, 6, 9, 11, 15]);

export const isDeadly = (signal: number): boolean => deadly.has(signal);

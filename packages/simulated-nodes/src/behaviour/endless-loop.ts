import type { LogLine } from '../container-log.ts';
import type { CommandResult } from './commands.ts';

/** `while true; do …; done`: what a script prints repeatedly. */
export interface EndlessLoop {
  /** From the start of the container to the first iteration. */
  readonly beginsAfterMs: number;
  readonly roundMs: number;
  /** Lines printed by one iteration. */
  readonly output: readonly string[];
}

/** The minimum duration of an iteration; without it, a loop that never sleeps would print without limit. */
const roundMsMin = 1_000;
/** The number of lines that are kept. */
const linesMax = 10_000;

const loop =
  /^([\s\S]*?)(?:^|[;\n])\s*while\s+(?:true|:|\[ (?:1|true) \])\s*[;\n]\s*do\b([\s\S]*?)[;\n]\s*done\s*;?\s*$/;

/** Returns undefined if the script does not end in such a loop, or contains anything that `run` does not support. */
export function endlessLoop(
  script: string,
  run: (script: string) => CommandResult | undefined,
): { readonly before: readonly string[]; readonly loop: EndlessLoop } | undefined {
  const [, start, body] = loop.exec(script) ?? [];
  if (start === undefined || body === undefined) return undefined;
  const before = run(start);
  const round = run(body);
  if (before === undefined || round === undefined) return undefined;
  const roundMs = Math.max(round.afterMs, roundMsMin);
  return { before: before.output, loop: { beginsAfterMs: before.afterMs, roundMs, output: round.output } };
}

/** The newest lines printed from the start until `untilMs`. */
export function printedBy(
  { beginsAfterMs, roundMs, output }: EndlessLoop,
  startedMs: number,
  untilMs: number,
): LogLine[] {
  if (output.length === 0) return [];
  const beginMs = startedMs + beginsAfterMs;
  const rounds = Math.floor((untilMs - beginMs) / roundMs) + 1;
  const kept = Math.max(0, Math.min(rounds, Math.floor(linesMax / output.length)));
  return Array.from({ length: kept }, (_, at) => beginMs + (rounds - kept + at) * roundMs).flatMap((timeMs) =>
    output.map((text) => ({ timeMs, text })),
  );
}

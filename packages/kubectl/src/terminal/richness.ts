/** Which of the features for people at a terminal are on: those that were asked for, where there is a terminal. */

export interface Richness {
  /** States, and what differs, in colours. */
  readonly color: boolean;
  /** `get --watch` shows one table that changes. */
  readonly live: boolean;
  /** A line that tells how far long work is, and what is waited for. */
  readonly progress: boolean;
  /** After a failure, the command that may help. */
  readonly hints: boolean;
}

export interface TerminalFacts {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Widths, where terminals show output and errors. */
  readonly columns?: number;
  readonly errColumns?: number;
}

/** Of `--rich` and of the environment: `on`, `off`, or some of the features with commas. */
const variable = 'KUBECTL_RICH';

/** A pipe gets none of it, whatever was asked for. */
export function richnessOf({ env, columns, errColumns }: TerminalFacts, option = ''): Richness {
  const words = new Set((option || env[variable] || 'off').toLowerCase().split(','));
  const isDumb = env['TERM'] === 'dumb';
  const isOn = (feature: keyof Richness, width: number | undefined): boolean =>
    !isDumb && width !== undefined && !words.has('off') && (words.has('on') || words.has(feature));
  return {
    // no-color.org
    color: isOn('color', columns) && !env['NO_COLOR'],
    live: isOn('live', columns),
    progress: isOn('progress', errColumns),
    hints: isOn('hints', errColumns),
  };
}

/** Determines which features for terminal users are on: those that were requested, if there is a terminal. */

export interface Richness {
  /** Colours states and differences. */
  readonly color: boolean;
  /** `get --watch` shows a single table that is updated. */
  readonly live: boolean;
  /** A line that shows the progress of long operations, and what is being waited for. */
  readonly progress: boolean;
  /** Suggests a command that may help after a failure. */
  readonly hints: boolean;
}

export interface TerminalFacts {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The widths, if terminals show output and errors. */
  readonly columns?: number;
  readonly errColumns?: number;
}

/** For `--rich` and the environment: `on`, `off`, or a comma-separated list of features. */
const variable = 'KUBECTL_RICH';

/** Output to a pipe has none of them, whatever was requested. */
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

/** The figure at the head of a chapter: the way of what it follows, as text, from the recording. */

import { isFilterStep } from '../../packages/trace/src/filter-steps.ts';
import type { Recording, Step, Undertaking } from '../../packages/trace/src/recording.ts';

const columnsMax = 96;

/** Of one undertaking, its steps in their order, as they lead to one another. */
export function figureOfSteps(
  { component, name, steps }: Undertaking,
  lasting: (name: string) => string,
): string {
  const title =
    name === component || name.startsWith(component) ? name : `${component}  ${name.split('?')[0]}`;
  const lines = [lasting(title)];
  let line = '  ';
  for (const word of words(steps)) {
    if (line.length + word.length + 4 > columnsMax) {
      lines.push(line);
      line = '  ';
    }
    line += ` ─▶ ${word}`;
  }
  return [...lines, line].join('\n');
}

/** Of an undertaking and what led to it, each below its cause, with what links them. */
export function figureOfCauses(
  last: Undertaking,
  recording: Recording,
  lasting: (name: string) => string,
): string {
  const chain: Undertaking[] = [];
  for (let one: Undertaking | undefined = last; one !== undefined && !chain.includes(one);) {
    const [cause]: readonly string[] = one.causes;
    chain.unshift(one);
    one = recording.undertakings.find(({ id }) => id === cause);
  }
  const width = Math.max(...chain.map(({ component }) => component.length));
  return chain
    .flatMap(({ component, name, links, causes }) => {
      const by = links?.find(({ from }) => from === causes[0])?.by;
      const link = by === undefined ? [] : [`${' '.repeat(width)} │ ${arrows[by]}`];
      return [...link, `${component.padStart(width)} ● ${lasting(name.split('?')[0]!)}`];
    })
    .join('\n');
}

const arrows = { call: 'sends', revision: 'is seen in a watch by', queue: 'queues' };

/** Filters, plugins and hooks are told by their number: a figure shows the way, the list below it has the names. */
function words(steps: readonly Step[]): readonly string[] {
  const named = [...inOrder(steps)];
  const groups: { readonly word: string; readonly names: Set<string> }[] = [];
  for (const step of named) {
    const word = wordOf(step);
    const last = groups.at(-1);
    if (last?.word === word) last.names.add(step.name);
    else groups.push({ word, names: new Set([step.name]) });
  }
  return groups.map(({ word, names }) => (names.size > 1 ? `${names.size} ${plural(word)}` : word));
}

const plural = (word: string): string => (word.startsWith('admission/') ? `plugins of ${word}` : `${word}s`);

function wordOf(step: Step): string {
  if (isFilterStep(step)) return 'filter';
  const [kind] = /^(?:admission\/\w+|post-start-hook|filter|score|volume)(?=\/)/.exec(step.name) ?? [];
  return kind === undefined ? step.name : /^(?:filter|score)$/.test(kind) ? `${kind} plugin` : kind;
}

function* inOrder(steps: readonly Step[]): Generator<Step> {
  for (const step of steps) {
    if (step.name === 'client/request' || /^auth(?:enticator|orizer)\//.test(step.name)) continue;
    yield step;
    yield* inOrder(step.steps);
  }
}

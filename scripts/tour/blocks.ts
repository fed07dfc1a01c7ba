/**
 * What is generated in the chapters of the tour: lists of steps and chains of causes from the recording, and the lines
 * that links to a named function lead to.
 *
 *     <!-- steps: request POST /apis/apps/v1/ from authorize -->  …  <!-- /steps -->
 *     <!-- steps: sync default/box with runtime/stopContainer --> …  <!-- /steps -->
 *     <!-- causes: sync default/web-7887448d46-xxxxx -->          …  <!-- /causes -->
 *     <!-- figure: request POST /apis/apps/v1/ -->                …  <!-- /figure -->
 *     <!-- figure: causes of sync default/web-7887448d46-xxxxx -->
 *     [`syncDeployment`](../../packages/….ts#L1)
 */

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isFilterStep, nextOfFilter } from '../../packages/trace/src/filter-steps.ts';
import type { Recording, Step, Undertaking } from '../../packages/trace/src/recording.ts';
import { hasFailed } from '../../packages/trace/src/text/deeds.ts';
import { workOf } from '../../packages/trace/src/work.ts';
import { figureOfCauses, figureOfSteps } from './figure.ts';
import { originals, originalsOfUpdates } from './originals.ts';

const root = path.join(import.meta.dirname, '../..');

/** @param file of the chapter, relative to the project */
export function rewritten(text: string, file: string, recording: Recording): string {
  const toRoot = path.relative(path.dirname(file), '.').replaceAll(path.sep, '/');
  const link = (place: string): string => `${toRoot}/${place}`;
  return text
    .replaceAll(
      /<!-- (steps|causes): (.*?)(?: from (\S+))? -->\n[\s\S]*?<!-- \/\1 -->/g,
      (_all, kind: 'steps' | 'causes', name: string, from: string | undefined) => {
        const undertaking = found(recording, name);
        const lines =
          kind === 'steps' ? stepLines(undertaking, from, link) : causeLines(undertaking, recording, link);
        const title = from === undefined ? name : `${name} from ${from}`;
        return `<!-- ${kind}: ${title} -->\n\n${lines.join('\n')}\n\n<!-- /${kind} -->`;
      },
    )
    .replaceAll(
      /<!-- figure: (causes of )?(.*?) -->\n[\s\S]*?<!-- \/figure -->/g,
      (_all, causes: string | undefined, name: string) => {
        const undertaking = found(recording, name);
        const figure =
          causes === undefined
            ? figureOfSteps(undertaking, lasting)
            : figureOfCauses(undertaking, recording, lasting);
        return `<!-- figure: ${causes ?? ''}${name} -->\n\n\`\`\`text\n${figure}\n\`\`\`\n\n<!-- /figure -->`;
      },
    )
    .replaceAll(
      /\[`([^`]+)`\]\(((?:\.\.\/)+)(packages\/[^)#]+\.ts)(?:#L\d+)?\)/g,
      (_all, name: string, up: string, source: string) =>
        `[\`${name}\`](${up}${source}#L${lineOf(name, source)})`,
    );
}

/** Random ends of names are not the same twice. */
const lasting = (name: string): string => name.replaceAll(/(web-[\da-f]{8,10})-[a-z\d]{5}\b/g, '$1-xxxxx');

/** The first of that name that is whole, or that takes the step after `with`. */
function found(recording: Recording, title: string): Undertaking {
  const [name = '', step] = title.split(' with ');
  const start = name.split(' ');
  const wanted = start.slice(1).join(' ');
  const undertaking = recording.undertakings.find(
    (one) =>
      one.kind === start[0] &&
      [one.name, `${one.component} ${one.name}`].some((own) => lasting(own).startsWith(wanted)) &&
      (step === undefined ? isWhole(one) : takes(one.steps, new RegExp(`^${step}$`))),
  );
  if (undertaking === undefined) throw new Error(`the recording has no undertaking "${title}"`);
  return undertaking;
}

/**
 * A kubelet looks at a pod several times; the interesting look is the one that mounts or starts something. A scheduler
 * may have to wait for a claim. A request for a new kind may be refused before it is served.
 */
function isWhole(undertaking: Undertaking): boolean {
  const { kind, steps } = undertaking;
  if (kind === 'request') return !hasFailed(undertaking);
  const wanted = whole[kind as keyof typeof whole];
  return wanted === undefined || takes(steps, wanted);
}

const whole = { sync: /^(?:volume\/|runtime\/startContainer$)/, schedule: /^schedule\/bind$/ };

const takes = (steps: readonly Step[], wanted: RegExp): boolean =>
  steps.some((step) => wanted.test(step.name) || takes(step.steps, wanted));

interface Line {
  readonly depth: number;
  readonly step: Step;
}

function stepLines(
  { name, steps }: Undertaking,
  from: string | undefined,
  link: (place: string) => string,
): string[] {
  const all = flat(steps, 0);
  const start = from === undefined ? 0 : all.findIndex(({ step }) => step.name === from);
  if (start < 0) throw new Error(`no step "${from}"`);
  const least = Math.min(...all.slice(start).map(({ depth }) => depth));
  return all
    .slice(start)
    .map(
      ({ depth, step }) =>
        `${'  '.repeat(depth - least)}- ${reported(step, /^(?:PUT|PATCH) /.test(name), link)}`,
    );
}

/** A chain of steps, each of which calls the next one only, reads as a list. Repetitions are told once. */
function flat(steps: readonly Step[], depth: number): Line[] {
  const seen = new Set<string>();
  return steps.flatMap((step): Line[] => {
    const key = `${step.name} ${step.file}:${step.line}`;
    // What is sent to the server is a recording of its own, and how often depends on what else happens.
    if (seen.has(key) || step.name === 'client/request') return [];
    seen.add(key);
    const inner = step.steps.filter(({ name }) => name !== 'client/request');
    const next = isFilterStep(step) ? nextOfFilter(step) : undefined;
    if (next === undefined) return [{ depth, step }, ...flat(inner, inner.length === 1 ? depth : depth + 1)];
    const own = inner.filter((one) => one !== next);
    return [{ depth, step }, ...flat(own, depth + 1), ...flat([next], depth)];
  });
}

function reported(step: Step, isUpdate: boolean, link: (place: string) => string): string {
  const { name, file, line, function: work } = step;
  const place = step.definition ?? { file, line };
  const short = place.file.replace(/^packages\//, '').replace('/src/', '/');
  const original =
    originals[`${work}()`] ??
    (isUpdate ? originalsOfUpdates[name] : undefined) ??
    originals[name] ??
    originals[name.slice(0, name.lastIndexOf('/'))];
  return (
    `\`${name}\`: ${work === '' ? '' : `\`${work}\`, `}[${short}:${place.line}](${link(place.file)}#L${place.line})` +
    (original === undefined ? '' : ` (Kubernetes: \`${original}\`)`)
  );
}

/** From the undertaking back to what nobody in the recording asked for. */
function causeLines(last: Undertaking, recording: Recording, link: (place: string) => string): string[] {
  const chain: string[] = [];
  const seen = new Set<string>();
  for (let one: Undertaking | undefined = last; one !== undefined && !seen.has(one.id);) {
    seen.add(one.id);
    const cause: string | undefined = one.causes[0];
    const by = one.links?.find(({ from }) => from === cause)?.by;
    const step = workOf(one);
    const name = lasting(one.name).replace(/\?.*$/, '');
    const { file, line } = step?.definition ?? step ?? { file: '', line: 0 };
    const place = step === undefined ? '' : ` [${step.function || step.name}](${link(file)}#L${line})`;
    const how = by === undefined ? '' : `, because of ${words[by]}:`;
    chain.push(`1. ${one.kind} \`${name}\` of ${one.component}${one.kind === 'request' ? '' : place}${how}`);
    one = recording.undertakings.find(({ id }) => id === cause);
  }
  return chain;
}

const words = {
  call: 'a request that was sent',
  revision: 'a write that was watched',
  queue: 'a queued key',
};

function lineOf(name: string, source: string): number {
  const file = path.join(root, source);
  if (!existsSync(file)) throw new Error(`${source} does not exist`);
  const bare = name.replace(/\(\)$/, '').replaceAll(/[$#]/g, String.raw`\$&`);
  const declares = new RegExp(
    String.raw`\b(?:function\*?|const|class|interface|type) ${bare}\b|^\s+(?:(?:static|async|readonly|private) )*\*?${bare}\s*[(<=:?]`,
  );
  const index = readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((line) => declares.test(line));
  if (index < 0) throw new Error(`${source} does not declare ${name}`);
  return index + 1;
}

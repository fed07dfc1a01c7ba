/**
 * A recording as text: a tree of causes and effects, each undertaking with the steps that matter. The roots and the
 * undertakings that they called are expanded; every other one has a single line with an id by which more can be
 * requested.
 */

import { causalityOf, countSteps, linkFrom, selfNs, type Causality } from '../causality.ts';
import type { Recording, Step, Undertaking } from '../recording.ts';
import { isAskedUndertaking, stepSearch } from './asked.ts';
import { counted } from './counts.ts';
import { deedsOf, findingsOf, hasFailed, isEvent, wasIdle } from './deeds.ts';
import { gathered } from './gather.ts';
import { fold, hasRefused, type Row } from './fold.ts';
import { headings, layOut, type LayoutOptions, type Line, type Part } from './layout.ts';
import { shortPath } from './short-path.ts';
import { workOf } from '../work.ts';
import { summaryOf, valueLines, type Amount } from './values-text.ts';

export interface TextOptions extends LayoutOptions {
  /** Shows every step of every undertaking, with its values. */
  readonly everything?: boolean;
  /**
   * The id of one undertaking, as displayed, or its last digits: shows all of it, and a line for each cause and effect.
   */
  readonly only?: string;
  /** Shows only what has one of these names, with its values: undertakings by kind or component, and steps. */
  readonly show?: readonly string[];
}

export function recordingText(recording: Recording, options: TextOptions): string {
  const causality = causalityOf(recording);
  const lines = [...linesOf(recording, causality, options)];
  if (lines.length === 0) return `Nothing ${options.show?.length ? 'of that name ' : ''}was recorded.\n`;
  return [
    headings(options),
    ...lines.map((line) => layOut(line, options)),
    '',
    `${countsOf(recording)}\n`,
  ].join('\n');
}

function linesOf(recording: Recording, causality: Causality, options: TextOptions): Iterable<Line> {
  const { only, show = [] } = options;
  if (only !== undefined) return alone(theOne(causality, only), causality);
  return show.length > 0 ? askedFor(recording, causality, options) : treeOf(recording, causality, options);
}

/** Steps that took less than this fraction of their undertaking's time are folded. */
const leastPart = 0.03;

interface Place {
  readonly originNs: number;
  readonly causality: Causality;
  readonly options: TextOptions;
  /** Undertakings whose effects are too deep in the tree: each begins another tree below. */
  readonly deferred: { readonly undertaking: Undertaking; readonly isOpen: boolean }[];
}

/** A chain of effects whose guide lines would take more than this part of the width begins another tree, */
const guidesMaxPart = 1 / 5;
/** as soon as they take this part. */
const guidesLeastPart = 1 / 9;

function* treeOf(recording: Recording, causality: Causality, options: TextOptions): Generator<Line> {
  const originNs = recording.undertakings[0]?.startNs ?? 0;
  const hasCommand = causality.roots.some(isCommand);
  const place: Place = { originNs, causality, options, deferred: [] };
  for (const root of causality.roots)
    yield* branch(root, { guides: '', below: '', isOpen: !hasCommand || isCommand(root) }, place);
  // What is deferred may defer more.
  for (const { undertaking, isOpen } of place.deferred) {
    yield blankLine;
    yield* branch(undertaking, { guides: '', below: '', isOpen }, place);
  }
}

/** What nobody is known to have caused has one line beside a command. */
const isCommand = ({ kind }: Undertaking): boolean => kind === 'command';

interface Position {
  readonly guides: string;
  readonly below: string;
  readonly isOpen: boolean;
}

/** One undertaking and everything that it led to. */
function* branch(undertaking: Undertaking, position: Position, place: Place): Generator<Line> {
  const { causality, options, originNs } = place;
  const effects = causality.effects.get(undertaking.id) ?? [];
  const isOpen = position.isOpen || options.everything === true;
  const isDeep =
    position.below.length > options.columns * guidesLeastPart &&
    position.below.length + 2 * chainLength(undertaking, causality) > options.columns * guidesMaxPart;
  const line = headline(
    undertaking,
    position.guides,
    place,
    isOpen ? undefined : workOf(undertaking),
    effects.length > 0,
  );
  if (isDeep) {
    place.deferred.push({ undertaking, isOpen: position.isOpen });
    yield { ...line, text: [{ text: '▼ below: ', style: 'cause' }, ...line.text] };
    return;
  }
  const isFinding =
    !isOpen && undertaking.kind !== 'sync' && findingsOf(undertaking, workOf(undertaking)) !== '';
  yield isFinding ? { ...line, below: `${position.below}${effects.length > 0 ? '│ ' : '  '}  ` } : line;
  const rows = isOpen ? rowsOf(undertaking, effects, options.everything === true) : failures(undertaking);
  const repeats = repeatsIn(effects);
  const opens = (effect: Undertaking): boolean =>
    isOpen &&
    linkFrom(effect, undertaking.id)?.by === 'call' &&
    !isDiscovery(effect) &&
    (options.everything === true || !repeats.has(effect));
  const standsAlone = (effect: Undertaking) => opens(effect) || causality.effects.has(effect.id);
  const items: Item[] = [
    ...rows.map((row): Item => ({ row })),
    ...effectItems(effects, standsAlone, options),
  ];
  items.sort((one, other) => startOf(one) - startOf(other));
  for (const [index, item] of items.entries()) {
    const isLast = index === items.length - 1;
    const next = {
      guides: `${position.below}${isLast ? '└ ' : '├ '}`,
      below: `${position.below}${isLast ? '  ' : '│ '}`,
    };
    const [effect, ...others] = item.effects ?? [];
    if (others.length > 0) yield gatheredLine(item, next.guides, originNs);
    else if (effect !== undefined) {
      yield* branch(effect, { ...next, isOpen: opens(effect) }, place);
    } else
      yield* rowLines(item.row!, next, {
        originNs,
        values: options.everything === true ? 'part' : 'changes',
        isAll: options.everything === true,
      });
  }
}

/** The number of undertakings below in the longest chain, without those that changed nothing. */
function chainLength({ id }: Undertaking, causality: Causality): number {
  const effects = (causality.effects.get(id) ?? []).filter((effect) => !wasIdle(effect) && !isEvent(effect));
  return effects.reduce((longest, effect) => Math.max(longest, 1 + chainLength(effect, causality)), 0);
}

/** Requests that were sent before with the same result: those of a client that polls or retries. */
function repeatsIn(effects: readonly Undertaking[]): ReadonlySet<Undertaking> {
  const alike = Map.groupBy(effects, ({ name, values }) => `${String(values?.['status'])} ${name}`);
  return new Set([...alike.values()].flatMap((group) => group.slice(1)));
}

/** The discovery requests that a client sends before it carries out its command. */
const isDiscovery = ({ name }: Undertaking): boolean => /^GET \/apis?\?timeout=/.test(name);

interface Item {
  readonly row?: Row;
  readonly effects?: readonly Undertaking[];
  /** The summary of several effects. */
  readonly text?: string | undefined;
}

const startOf = ({ row, effects }: Item): number =>
  effects?.[0]!.startNs ?? (row!.kind === 'step' ? row!.step.startNs : row!.steps[0]!.startNs);

function effectItems(
  effects: readonly Undertaking[],
  standsAlone: (effect: Undertaking) => boolean,
  { everything }: TextOptions,
): readonly Item[] {
  if (everything === true) return effects.map((effect) => ({ effects: [effect] }));
  return gathered(effects, standsAlone).map(({ undertakings, text }) => ({ effects: undertakings, text }));
}

const gatheredLine = ({ effects = [], text = '' }: Item, guides: string, originNs: number): Line => ({
  atNs: effects[0]!.startNs - originNs,
  guides,
  text: [{ text, style: 'dim' }],
});

function rowsOf(
  undertaking: Undertaking,
  effects: readonly Undertaking[],
  everything: boolean,
): readonly Row[] {
  const leadsOn = ({ startNs, durationNs = Infinity }: Step) =>
    effects.some((effect) => effect.startNs >= startNs && effect.startNs < startNs + durationNs);
  return fold(undertaking.steps, {
    leastNs: (undertaking.durationNs ?? 0) * leastPart,
    everything,
    keepsSingular: undertaking.kind === 'request',
    leadsOn: everything ? () => true : leadsOn,
  });
}

/**
 * The innermost steps that failed or refused, which are where the failure began. The outermost step is omitted, since
 * it repeats the line above.
 */
function failures({ steps }: { readonly steps: readonly Step[] }, depth = 0): readonly Row[] {
  return steps.flatMap((step) => {
    const inner = failures(step, depth + 1);
    return inner.length > 0 || (step.failure === undefined && !hasRefused(step)) || depth === 0
      ? inner
      : [{ kind: 'step', step, rows: [] } as const];
  });
}

function headline(
  undertaking: Undertaking,
  guides: string,
  { causality, originNs }: Pick<Place, 'causality' | 'originNs'>,
  work?: Step,
  leadsOn = true,
): Line {
  const { id, kind, name, failure } = undertaking;
  const summary = summaryOf(isWell(undertaking) && work !== undefined ? undefined : undertaking.values, name);
  const deeds =
    work === undefined
      ? ''
      : !leadsOn && wasIdle(undertaking)
        ? ['changed nothing', findingsOf(undertaking, work)].join('  ').trimEnd()
        : deedsOf(undertaking, work);
  const place = work === undefined || work.file === '' ? undefined : placeOf(work);
  // The result is not truncated for the sake of a long query.
  const [path = '', query] = work === undefined && kind === 'request' ? name.split(/(?=\?)/) : [name];
  return {
    atNs: undertaking.startNs - originNs,
    guides,
    text: [
      ...titled({ ...undertaking, name: work === undefined ? path : shortPath(name) }),
      ...functionOf(work),
      ...(summary === '' ? [] : [{ text: `  ${summary}`, style: 'good' } satisfies Part]),
      ...(query === undefined ? [] : [{ text: `  ${query}`, style: 'dim' } satisfies Part]),
      ...(deeds === '' ? [] : [{ text: `  ${deeds}`, style: 'good' } satisfies Part]),
      ...failed(failure),
      ...because(undertaking, causality),
    ],
    id: causality.shortIds.get(id),
    place,
    totalNs: undertaking.durationNs,
    open: undertaking.durationNs === undefined,
  };
}

/** The status of a successful response is omitted if there is more to say. */
const isWell = (undertaking: Undertaking): boolean =>
  undertaking.values?.['status'] !== undefined && !hasFailed(undertaking);

/** A request begins with its method, not with its server. The name of a node is not repeated. */
function titled({ kind, component, name }: Undertaking): readonly Part[] {
  const [first = '', ...rest] = name.split(' ');
  if (component.endsWith(`/${name}`)) return [{ text: component, style: 'strong' }];
  if (kind === 'request' || first === component)
    return [{ text: first, style: 'strong' }, { text: rest.map((word) => ` ${word}`).join('') }];
  return [{ text: component, style: 'strong' }, { text: ` ${name}` }];
}

/**
 * The function's name if it says more than that of the step: `syncDeployment()`, but not `handle()` or `parseFlags()`.
 */
function functionOf(step: Step | undefined): readonly Part[] {
  const { name, function: full } = step ?? { name: '', function: '' };
  const own = full.replace(/^#/, '');
  const said = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  if (!/[a-z][A-Z]/.test(own) || said.endsWith(own.toLowerCase())) return [];
  return [{ text: ` ${own}()`, style: 'dim' }];
}

/**
 * The revision or key that links the undertaking to its first cause, unless it was called, and the ids of the other
 * causes.
 */
function because({ causes, links = [] }: Undertaking, { shortIds }: Causality): readonly Part[] {
  const seen = links.filter(({ by }) => by !== 'call');
  const reported = seen.slice(0, 1).map(({ by, revision, key = '' }) => {
    const what = by === 'revision' && revision !== undefined ? `revision ${revision}` : key;
    return what === '' ? '' : `  ← ${what}`;
  });
  const others = causes.slice(1, 4).map((cause) => shortIds.get(cause) ?? cause.slice(-4));
  const more = others.length === 0 ? '' : `, also ${others.join(' ')}${causes.length > 4 ? ' …' : ''}`;
  return [{ text: `${reported.join('')}${more}`, style: 'cause' }];
}

/**
 * Reports whether the failure began in this step. Only there is it shown in full, not in the steps that passed it on.
 */
const isOrigin = ({ failure, steps }: Step): boolean =>
  failure !== undefined && steps.every((inner) => inner.failure === undefined);

/** The first line says what happened; the rest is advice, which the command has printed. */
const failed = (failure: string | undefined): readonly Part[] =>
  failure === undefined ? [] : [{ text: ` ✗ ${failure.split('\n', 1)[0]}`.trimEnd(), style: 'bad' }];

/** A step that passes a failure on unchanged does not repeat its message. */
function failureOf(step: Step): string | undefined {
  const { failure, steps } = step;
  if (failure === undefined || isOrigin(step)) return failure;
  return steps.some((inner) => inner.failure === failure) ? '' : failure;
}

interface RowOptions {
  readonly originNs: number;
  readonly values: Amount;
  /** Shows all of several similar steps. */
  readonly isAll?: boolean;
}

function* rowLines(
  row: Row,
  { guides, below }: Pick<Position, 'guides' | 'below'>,
  options: RowOptions,
): Generator<Line> {
  if (row.kind === 'folded') {
    yield foldedLine(row, guides, options.originNs);
    return;
  }
  const { step, rows } = row;
  const summary = summaryOf(step.values, step.name);
  yield {
    atNs: step.startNs - options.originNs,
    guides,
    text: [
      { text: step.name },
      ...functionOf(step),
      ...(summary === '' ? [] : [{ text: `  ${summary}`, style: 'dim' } satisfies Part]),
      ...failed(options.values === 'whole' ? step.failure?.replaceAll('\n', ' ') : failureOf(step)),
    ],
    totalNs: step.durationNs,
    selfNs: selfNs(step),
    open: step.durationNs === undefined,
    place: placeOf(step),
    ...((options.values === 'whole' || isOrigin(step)) && { below: `${below}  ` }),
  };
  for (const text of valueLines(step.values, options.values)) yield { guides: `${below}  `, text };
  yield* childLines(rows, below, options);
}

function foldedLine(
  { steps, filters, selfNs: sumNs }: Extract<Row, { kind: 'folded' }>,
  guides: string,
  originNs: number,
): Line {
  const names = steps.map(({ name }) => name.slice(name.lastIndexOf('/') + 1)).join(', ');
  const count = filters ? steps.length : countSteps(steps);
  return {
    atNs: steps[0]!.startNs - originNs,
    guides,
    text: [
      { text: counted(count, filters ? 'filter' : 'step'), style: 'dim' },
      { text: filters ? '  none decided' : `  ${names}`, style: 'dim' },
    ],
    totalNs: sumNs,
    ...(filters && { place: placeOf(steps[0]!) }),
  };
}

/** The place of the function that does the work, if it is known. */
const placeOf = ({ file, line, definition }: Step): string =>
  definition === undefined ? `${file}:${line}` : `${definition.file}:${definition.line}`;

function theOne({ byId, shortIds }: Causality, id: string): Undertaking {
  const found = [...byId.values()].filter(
    (undertaking) => shortIds.get(undertaking.id) === id || undertaking.id.endsWith(id),
  );
  if (found.length === 1) return found[0]!;
  throw new Error(
    found.length === 0
      ? `the recording has no undertaking ${id}`
      : `the recording has ${found.length} undertakings whose ids end with ${id}`,
  );
}

/**
 * Each undertaking that was asked for, and the steps that were. If the command's own requests have such steps, those of
 * the undertakings that they led to get one line each.
 */
function* askedFor(
  recording: Recording,
  causality: Causality,
  { show = [], everything }: TextOptions,
): Generator<Line> {
  const { undertakings } = recording;
  const originNs = undertakings[0]?.startNs ?? 0;
  const place = { originNs, causality };
  const search = stepSearch(recording, show);
  const all = undertakings
    .map((undertaking) => {
      const isWhole = isAskedUndertaking(undertaking, show);
      return { undertaking, isWhole, rows: isWhole ? [] : search(undertaking) };
    })
    .filter(({ isWhole, rows }) => isWhole || rows.length > 0);
  const isAllDiscovery = all.every(({ undertaking }) => isDiscovery(undertaking));
  const found = all.filter(
    ({ undertaking, isWhole }) => isWhole || isAllDiscovery || !isDiscovery(undertaking),
  );
  const own = found.filter(({ undertaking, isWhole }) => isWhole || isOwn(undertaking, causality));
  const opened = everything === true || own.length === 0 ? found : own;
  for (const [index, { undertaking, isWhole, rows }] of opened.entries()) {
    if (index > 0) yield blankLine;
    if (isWhole) yield* alone(undertaking, causality, originNs);
    else {
      yield headline(undertaking, '', place);
      yield* allRows(rows, originNs);
    }
  }
  const others = found.filter((one) => !opened.includes(one));
  if (others.length === 0) return;
  yield blankLine;
  yield { guides: '', text: [{ text: 'and, in full with --all or --only=ID, in', style: 'dim' }] };
  const stepIn = new Map(others.map(({ undertaking, rows }) => [undertaking, rows[0]!.step]));
  for (const { undertakings: alike, text = '' } of gathered([...stepIn.keys()], () => false))
    yield alike.length > 1
      ? gatheredLine({ effects: alike, text }, '', originNs)
      : headline(alike[0]!, '', place, stepIn.get(alike[0]!));
}

const blankLine: Line = { guides: '', text: [] };

/** Whether it is the command, a request of it, or begins a recording without a command. */
function isOwn(undertaking: Undertaking, { byId, parents }: Causality): boolean {
  for (let one = undertaking; ;) {
    const parent = byId.get(parents.get(one.id) ?? '');
    if (parent === undefined) return true;
    if (linkFrom(one, parent.id)?.by !== 'call') return false;
    one = parent;
  }
}

/**
 * All steps of the undertaking with their values. Before them, a line for each cause, from the first one that is known;
 * after them, one for each effect.
 */
function* alone(
  undertaking: Undertaking,
  causality: Causality,
  originNs = undertaking.startNs,
): Generator<Line> {
  const place = { originNs, causality };
  for (const cause of causesOf(undertaking, causality)) yield headline(cause, '← ', place, workOf(cause));
  yield headline(undertaking, '', place);
  for (const text of valueLines(undertaking.values, 'whole')) yield { guides: '  ', text };
  yield* allRows(rowsOf(undertaking, [], true), originNs);
  for (const effect of causality.ledTo.get(undertaking.id) ?? []) yield headline(effect, '→ ', place);
}

/** The chain that led to the undertaking, and its further direct causes, in the order in which they began. */
function causesOf({ id, causes }: Undertaking, { byId, parents }: Causality): readonly Undertaking[] {
  const ids = new Set(causes);
  for (let at = parents.get(id); at !== undefined; at = parents.get(at)) ids.add(at);
  return [...byId.values()].filter((one) => ids.has(one.id));
}

function* allRows(rows: readonly Row[], originNs: number): Generator<Line> {
  yield* childLines(rows, '', { originNs, values: 'whole' });
}

/** Of similar consecutive steps, this many are shown. */
const alikeShown = 3;

function* childLines(rows: readonly Row[], outer: string, options: RowOptions): Generator<Line> {
  const items = options.isAll ? rows.map((row) => [row] as const) : gatherAlike(rows);
  for (const [index, [row, ...others]] of items.entries()) {
    const isEnd = index === items.length - 1;
    const next = {
      guides: `${outer}${isEnd ? '└ ' : '├ '}`,
      below: `${outer}${isEnd ? '  ' : '│ '}`,
    };
    if (others.length === 0) yield* rowLines(row, next, options);
    else yield moreAlike([row, ...others], next.guides, options);
  }
}

/** Each row that is shown, alone, and after the first of several similar ones the others, if they are at least two. */
function gatherAlike(rows: readonly Row[]): readonly (readonly [Row, ...Row[]])[] {
  const items: [Row, ...Row[]][] = [];
  let alike: Row[] = [];
  const flush = () => {
    const [first, ...others] = alike.slice(alikeShown);
    const shown = others.length === 0 ? alike : alike.slice(0, alikeShown);
    items.push(...shown.map((row): [Row] => [row]));
    if (others.length > 0) items.push([first!, ...others]);
    alike = [];
  };
  for (const row of rows) {
    if (alike.length > 0 && !areAlike(alike.at(-1)!, row)) flush();
    alike.push(row);
  }
  flush();
  return items;
}

/** Reports whether both were taken at the same place, for the same kind of request, and nothing failed in the second. */
const areAlike = (one: Row, other: Row): boolean =>
  one.kind === 'step' &&
  other.kind === 'step' &&
  one.step.name === other.step.name &&
  one.step.line === other.step.line &&
  one.step.file === other.step.file &&
  one.step.values?.['verb'] === other.step.values?.['verb'] &&
  failures({ steps: [other.step] }, 1).length === 0;

function moreAlike(rows: readonly Row[], guides: string, { originNs }: RowOptions): Line {
  const steps = rows.flatMap((row) => (row.kind === 'step' ? [row.step] : []));
  return {
    atNs: steps[0]!.startNs - originNs,
    guides,
    text: [{ text: `${steps.length} more ${steps[0]!.name}`, style: 'dim' }],
  };
}

function countsOf({ undertakings, droppedSteps = 0 }: Recording): string {
  const steps = undertakings.reduce((sum, undertaking) => sum + countSteps(undertaking.steps), 0);
  const dropped =
    droppedSteps === 0 ? '' : `; the recording was full, without ${counted(droppedSteps, 'more step')}`;
  return `${counted(undertakings.length, 'undertaking')}, ${counted(steps, 'step')}${dropped}`;
}

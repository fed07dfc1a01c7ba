import { runStep, type StepObserver, type Work } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { NodeInfo } from './cache/node-info.ts';
import type { PodInfo } from './cache/pod-info.ts';
import type { NumbersOfNodes } from './cache/numbers-of-nodes.ts';
import type { ShapeResults } from './cache/shape-results.ts';
import type { Cluster } from './framework/cluster.ts';
import { andThen, type MaybePromise } from './framework/maybe-promise.ts';
import type { NodeToStatus } from './framework/node-to-status.ts';
import { shapeOf } from './framework/pod-shape.ts';
import type { NodeSimulation, PostFilterResult } from './framework/plugin.ts';
import type { Profile, UntypedPlugin } from './framework/profile.ts';
import type { CallStatus, ProfileMetrics } from './metrics/profile-metrics.ts';
import { statusOf, workOf } from './metrics/timed-profile.ts';
import { failure, fits, isRejection, type Rejection, type Status } from './status.ts';

/** The result of `preFilter`. */
export type PreFilterOutcome =
  | { readonly kind: 'ok'; readonly onlyNodes?: ReadonlySet<string>; readonly limitedBy: readonly string[] }
  | { readonly kind: 'rejected'; readonly status: Rejection; readonly plugin: string };

export interface PluginStatus {
  readonly plugin: string;
  readonly status: Status;
}

export interface ScorePart {
  readonly plugin: string;
  /** One for each node. */
  readonly scores: readonly number[];
}

/** With fewer nodes, evaluating them is cheaper than finding out whether an earlier pod was alike. */
const nodesToRemember = 32;

/** One attempt to place one pod: holds the plugins' states and runs the extension points with them. */
export class Attempt {
  readonly pod: PodInfo;
  readonly profile: Profile;
  readonly #cluster: Cluster;
  readonly #observer: StepObserver | undefined;
  /** Undefined for simulations, which are not counted. */
  readonly metrics: ProfileMetrics | undefined;
  readonly #states = new Map<string, unknown>();
  readonly #skipped: Set<string>;
  #filters: readonly UntypedPlugin[] = [];
  /** Filters after this index depend on more than the node. */
  #lastLocalFilter = -1;
  /** Cached results of nodes for pods of this shape; undefined for simulations and in small clusters. */
  #answers: ShapeResults | undefined;
  /** The same, if all filters depend on the node alone. */
  #memo: ShapeResults | undefined;

  constructor(
    pod: PodInfo,
    profile: Profile,
    cluster: Cluster,
    observer?: StepObserver,
    from?: Attempt,
    metrics?: ProfileMetrics,
  ) {
    this.pod = pod;
    this.profile = profile;
    this.#cluster = cluster;
    this.#observer = observer;
    this.metrics = metrics;
    this.#skipped = from === undefined ? new Set() : from.#skipped;
    this.#filters = from === undefined ? [] : from.#filters;
    if (from !== undefined) this.#cloneStatesOf(from);
  }

  preFilter(): PreFilterOutcome {
    return this.timed('PreFilter', () =>
      runStep(this.#observer, 'schedule/pre-filter', () => this.#preFilter()),
    );
  }

  /** Runs an extension point and records its duration. */
  timed<T>(point: string, run: () => T): T {
    const { metrics } = this;
    if (metrics === undefined) return run();
    const { clock } = this.#cluster;
    const startMs = clock.monotonic();
    const ran = (status: CallStatus) => metrics.ran(point, status, clock.monotonic() - startMs);
    const answer = run();
    if (!(answer instanceof Promise)) ran(statusOf(answer));
    else
      answer.then(
        (reported) => ran(statusOf(reported)),
        () => ran('Error'),
      );
    return answer;
  }

  #preFilter(): PreFilterOutcome {
    let onlyNodes: ReadonlySet<string> | undefined;
    const limitedBy: string[] = [];
    for (const plugin of this.profile.points.preFilter) {
      const answer = plugin.preFilter!(this.pod, this.#cluster);
      if (statusOf(answer) !== 'Skip') this.metrics?.called('PreFilter', plugin.name, 1);
      if (answer === 'skip') this.#skipped.add(plugin.name);
      else if ('kind' in answer) return this.#rejected(plugin, answer);
      else if ('rejection' in answer) {
        this.#states.set(plugin.name, answer.state);
        return this.#rejected(plugin, answer.rejection);
      } else {
        this.#states.set(plugin.name, answer.state);
        if (answer.skip) this.#skipped.add(plugin.name);
        if (answer.onlyNodes !== undefined) {
          const narrower = answer.onlyNodes;
          onlyNodes =
            onlyNodes === undefined ? narrower : new Set([...onlyNodes].filter((name) => narrower.has(name)));
          limitedBy.push(plugin.name);
        }
      }
    }
    this.#observer?.note?.({
      skipped: [...this.#skipped],
      onlyNodes: onlyNodes && [...onlyNodes],
      limitedBy,
    });
    this.#filters = this.profile.points.filter.filter(({ name }) => !this.#skipped.has(name));
    this.#recall();
    return onlyNodes === undefined ? { kind: 'ok', limitedBy } : { kind: 'ok', onlyNodes, limitedBy };
  }

  /** A plugin that refuses before any node is looked at is reported as one that refuses nodes. */
  #rejected(plugin: UntypedPlugin, status: Rejection): PreFilterOutcome {
    const reported = { verdict: 'refused', reasons: status.reasons };
    const work = workOf(plugin, 'preFilter');
    runStep(this.#observer, `refused-by/${plugin.name}`, () => undefined, reported, work);
    return { kind: 'rejected', status, plugin: plugin.name };
  }

  #recall(): void {
    if (this.#cluster.nodes.length < nodesToRemember) return;
    this.#answers = this.#cluster.answersOf(shapeOf(this.pod, this.profile.weights));
    this.#lastLocalFilter = this.#filters.findLastIndex(({ isNodeLocal }) => isNodeLocal);
    if (this.#filters.every(({ isNodeLocal }) => isNodeLocal)) this.#memo = this.#answers;
  }

  /** Counts calls of {@link filter}: one per plugin for every node that the plugins before it let pass. */
  countFilters(nodes: number, refusals: ReadonlyMap<string, number>): void {
    let left = nodes;
    for (const { name } of this.#filters) {
      this.metrics?.called('Filter', name, left);
      left -= refusals.get(name) ?? 0;
    }
  }

  /** Reports each plugin that was called, at its position in the code, with its refusals by node. */
  recordFilters(refusals: ReadonlyMap<string, Readonly<Record<string, string>>>, isNowhere: boolean): void {
    for (const plugin of this.#filters) {
      const work = workOf(plugin, 'filter');
      const refused = refusals.get(plugin.name);
      const step = refused === undefined ? `filter/${plugin.name}` : `refused-by/${plugin.name}`;
      const reported = refused && {
        ...(isNowhere && { verdict: 'refused' }),
        reasons: [...new Set(Object.values(refused))],
        nodes: refused,
      };
      runStep(this.#observer, step, () => undefined, reported, work);
    }
  }

  /** Returns the status of the first plugin that refuses, and its name. */
  filter(node: NodeInfo): { readonly status: Status; readonly plugin?: string } {
    const isKnown = this.#answers?.fitsOn(node) ?? false;
    for (let index = 0; index < this.#filters.length; index++) {
      const plugin = this.#filters[index]!;
      if (isKnown && plugin.isNodeLocal) continue;
      const status = plugin.filter!(this.pod, node, this.#states.get(plugin.name), this.#cluster);
      if (status.kind === 'fits') continue;
      if (!isKnown && index > this.#lastLocalFilter) this.#answers?.keepFits(node);
      return { status: reported(status, 'filter', plugin), plugin: plugin.name };
    }
    if (!isKnown) this.#answers?.keepFits(node);
    return passed;
  }

  /** Returns the status of every filter, including those after the first that refuses. */
  statuses(node: NodeInfo): readonly PluginStatus[] {
    return this.#filters.map((plugin) => ({
      plugin: plugin.name,
      status: plugin.filter!(this.pod, node, this.#states.get(plugin.name), this.#cluster),
    }));
  }

  /** Like {@link filter}, but also with nominated pods of equal or higher priority in place. */
  filterWithNominated(node: NodeInfo): { readonly status: Status; readonly plugin?: string } {
    const promised = this.#cluster.nominatedTo(node.name);
    if (promised.length === 0 && (this.#memo?.fitsOn(node) ?? false)) return passed;
    const memo = this.#memoFor(promised);
    const known = memo?.refusal(node, promised);
    if (known !== undefined) return known;
    const answer = promised.length === 0 ? this.filter(node) : this.#filterCrowded(node, promised);
    const { status } = answer;
    if (isRejection(status) && status.kind !== 'error')
      memo?.keepRefusal(node, promised, { ...answer, status });
    return answer;
  }

  /** Results cached for similar pods also apply to this one, unless it is nominated to the node itself. */
  #memoFor(promised: readonly PodInfo[]): ShapeResults | undefined {
    if (promised.length === 0) return this.#memo;
    return promised.some(({ uid }) => uid === this.pod.uid) ? undefined : this.#memo;
  }

  #filterCrowded(node: NodeInfo, promised: readonly PodInfo[]): ReturnType<Attempt['filter']> {
    const nominated = promised.filter(
      (other) => other.uid !== this.pod.uid && other.priority >= this.pod.priority,
    );
    if (nominated.length > 0) {
      const simulation = this.#simulate(node);
      for (const other of nominated) simulation.addPod(other);
      const crowded = simulation.attempt.filter(simulation.node);
      if (isRejection(crowded.status)) return crowded;
    }
    return this.filter(node);
  }

  /** Runs the plugins in order until one has an answer. */
  postFilter(statuses: NodeToStatus, absentNodesStatus: Rejection): MaybePromise<PostFilterResult> {
    const { postFilter } = this.profile.points;
    const asked = (index: number, refusal: Unhelped): MaybePromise<PostFilterResult> => {
      const plugin = postFilter[index];
      if (plugin === undefined) return refusal;
      return andThen(
        () =>
          runStep(
            this.#observer,
            `post-filter/${plugin.name}`,
            () => this.#askToHelp(plugin, statuses, absentNodesStatus),
            undefined,
            workOf(plugin, 'postFilter'),
          ),
        (answer) => {
          this.#observer?.note?.({ [plugin.name]: answer });
          return answer.kind === 'unschedulable' ? asked(index + 1, joined(refusal, answer)) : answer;
        },
        (error) => ({ kind: 'error', reasons: failureOf(error).reasons }),
      );
    };
    return this.timed('PostFilter', () =>
      runStep(this.#observer, 'schedule/post-filter', () => asked(0, { kind: 'unschedulable', reasons: [] })),
    );
  }

  #askToHelp(
    plugin: UntypedPlugin,
    statuses: NodeToStatus,
    absentNodesStatus: Rejection,
  ): MaybePromise<PostFilterResult> {
    const attempt = {
      state: this.#states.get(plugin.name),
      statuses,
      absentNodesStatus,
      memoFor: (promised: readonly PodInfo[]) => this.#memoFor(promised),
      simulate: (node: NodeInfo) => this.#simulate(node),
    };
    return plugin.postFilter!(this.pod, attempt, this.#cluster);
  }

  /** Returns the weighted sum of all scores for each node. */
  score(nodes: readonly NodeInfo[]): readonly number[] {
    return runStep(this.#observer, 'schedule/score', () => this.#score(nodes));
  }

  #score(nodes: readonly NodeInfo[]): readonly number[] {
    const [first, ...others] =
      this.#observer === undefined ? this.#scored(nodes, true) : this.scoreParts(nodes);
    const totals = first === undefined ? nodes.map(() => 0) : [...first.scores];
    for (const { scores } of others) {
      for (let index = 0; index < totals.length; index++) totals[index]! += scores[index]!;
    }
    if (this.#observer !== undefined && first !== undefined)
      this.#recordScores(nodes, [first, ...others], totals);
    return totals;
  }

  /** Reports each plugin at its position in the code, with the scores of all of them. */
  #recordScores(nodes: readonly NodeInfo[], parts: readonly ScorePart[], totals: readonly number[]): void {
    for (const { plugin, scores } of parts) {
      const scorer = this.profile.points.score.find(({ name }) => name === plugin)!;
      const reported = { nodes: Object.fromEntries(nodes.map(({ name }, index) => [name, scores[index]!])) };
      runStep(this.#observer, `score/${plugin}`, () => undefined, reported, workOf(scorer, 'score'));
    }
    this.#observer?.note?.({ scores: recordedScores(nodes, parts, totals) });
  }

  /** Returns each plugin's weighted scores for the nodes. */
  scoreParts(nodes: readonly NodeInfo[]): readonly ScorePart[] {
    return this.#scored(nodes, false);
  }

  /** @param isSummed whether scores that depend on the node alone may be combined into one part */
  #scored(nodes: readonly NodeInfo[], isSummed: boolean): readonly ScorePart[] {
    const states = new Map<string, unknown>();
    const skipped = new Set<string>();
    this.timed('PreScore', () => this.#preScore(nodes, states, skipped));
    return this.timed('Score', () => this.#scoreParts(nodes, states, skipped, isSummed));
  }

  #preScore(nodes: readonly NodeInfo[], states: Map<string, unknown>, skipped: Set<string>): void {
    for (const plugin of this.profile.points.preScore) {
      const answer = plugin.preScore!(this.pod, nodes, this.#cluster, this.#states.get(plugin.name));
      if (answer === 'skip') {
        skipped.add(plugin.name);
        continue;
      }
      states.set(plugin.name, answer.state);
      this.metrics?.called('PreScore', plugin.name, 1);
    }
  }

  #scoreParts(
    nodes: readonly NodeInfo[],
    states: ReadonlyMap<string, unknown>,
    skipped: ReadonlySet<string>,
    isSummed: boolean,
  ): readonly ScorePart[] {
    const parts: ScorePart[] = [];
    const ofNodeAlone: UntypedPlugin[] = [];
    for (const plugin of this.profile.points.score) {
      if (skipped.has(plugin.name)) continue;
      this.metrics?.called('Score', plugin.name, nodes.length);
      const state = states.get(plugin.name);
      if (isSummed && plugin.normalize === undefined && plugin.scoresNodeAlone?.(state)) {
        ofNodeAlone.push(plugin);
        continue;
      }
      const scores = this.#scoresBy(plugin, state, nodes);
      plugin.normalize?.(scores, state, nodes);
      const weight = this.#weightOf(plugin);
      if (weight !== 1) for (let index = 0; index < scores.length; index++) scores[index]! *= weight;
      parts.push({ plugin: plugin.name, scores });
    }
    if (ofNodeAlone.length > 0) parts.push(this.#sumOfNodeAlone(ofNodeAlone, states, nodes));
    return parts;
  }

  /** For plugins that depend only on pod and node: one number is cached per node, whatever the number of plugins. */
  #sumOfNodeAlone(
    plugins: readonly UntypedPlugin[],
    states: ReadonlyMap<string, unknown>,
    nodes: readonly NodeInfo[],
  ): ScorePart {
    const names = plugins.map(({ name }) => name).join(' ');
    const weighed = plugins.map((plugin) => ({
      plugin,
      state: states.get(plugin.name),
      weight: this.#weightOf(plugin),
    }));
    const scoreOf = (node: NodeInfo): number => {
      let sum = 0;
      for (const { plugin, state, weight } of weighed)
        sum += weight * plugin.score!(this.pod, node, state, this.#cluster);
      return sum;
    };
    return { plugin: names, scores: scoresKept(this.#answers?.scoresBy(names), nodes, scoreOf) };
  }

  #weightOf({ name }: UntypedPlugin): number {
    return this.profile.weights.get(name) ?? 1;
  }

  #scoresBy(plugin: UntypedPlugin, state: unknown, nodes: readonly NodeInfo[]): number[] {
    const kept = plugin.scoresNodeAlone?.(state) ? this.#answers?.scoresBy(plugin.name) : undefined;
    return scoresKept(kept, nodes, (node) => plugin.score!(this.pod, node, state, this.#cluster));
  }

  /** Calls reserve of every plugin; undoes it if one refuses. */
  reserve(node: NodeInfo): { readonly status: Status; readonly plugin?: string } {
    return this.timed('Reserve', () =>
      runStep(this.#observer, 'schedule/reserve', () => this.#reserve(node)),
    );
  }

  #reserve(node: NodeInfo): { readonly status: Status; readonly plugin?: string } {
    for (const plugin of this.profile.points.reserve) {
      const status = plugin.reserve!(this.pod, node, this.#states.get(plugin.name), this.#cluster);
      if (status.kind === 'fits') continue;
      this.unreserve(node);
      return { status, plugin: plugin.name };
    }
    return passed;
  }

  unreserve(node: NodeInfo): void {
    for (const plugin of this.profile.points.reserve.toReversed()) {
      plugin.unreserve?.(this.pod, node, this.#states.get(plugin.name), this.#cluster);
    }
  }

  /** Returns a refusal, or the maximum time to wait. */
  permit(node: NodeInfo): { readonly status: Status; readonly plugin?: string; readonly waitMs: number } {
    return this.timed('Permit', () => runStep(this.#observer, 'schedule/permit', () => this.#permit(node)));
  }

  #permit(node: NodeInfo): ReturnType<Attempt['permit']> {
    let waitMs = 0;
    for (const plugin of this.profile.points.permit) {
      const answer = plugin.permit!(this.pod, node, this.#cluster);
      if (answer.kind === 'wait') waitMs = Math.max(waitMs, answer.timeoutMs);
      else if (answer.kind !== 'fits') return { status: answer, plugin: plugin.name, waitMs: 0 };
    }
    return { status: fits, waitMs };
  }

  /** Whether binding must first wait for something, such as the pod's volumes. */
  hasWorkBeforeBinding(node: NodeInfo): boolean {
    return this.profile.points.preBind.some(
      (plugin) =>
        !this.#skipped.has(plugin.name) &&
        (plugin.preBindNeeded?.(this.pod, node, this.#states.get(plugin.name)) ?? true),
    );
  }

  /** @throws Error naming the plugin that failed */
  async bind(node: NodeInfo, signal: AbortSignal): Promise<void> {
    const { preBind, bind, postBind } = this.profile.points;
    const { clock } = this.#cluster;
    let startMs = clock.monotonic();
    const ran = (point: string) => {
      const nowMs = clock.monotonic();
      this.metrics?.ran(point, 'Success', nowMs - startMs);
      startMs = nowMs;
    };
    for (const plugin of preBind) {
      if (this.#skipped.has(plugin.name)) continue;
      await this.#named('schedule/pre-bind', 'PreBind', plugin, workOf(plugin, 'preBind'), () =>
        plugin.preBind!(this.pod, node, this.#states.get(plugin.name), this.#cluster, signal),
      );
    }
    ran('PreBind');
    let bound = (await this.#cluster.extenders?.bind(this.pod.pod, node.name)) ?? false;
    for (const plugin of bound ? [] : bind) {
      bound = await this.#named('schedule/bind', 'Bind', plugin, workOf(plugin, 'bind'), () =>
        plugin.bind!(this.pod, node, this.#cluster),
      );
      if (bound) break;
    }
    if (!bound) throw new Error('no bind plugin bound the pod');
    ran('Bind');
    for (const plugin of postBind) plugin.postBind!(this.pod, node, this.#cluster);
    ran('PostBind');
  }

  async #named<T>(
    step: string,
    point: string,
    plugin: UntypedPlugin,
    work: Work | undefined,
    body: () => Promise<T>,
  ): Promise<T> {
    try {
      return await runStep(this.#observer, step, body, this.#observer && { plugin: plugin.name }, work);
    } catch (error) {
      const text = messageOf(error);
      throw new Error(`running ${point} plugin "${plugin.name}": ${text}`, { cause: error });
    }
  }

  #cloneStatesOf(from: Attempt): void {
    for (const [name, state] of from.#states) this.#states.set(name, state);
    for (const { name, cloneState } of this.profile.points.preFilter) {
      if (cloneState !== undefined && from.#states.has(name))
        this.#states.set(name, cloneState(from.#states.get(name)));
    }
  }

  #simulate(original: NodeInfo): NodeSimulation & { readonly attempt: Attempt } {
    const node = original.clone();
    const attempt = new Attempt(this.pod, this.profile, this.#cluster, undefined, this);
    const interested = this.profile.points.preFilter.filter(
      ({ name, addPod, removePod }) => (addPod ?? removePod) !== undefined && !this.#skipped.has(name),
    );
    const report = (method: 'addPod' | 'removePod', other: PodInfo) => {
      for (const plugin of interested) {
        plugin[method]?.(attempt.#states.get(plugin.name), this.pod, other, node, this.#cluster);
      }
    };
    return {
      node,
      attempt,
      addPod(other) {
        node.addPod(other);
        report('addPod', other);
      },
      removePod(other) {
        node.removePod(other.uid);
        report('removePod', other);
      },
      status: () => attempt.filterWithNominated(node).status,
    };
  }
}

/** Returns one score per node, cached or computed by `scoreOf`. */
function scoresKept(
  kept: NumbersOfNodes | undefined,
  nodes: readonly NodeInfo[],
  scoreOf: (node: NodeInfo) => number,
): number[] {
  return nodes.map(kept === undefined ? scoreOf : (node) => kept.of(node, scoreOf));
}

type Unhelped = Extract<PostFilterResult, { kind: 'unschedulable' }>;

const joined = (one: Unhelped, other: Unhelped): Unhelped => ({
  kind: 'unschedulable',
  reasons: [...one.reasons, ...other.reasons],
  clearNomination: (one.clearNomination ?? false) || (other.clearNomination ?? false),
});

/** A failure names where it happened; a refusal does not. */
const reported = (status: Rejection, point: string, { name }: UntypedPlugin): Rejection =>
  status.kind === 'error'
    ? failure(`running "${name}" ${point} plugin: ${status.reasons.join(', ')}`)
    : status;

const passed = { status: fits } as const;

/** For attempts in which a plugin failed rather than refused. */
export const failureOf = (error: unknown): Rejection => failure(messageOf(error));

/** The score of each plugin by node, and their total. */
const recordedScores = (
  nodes: readonly NodeInfo[],
  parts: readonly ScorePart[],
  totals: readonly number[],
): Record<string, Record<string, number>> =>
  Object.fromEntries(
    nodes.map(({ name }, index) => [
      name,
      {
        ...Object.fromEntries(parts.map(({ plugin, scores }) => [plugin, scores[index]!])),
        total: totals[index]!,
      },
    ]),
  );
